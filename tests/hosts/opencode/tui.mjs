/**
 * A screen of OpenCode 2: it loads the `tui` part of each plugin folder, hands it a context, and sets it up
 * again when its file changes. Its server, which runs on while the screen is away, is part of the double.
 *
 * A plugin's listeners hear of an event before the screen itself has learned from it.
 */

import fs from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { ScreenStore } from "./screen_store.mjs"

const PLUGIN_FOLDER = "plugins"
const ENTRIES = ["tui.ts", "tui.js"]

export class Tui {
  #host
  #record
  #store
  #listeners = new Set()
  #route = { type: "home" }
  #loaded = new Map()
  #memory = new Map()
  #isConnected = true

  /** `host`: {record, sessions, configs, location, app}. */
  constructor(host) {
    this.#host = host
    this.#record = host.record
    this.#store = new ScreenStore(host.sessions)
    this.#store.hydrate()
  }

  /** One event of the server; nothing of it is heard while the screen is not connected. */
  hear(event) {
    if (!this.#isConnected) return
    for (const listener of this.#listeners) {
      try {
        listener({ details: structuredClone(event) })
      } catch (error) {
        this.#record({ rec: "unhandled", error: String(error) })
      }
    }
    this.#store.learn(event)
  }

  show(route) {
    this.#route = route
    this.#record({ rec: "route", route })
  }

  disconnect() {
    this.#isConnected = false
  }

  connect() {
    this.#isConnected = true
    this.#store.hydrate()
  }

  holdOnServer(kind, sessionID, requests) {
    this.#store.holdOnServer(kind, sessionID, requests)
  }

  list(kind, sessionID, requests) {
    this.#store.list(kind, sessionID, requests)
  }

  /** Loads what is new or changed, and lets go of what is not there any more. */
  async activate() {
    const found = new Map(this.#discover().map((file) => [file, Math.trunc(fs.statSync(file).mtimeMs)]))
    for (const [file, loaded] of [...this.#loaded]) {
      if (found.get(file) !== loaded.mtime) await this.#unload(file)
    }
    for (const [file, mtime] of found) {
      if (!this.#loaded.has(file)) await this.#load(file, mtime)
    }
  }

  async unloadAll() {
    for (const file of [...this.#loaded.keys()]) await this.#unload(file)
  }

  #discover() {
    return this.#host.configs.flatMap((config) => {
      const folder = path.join(config, PLUGIN_FOLDER)
      const names = fs.existsSync(folder) ? fs.readdirSync(folder).sort() : []
      return names.flatMap((name) => {
        const entry = ENTRIES.map((part) => path.join(folder, name, part)).find((file) => fs.existsSync(file))
        return entry === undefined ? [] : [entry]
      })
    })
  }

  async #load(file, mtime) {
    try {
      const { default: plugin } = await import(`${pathToFileURL(file).href}?mtime=${mtime}`)
      if (typeof plugin?.id !== "string" || typeof plugin.setup !== "function") {
        throw new Error("Plugin must export a default definition with an id and a setup function.")
      }
      const cleanUp = await plugin.setup(this.#context(plugin.id))
      this.#loaded.set(file, { id: plugin.id, mtime, cleanUp })
      this.#record({ rec: "setup", id: plugin.id, listeners: this.#listeners.size })
    } catch (error) {
      this.#record({ rec: "failed", stage: "setup", target: file, error: String(error) })
    }
  }

  async #unload(file) {
    const { id, cleanUp } = this.#loaded.get(file)
    this.#loaded.delete(file)
    try {
      await cleanUp?.()
    } catch (error) {
      this.#record({ rec: "failed", stage: "dispose", id, error: String(error) })
    }
    this.#record({ rec: "dispose", id, listeners: this.#listeners.size })
  }

  #context(id) {
    const { app, location } = this.#host
    const heardFrom = (listener) => {
      this.#listeners.add(listener)
      return () => this.#listeners.delete(listener)
    }
    return {
      app,
      options: {},
      location: { directory: location },
      client: {},
      data: {
        listen: heardFrom,
        on: (type, handler) => heardFrom(({ details }) => details.type === type && handler(details)),
        session: this.#store.domain(),
        location: { default: () => ({ directory: location }) },
      },
      ui: {
        router: {
          current: () => ({ ...this.#route }),
          navigate: (route) => this.show(route),
          register: () => () => {},
        },
        toast: { show: (options) => this.#record({ rec: "toast", id, options }) },
      },
      storage: { memory: (key, { initial }) => this.#memoryOf(`${id}/${key}`, initial) },
    }
  }

  /** It outlives reloads of the plugin, and ends with the screen. */
  #memoryOf(key, initial) {
    if (!this.#memory.has(key)) this.#memory.set(key, structuredClone(initial))
    const value = this.#memory.get(key)
    return [value, (mutate) => mutate(value)]
  }
}
