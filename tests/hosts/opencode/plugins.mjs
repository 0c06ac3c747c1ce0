/**
 * OpenCode 2's plugins: loaded in order, set up again when a file's mtime changes, while sessions keep
 * running.
 *
 * A file that did not change keeps its module, and only `setup` is called again; a changed one is evaluated
 * anew, with globalThis shared. If `setup` throws, the previous revision is set up instead; if the import
 * fails, the plugin is gone until the file is mended.
 */

import { pathToFileURL } from "node:url"
import { contextFor } from "./context.mjs"
import { discover } from "./discovery.mjs"

export class Plugins {
  #host
  #record
  #slots = new Map()
  #modules = new Map()
  #lock = Promise.resolve()

  /** `host`: {record, bus, sessions, known, configs, location, app, restart, future}. */
  constructor(host) {
    this.#host = host
    this.#record = host.record
  }

  /** Brings what is loaded in line with the files; one call at a time. */
  activate() {
    this.#lock = this.#lock
      .then(() => this.#reconcile())
      .catch((error) =>
        this.#record({ rec: "failed", stage: "activate", error: String(error?.stack ?? error) }),
      )
    return this.#lock
  }

  async unloadAll() {
    await this.#lock
    for (const slot of [...this.#slots.values()].reverse()) await this.#unload(slot)
  }

  async #reconcile() {
    const wanted = await this.#import()
    const current = [...this.#slots.values()]
    const changed = wanted.findIndex((plugin, index) => !isSame(current[index], plugin))
    const first = changed < 0 ? wanted.length : changed
    if (first === wanted.length && current.length === wanted.length) return
    if (this.#host.restart === "prefix") await this.#restartFrom(first, wanted, current)
    else await this.#restartAll(wanted, current)
    this.#host.bus.publish({ type: "plugin.updated", data: {} })
  }

  async #import() {
    const definitions = []
    for (const candidate of discover(this.#host.configs, { folders: true })) {
      try {
        definitions.push(await this.#definition(candidate))
      } catch (error) {
        this.#record({ rec: "failed", stage: "import", target: candidate.target, error: String(error) })
      }
    }
    return definitions
  }

  async #definition({ target, mtime, revision }) {
    if (this.#modules.has(revision)) return this.#modules.get(revision)
    const { default: plugin } = await import(`${pathToFileURL(target).href}?mtime=${mtime}`)
    if (typeof plugin?.id !== "string" || typeof plugin.setup !== "function") {
      throw new Error("Plugin must export a default definition with an id and an effect or setup function.")
    }
    const definition = { id: plugin.id, setup: plugin.setup, revision }
    this.#modules.set(revision, definition)
    this.#record({ rec: "import", target, revision })
    return definition
  }

  /** 2.x: from the first change on, everything is closed in reverse order and then set up in order. */
  async #restartFrom(first, wanted, current) {
    const previous = definitionsById(current)
    for (const slot of current.slice(first).reverse()) await this.#unload(slot)
    for (const definition of wanted.slice(first)) await this.#install(definition, previous.get(definition.id))
  }

  /** Its previews: every plugin, one by one; those that are gone come last. */
  async #restartAll(wanted, current) {
    const previous = definitionsById(current)
    for (const definition of wanted) {
      const slot = this.#slots.get(definition.id)
      if (slot !== undefined) await this.#unload(slot)
      await this.#install(definition, previous.get(definition.id))
    }
    const removed = current.filter((slot) => !wanted.some(({ id }) => id === slot.id))
    for (const slot of removed.reverse()) await this.#unload(slot)
  }

  async #install(definition, fallback) {
    let slot = await this.#load(definition)
    if (slot === undefined && fallback !== undefined) slot = await this.#load(fallback)
    if (slot !== undefined) this.#slots.set(definition.id, { ...slot, wanted: definition.revision })
  }

  async #load(definition) {
    const scope = []
    const { id, revision } = definition
    try {
      const cleanUp = await definition.setup(contextFor(id, this.#host, this.#slots, scope))
      if (cleanUp) scope.push(async () => cleanUp())
      this.#record({ rec: "setup", id, revision })
      return { id, definition, scope }
    } catch (error) {
      for (const close of scope.reverse()) await close()
      this.#record({ rec: "failed", stage: "setup", id, error: String(error) })
      return undefined
    }
  }

  async #unload({ id, definition, scope }) {
    this.#slots.delete(id)
    for (const close of scope.splice(0).reverse()) {
      try {
        await close()
      } catch (error) {
        this.#record({ rec: "failed", stage: "dispose", id, error: String(error) })
      }
    }
    this.#record({ rec: "dispose", id, revision: definition.revision })
  }
}

/** A plugin that fell back to its previous revision is the same until the file changes again. */
function isSame(slot, { id, revision }) {
  return slot !== undefined && slot.id === id && slot.wanted === revision
}

function definitionsById(slots) {
  return new Map(slots.map((slot) => [slot.id, slot.definition]))
}
