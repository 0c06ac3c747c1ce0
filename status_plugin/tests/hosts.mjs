/** For the tests: the two hosts, as far as an entry of the plugin sees them. */

import plugin from "../src/entry.js"
import { openIntake, rowOf } from "./intake.mjs"

/** OpenCode 1: {emit, dispose, hooks}. `sessions` are the records that its client knows. */
export async function openHost1({ sessions = {}, directory = "/proj", ...input } = {}) {
  const client = { session: { get: async ({ path }) => ({ data: sessions[path.id] }) } }
  const hooks = await plugin.server({ client, directory, ...input })
  return {
    hooks,
    emit: (type, properties) => void hooks.event({ event: { id: "evt", type, properties } }),
    dispose: () => hooks.dispose(),
  }
}

/** OpenCode 2: {emit, dispose, context}. `session` is added to its session domain. */
export async function openHost2({ sessions = {}, session = {}, ...context } = {}) {
  const stream = eventStream()
  const full = {
    app: { version: "2.0.18" },
    event: { subscribe: () => stream },
    session: { get: async ({ sessionID }) => sessions[sessionID], ...session },
    ...context,
  }
  const dispose = await plugin.setup(full)
  let seq = 0
  return {
    context: full,
    dispose,
    emit(type, data, more = {}) {
      const durable = { aggregateID: data.sessionID, seq: (seq += 1), version: 1 }
      stream.push({ id: `evt_${seq}`, created: 1700000000000 + seq, type, data, durable, ...more })
    },
    push: stream.push,
    endStream: stream.end,
  }
}

function eventStream() {
  const queue = []
  let ended = false
  let wake = () => {}
  return {
    push: (event) => void (queue.push(event), wake()),
    end: () => void ((ended = true), wake()),
    async *[Symbol.asyncIterator]() {
      while (!ended) {
        while (queue.length > 0) yield queue.shift()
        if (!ended) await new Promise((resolve) => (wake = resolve))
      }
    },
  }
}

/** An OpenCode 2 that was just set up; `until` gives a session's row as soon as `accepts` holds. */
export async function freshHost2(t, options) {
  const intake = await openIntake(t)
  const host = await openHost2({ sessions: { s: { id: "s" } }, ...options })
  const until = async (accepts, id = "s") =>
    rowOf(await intake.untilTable((table) => accepts(rowOf(table, id))), id)
  return { intake, host, until }
}

/** The next generation in the same process, and the row that it reports. */
export async function nextGeneration2(intake, options) {
  const host = await openHost2({ sessions: { s: { id: "s" } }, ...options })
  const generation = globalThis[Symbol.for("orca-tui.status")].generation
  const until = async (accepts, id = "s") => {
    const isOurs = (table) => table.generation === generation
    return rowOf(await intake.untilTable((table) => isOurs(table) && accepts(rowOf(table, id))), id)
  }
  return { host, until }
}
