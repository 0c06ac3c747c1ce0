/**
 * OpenCode 1's plugins: `server(input)` once per directory instance, modules that are never imported again,
 * event hooks that nobody awaits, and a `dispose` that is awaited, after which the same module is asked for a
 * new instance.
 */

import path from "node:path"
import { pathToFileURL } from "node:url"
import { emptyDomain } from "./context.mjs"
import { discover } from "./discovery.mjs"
import { makeId } from "./ids.mjs"

export class Host1 {
  #host
  #record
  #instances = []
  #modules = new Map()

  /** `host`: {record, known, configs, location, factories, callsSetup}. */
  constructor(host) {
    this.#host = host
    this.#record = host.record
  }

  async boot() {
    for (const { target } of discover(this.#host.configs, { folders: false })) {
      try {
        await this.#load(target)
      } catch (error) {
        this.#record({ rec: "failed", stage: "load", target, error: String(error) })
      }
    }
    for (const { hooks } of this.#instances) await hooks.config?.({})
  }

  /** With several factories of one plugin, only the last one made gets the events of sessions. */
  publish({ id, type, properties, data }) {
    const event = { id: id ?? makeId("evt"), type, properties: properties ?? data ?? {} }
    this.#record({ rec: "event", event })
    const listening = new Map(this.#instances.map((instance) => [instance.id, instance]))
    for (const instance of listening.values()) this.#call(instance, structuredClone(event))
  }

  async dispose() {
    for (const { id, hooks } of this.#instances.splice(0)) {
      try {
        await hooks.dispose?.()
      } catch (error) {
        this.#record({ rec: "failed", stage: "dispose", id, error: String(error) })
      }
      this.#record({ rec: "dispose", id })
    }
  }

  #call({ id, hooks }, event) {
    const unhandled = (error) => this.#record({ rec: "unhandled", id, error: String(error) })
    try {
      hooks.event?.({ event })?.catch?.(unhandled)
    } catch (error) {
      unhandled(error)
    }
  }

  async #load(target) {
    const module = this.#modules.get(target) ?? (await import(pathToFileURL(target).href))
    this.#modules.set(target, module)
    const { id = path.basename(target), servers, setup } = definitionOf(module, target)
    for (const server of servers) {
      for (let made = 0; made < this.#host.factories; made += 1) {
        this.#instances.push({ id, hooks: await server(this.#input()) })
        this.#record({ rec: "server", id })
      }
    }
    if (!this.#host.callsSetup || setup === undefined) return
    await setup(embeddedContext(this.#host.location)) // Its clean-up is never called.
    this.#record({ rec: "setup", id })
  }

  #input() {
    const { location } = this.#host
    return {
      client: this.#client(),
      project: { id: "proj", worktree: location },
      worktree: location,
      directory: location,
      experimental_workspace: { register() {} },
      serverUrl: new URL("http://localhost:4096"),
      $: undefined,
    }
  }

  /** Any method of any group: `session.get` knows the sessions, the others answer with nothing. */
  #client() {
    const group = (name) =>
      new Proxy({}, { get: (_, method) => (input) => this.#answer(name, String(method), input) })
    return new Proxy({}, { get: (_, name) => group(String(name)) })
  }

  async #answer(group, method, input) {
    this.#record({ rec: "call", name: `${group}.${method}`, input: { path: input?.path } })
    if (group !== "session" || method !== "get") return { data: {} }
    const id = input?.path?.id ?? input?.sessionID
    return { data: { ...this.#host.known.get(id), id } }
  }
}

function definitionOf(module, target) {
  const plugin = module.default
  if (
    typeof plugin === "object" &&
    plugin !== null &&
    ("id" in plugin || "server" in plugin || "tui" in plugin)
  ) {
    if (typeof plugin.server !== "function") {
      throw new TypeError(`Plugin ${target} must default export an object with server()`)
    }
    if (!plugin.id) throw new TypeError(`Path plugin ${target} must export id`)
    return { id: plugin.id, servers: [plugin.server], setup: plugin.setup }
  }
  const servers = [...new Set(Object.values(module))].map((value) => value?.server ?? value)
  if (servers.some((server) => typeof server !== "function"))
    throw new TypeError("Plugin export is not a function")
  return { servers }
}

function embeddedContext(location) {
  const domain = () => emptyDomain(location)
  return {
    options: {},
    agent: domain(),
    aisdk: {},
    catalog: domain(),
    command: domain(),
    integration: domain(),
    plugin: { add() {}, remove() {} },
    reference: domain(),
    skill: domain(),
  }
}
