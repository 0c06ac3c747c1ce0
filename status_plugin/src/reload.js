/**
 * What happened while no generation was listening: sessions that were running when the last one was disposed
 * of may have ended before this one subscribed, and others may have started. Only OpenCode 2 reloads under
 * running sessions.
 */

import { isFunction, pause, record } from "./values.js"

/** An end of which the event is still on its way arrives within this, and tells how the turn ended. */
const SETTLE_MS = 100

/**
 * Asks the host which sessions run: `active()` where it has it (a snapshot, so an answer counts only for
 * sessions of which nothing was heard since the question), else `wait()` for each session that is believed to
 * run.
 */
export async function checkRunning(session, reporter) {
  const believed = new Map(reporter.table.rows().map((row) => [row.id, row.verdicts]))
  const running = await snapshot(session)
  if (running === null) return waitForEnds(session, reporter, believed)
  await pause(SETTLE_MS)
  for (const [id, verdicts] of believed) {
    if (!running.has(id)) endUnheard(reporter, id, verdicts)
  }
  for (const id of running) {
    const heardOf = reporter.table.has(id) ? reporter.table.row(id).verdicts : 0
    if (heardOf === (believed.get(id) ?? 0) && reporter.claims(id)) reporter.table.busy(id)
  }
}

async function snapshot(session) {
  if (!isFunction(session.active)) return null
  try {
    const answer = await session.active()
    return new Set(Object.keys(record(record(answer).data ?? answer)))
  } catch {
    return null
  }
}

function waitForEnds(session, reporter, believed) {
  if (!isFunction(session.wait)) return
  for (const row of reporter.table.rows().filter((row) => row.busy)) {
    void waitForEnd(session, reporter, row.id, believed.get(row.id))
  }
}

async function waitForEnd(session, reporter, id, verdicts) {
  try {
    await session.wait({ sessionID: id })
  } catch {
    return // The host does not know; the session's next event will.
  }
  await pause(SETTLE_MS)
  endUnheard(reporter, id, verdicts)
}

function endUnheard(reporter, id, verdicts) {
  const { table } = reporter
  if (reporter.closed || !table.has(id) || table.row(id).verdicts !== verdicts) return
  table.end(id, "ok", { guessed: true })
}
