/**
 * The long-poll for work, one per process. That it is open is also the process's sign of life, and that it
 * breaks is how a restart of the server is noticed.
 */

import { exchange, parsed, retryDelay } from "./transport.js"
import { later, list } from "./values.js"

const WORK_PATH = "/v1/intake/work"
/** The server answers within 25 s. */
const POLL_DEADLINE_MS = 35_000
/** Answers that come faster than this are not allowed to become a busy loop. */
const SHORTEST_ROUND_MS = 1000

/**
 * Polls until stopped; returns {stop}. `introduce` is called when the server may have forgotten this process:
 * it said so, or it was away. `takes` names the kinds of work that `work(items)` knows.
 */
export function pollForWork(identity, process, { introduce, takes, work }) {
  const path = `${WORK_PATH}?process=${process.pid}-${process.started}&takes=${takes}`
  const stopping = new AbortController()
  let wake = () => {}
  poll().catch(() => {})
  return {
    stop() {
      stopping.abort()
      wake()
    },
  }

  async function poll() {
    let failures = 0
    while (!stopping.signal.aborted) {
      const begun = Date.now()
      const outcome = await ask()
      if (stopping.signal.aborted) return
      if (outcome === "work") continue // Somebody waits for the next item.
      failures = outcome === "answered" ? 0 : failures + 1
      await rest(failures > 0 ? retryDelay(failures) : SHORTEST_ROUND_MS - (Date.now() - begun))
      if (outcome === "away" && !stopping.signal.aborted) introduce()
    }
  }

  /** "work", "answered", "refused" (retried slowly: a token does not come back), or "away". */
  async function ask() {
    try {
      const answer = await exchange(identity, {
        method: "GET",
        path,
        deadlineMs: POLL_DEADLINE_MS,
        signal: stopping.signal,
      })
      if (answer.status >= 500) return "away"
      if (answer.status !== 200 && answer.status !== 204) return "refused"
      const { resend, items } = parsed(answer)
      if (resend === true) introduce()
      return list(items).length > 0 && work(items) ? "work" : "answered"
    } catch {
      return "away"
    }
  }

  function rest(milliseconds) {
    return new Promise((resolve) => {
      const timer = later(Math.max(0, milliseconds), resolve)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
