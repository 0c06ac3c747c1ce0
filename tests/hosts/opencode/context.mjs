/**
 * The `ctx` that OpenCode 2 hands to a plugin's `setup`. Domains that no test needs answer with empty lists.
 */

import { makeId } from "./ids.mjs"

const OTHER_DOMAINS = [
  "agent",
  "aisdk",
  "catalog",
  "command",
  "integration",
  "mcp",
  "permission",
  "reference",
  "skill",
  "tool",
  "vcs",
  "websearch",
]

/** `scope` collects what ends with the plugin; `slots` are the loaded plugins by id. */
export function contextFor(pluginId, host, slots, scope) {
  const { record, bus, sessions, known, location, app, future, before } = host
  const domains = Object.fromEntries(OTHER_DOMAINS.map((name) => [name, emptyDomain(location)]))
  return {
    app,
    location: { directory: location },
    options: {},
    ...domains,
    plugin: { list: async () => [...slots.keys()].map((id) => ({ id })) },
    event: { subscribe: (options) => bus.subscribe(scope, options?.signal) },
    session: sessionDomain(recordedCalls(pluginId, record, before), { sessions, known, location, future }),
  }
}

export function emptyDomain(location) {
  const registration = async () => ({ dispose: async () => {} })
  return {
    list: async () => ({ location: { directory: location }, data: [] }),
    transform: registration,
    reload: async () => {},
    hook: registration,
  }
}

function sessionDomain(call, { sessions, known, location, future }) {
  const record = (id) => {
    const emitted = known.get(id)
    if (emitted === undefined) return sessions.get(id)
    return { projectID: "proj", agent: "build", location: { directory: location }, ...emitted }
  }
  return {
    hook: async (name, run) => sessions.hook(name, run),
    create: call("session.create", ({ id }) => sessions.get(id ?? makeId("ses"))),
    get: call("session.get", ({ sessionID }) => record(sessionID)),
    prompt: call("session.prompt", (input) => sessions.prompt(input.sessionID, input)),
    synthetic: call("session.synthetic", (input) => sessions.admit(input.sessionID, "synthetic", input)),
    interrupt: call("session.interrupt", ({ sessionID }) => ({ interrupted: sessions.interrupt(sessionID) })),
    wait: call("session.wait", ({ sessionID }) => sessions.wait(sessionID)),
    ...(future ? futureSessionDomain(call, sessions) : {}),
  }
}

function futureSessionDomain(call, sessions) {
  return {
    active: call("session.active", () =>
      Object.fromEntries(sessions.running().map((id) => [id, { type: "running" }])),
    ),
    inbox: {
      cancel: call("session.inbox.cancel", ({ sessionID, inboxID }) => sessions.cancel(sessionID, inboxID)),
    },
  }
}

/** Every call of a plugin is a record of the host, with what it was answered; `before` may come in between. */
function recordedCalls(pluginId, record, before) {
  return (name, perform) =>
    async (input = {}) => {
      await before(name)
      try {
        const result = await perform(input)
        record({ rec: "call", id: pluginId, name, input, result })
        return structuredClone(result)
      } catch (error) {
        record({ rec: "call", id: pluginId, name, input, error: error._tag ?? String(error) })
        throw error
      }
    }
}
