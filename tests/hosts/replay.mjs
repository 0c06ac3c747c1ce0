#!/usr/bin/env node
/**
 * Replays one recording of a real OpenCode into the status plugin and prints every table that it posts.
 *
 *   node tests/hosts/replay.mjs --plugin FILE [--argv "opencode serve --service"] RECORDING.jsonl
 *   python -m status_plugin.generate FILE     writes the plugin to FILE; named .mjs, Node does not warn
 *
 * stdout: one JSON line per posted table, {"at": ms since the recording began, "table": {...}} in the order
 * of the posts. The same recording and plugin give the same bytes: time is virtual and follows the
 * recording's `at`, the process is always {pid: 4242, started: 1767225599.5}, the pane is "p1", and every
 * table is accepted at once. After the last line, time runs on for one second, so that trailing previews are
 * seen.
 *
 * `--argv` is the command line of the replayed process (default "opencode"): the plugin is silent in OpenCode
 * 2's shared service.
 *
 * A recording has one JSON object per line (tests/captured/opencode): `server`, `setup`, `event`, `hook`,
 * `dispose`, `eventsend` are what the host did to the plugin, instance `inst` of module evaluation `module`;
 * `mark` and `process` are what was done to the host, and are skipped. Session records that the plugin asks
 * the host for are answered from the recording's own `session.created` events; a session without one is a
 * root.
 */
import fs from "node:fs"
import http from "node:http"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { installVirtualTime } from "./virtual_time.mjs"

/** The recordings' own timestamps count from here, in ms. */
const EPOCH_MS = 1767225600000
const PROCESS = { pid: 4242, started: 1767225599.5 }
const TRAILING_MS = 1000

const { values, positionals } = parseArgs({
  options: { plugin: { type: "string" }, argv: { type: "string", default: "opencode" } },
  allowPositionals: true,
})
if (values.plugin === undefined || positionals.length !== 1) {
  console.error("usage: node replay.mjs --plugin FILE RECORDING.jsonl")
  process.exit(2)
}

const lines = fs.readFileSync(positionals[0], "utf8").trim().split("\n").map(JSON.parse)
const time = installVirtualTime(EPOCH_MS)
Object.assign(process.env, {
  ORCA_TUI_PANE: "p1",
  ORCA_TUI_TOKEN: "token",
  ORCA_TUI_INTAKE: "/replay/intake",
})
process.argv = values.argv.split(" ")
globalThis[Symbol.for("orca-tui.status")] = { process: PROCESS }
http.request = acceptingIntake
const plugins = await loadPlugins(values.plugin, lines)
const sessions = recordedSessions(lines)
const instances = new Map()

for (const line of lines) {
  await time.advanceTo(line.at)
  await play(line)
  await time.settle()
}
await time.advanceTo(lines.at(-1).at + TRAILING_MS)
process.exit(0)

async function play(line) {
  const key = `${line.module}/${line.inst}`
  switch (line.kind) {
    case "server":
      return void instances.set(key, await openHost1(line))
    case "setup":
      return void instances.set(key, await openHost2(line))
    case "event":
      return instances.get(key).event(line.event)
    case "hook":
      return instances.get(key).hook(line.hook, line.input)
    case "dispose":
      return instances.get(key).dispose()
    case "eventsend":
      return instances.get(key)?.end()
    case "mark":
    case "process":
      return undefined
    default:
      throw new Error(`${positionals[0]}: unknown kind ${line.kind}`)
  }
}

/** OpenCode 1: hooks are called without being awaited; `dispose` is awaited. */
async function openHost1({ module, directory }) {
  const client = { session: { get: async ({ path: { id } }) => ({ data: sessions(id) }) } }
  const hooks = await plugins.get(module).server({ client, directory, worktree: directory })
  return {
    event: (event) => void hooks.event?.({ event }),
    hook: (name, input) => void hooks[name]?.(input, {}),
    dispose: () => hooks.dispose?.(),
    end() {},
  }
}

/** OpenCode 2, or the second core that OpenCode 1 embeds: that one's context has no events. */
async function openHost2({ module, ctx }) {
  const stream = eventStream()
  const context = Object.fromEntries(Object.keys(ctx).map((domain) => [domain, {}]))
  if (ctx.event !== undefined) {
    context.event = { subscribe: () => stream }
    context.session = { get: async ({ sessionID }) => sessions(sessionID) }
  }
  const cleanUp = await plugins.get(module).setup(context)
  return { event: stream.push, hook() {}, dispose: cleanUp, end: stream.end }
}

/** Live only, as the hosts' streams are: what is pushed before anybody asks for it is queued. */
function eventStream() {
  const queue = []
  let ended = false
  let wake = () => {}
  return {
    push(event) {
      queue.push(event)
      wake()
    },
    end() {
      ended = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      while (!ended) {
        while (queue.length > 0) yield queue.shift()
        if (!ended) await new Promise((resolve) => (wake = resolve))
      }
    },
  }
}

/** Each module evaluation of the recording is one here; all share one globalThis, as in the host. */
async function loadPlugins(file, recording) {
  const url = pathToFileURL(path.resolve(file)).href
  const modules = [...new Set(recording.map((line) => line.module).filter(Boolean))]
  const loaded = await Promise.all(modules.map((module) => import(`${url}?module=${module}`)))
  return new Map(modules.map((module, index) => [module, loaded[index].default]))
}

function recordedSessions(recording) {
  const known = new Map()
  for (const { event } of recording) {
    if (event?.type !== "session.created") continue
    const data = event.properties ?? event.data
    known.set(data.sessionID, { ...data, ...data.info, id: data.sessionID })
  }
  return (id) => known.get(id) ?? { id }
}

/** In place of `http.request`: prints and accepts tables, has no notices; long-polls are held for ever. */
function acceptingIntake({ method, path: where }) {
  const handlers = new Map()
  const answer = new Map()
  return {
    on: (name, handler) => handlers.set(name, handler),
    destroy() {},
    end(body) {
      if (method !== "POST") return
      const isTable = where.endsWith("/opencode")
      if (isTable) process.stdout.write(`${JSON.stringify({ at: time.elapsed(), table: JSON.parse(body) })}\n`)
      handlers.get("response")({
        statusCode: 204,
        setEncoding() {},
        on: (name, handler) => answer.set(name, handler),
      })
      queueMicrotask(() => answer.get("end")())
    },
  }
}
