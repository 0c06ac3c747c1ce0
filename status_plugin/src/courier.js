/**
 * Talks to the server about notices: what became of them, and which may come in now. A server that is away or
 * stuck never keeps the agent waiting for long, and what became of a notice is told until it is heard.
 */

import { exchange, parsed, retryDelay } from "./transport.js"
import { list, pause } from "./values.js"

const OUTCOME_PATH = "/v1/intake/work"
const COLLECT_PATH = "/v1/intake/work/collect"
const OUTCOME_DEADLINE_MS = 2000
/** Outcomes are told for about a minute; by then the server has drawn its own conclusion. */
const OUTCOME_TRIES = 8
/** An agent's hook waits for this answer, which takes a few milliseconds. */
const COLLECT_DEADLINE_MS = 500
/** After a server was too slow once, the agent does not wait for it again for so long. */
const STUCK_MS = 30_000

export class Courier {
  #identity
  #stuckUntil = 0

  constructor(identity) {
    this.#identity = identity
  }

  /** Tells what became of an item of work, or of a notice: `{item | notice, outcome, ...}`. */
  async tell(facts) {
    const body = JSON.stringify({ pane: this.#identity.pane, ...facts })
    for (let tries = 1; tries <= OUTCOME_TRIES; tries += 1) {
      try {
        const { status } = await this.#post(OUTCOME_PATH, body, OUTCOME_DEADLINE_MS)
        if (status < 500) return
      } catch {
        // Told again.
      }
      await pause(retryDelay(tries))
    }
  }

  /** The notices that may come in now, `[{notice, text}]`; `moment` is "prompt" or "tool". Never rejects. */
  async collect(session, moment) {
    if (Date.now() < this.#stuckUntil) return []
    const begun = Date.now()
    try {
      const body = JSON.stringify({ pane: this.#identity.pane, session, moment })
      return list(parsed(await this.#post(COLLECT_PATH, body, COLLECT_DEADLINE_MS)).items)
    } catch {
      if (Date.now() - begun >= COLLECT_DEADLINE_MS) this.#stuckUntil = Date.now() + STUCK_MS
      return []
    }
  }

  #post(path, body, deadlineMs) {
    return exchange(this.#identity, { method: "POST", path, body, deadlineMs })
  }
}
