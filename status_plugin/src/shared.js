/**
 * What exists once in a process, whatever number of factories and module revisions live in it. It hangs on
 * globalThis and is plain data with two small functions per factory, so that any revision can use what
 * another one left there.
 *
 *   process     {pid, started}: started in Unix seconds
 *   hostVersion of the host; "" until it is known
 *   seq         the number of the last table made in this process
 *   factories   number of a living factory -> {repost(), poll(), work(item) where it takes work}
 *   born        how many factories this process has had
 *   generation  how many times the plugin has been set up anew
 *   retired     whether a factory was disposed of since the last one was made
 *   poller      null, or {owner: number of a factory, stop()}: the one long-poll
 *   done        items of work that were begun: the server offers them until it has heard what became of them
 *   receipts    id of a session -> its messages and the notices in them, see receipts.js
 *   sessions    id -> what outlives factories and rows, see `remember`
 */

import fs from "node:fs"
import { number, quietly, seconds } from "./values.js"

const SHARED = Symbol.for("orca-tui.status")

/** Sessions remembered per process; beyond that the oldest one that is not running and has no owner goes. */
const SESSION_LIMIT = 512

/** Items of work that are remembered as begun. */
const DONE_LIMIT = 1024

export function sharedState() {
  const shared = (globalThis[SHARED] ??= {})
  shared.process ??= { pid: process.pid, started: startedAt() }
  shared.hostVersion ??= ""
  shared.seq ??= 0
  shared.factories ??= new Map()
  shared.born ??= 0
  shared.generation ??= 0
  shared.retired ??= true
  shared.poller ??= null
  shared.done ??= new Set()
  shared.receipts ??= new Map()
  shared.sessions ??= new Map()
  return shared
}

/**
 * Gives items of work that were not begun yet to the factory that reports their session, else to the youngest
 * that takes work. Whether there was any such item.
 */
export function dispatch(shared, items) {
  const fresh = items.filter(({ item }) => typeof item === "string" && !shared.done.has(item))
  for (const work of fresh) {
    shared.done.add(work.item)
    if (shared.done.size > DONE_LIMIT) shared.done.delete(shared.done.values().next().value)
    const owner = shared.factories.get(shared.sessions.get(work.session)?.owner)
    const workers = [...shared.factories.values()].filter((factory) => factory.work !== undefined)
    const factory = owner?.work === undefined ? workers.at(-1) : owner
    quietly(() => factory?.work(work))
  }
  return fresh.length > 0
}

/** When the process started, in Unix seconds: with its id, the one name that no other process ever had. */
function startedAt() {
  // OpenCode 1 runs plugins in a worker thread, whose own uptime begins later than the process.
  return quietly(startedByProc) ?? seconds(Date.now() - process.uptime() * 1000)
}

/** Linux: field 22 of proc(5) stat, in hundredths of a second since boot, as USER_HZ is 100 everywhere. */
function startedByProc() {
  const stat = fs.readFileSync("/proc/self/stat", "utf8")
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  const [, bootedAt] = /^btime (\d+)$/m.exec(fs.readFileSync("/proc/stat", "utf8"))
  return number(Number(bootedAt) + Number(ticks) / 100)
}

/**
 * The memory of one session:
 *   turn     turns started so far, as seen by this process
 *   running  whether the last of them has not been seen to end
 *   owner    the factory that reports it, or null: several locations hear of every session, one may speak
 *   ended    {seq, created}: the host event that ended the last turn, or null
 *   left     {at, row}: its row as a disposed factory left it (`at` in ms), or null
 */
export function remember(shared, id) {
  let session = shared.sessions.get(id)
  if (session === undefined) {
    session = { turn: 0, running: false, owner: null, ended: null, left: null }
    shared.sessions.set(id, session)
    forgetOne(shared)
  }
  return session
}

function forgetOne(shared) {
  if (shared.sessions.size <= SESSION_LIMIT) return
  for (const [id, session] of shared.sessions) {
    if (session.running || shared.factories.has(session.owner)) continue
    shared.sessions.delete(id)
    return
  }
}
