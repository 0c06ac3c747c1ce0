/**
 * Delivers one factory's tables, one at a time. A table says everything its factory knows, so only the newest
 * is kept: a newer one replaces a waiting one, and nothing older is ever sent after it.
 */

import { exchange, parsed, retryDelay } from "./transport.js"
import { later } from "./values.js"

const TABLE_PATH = "/v1/intake/opencode"
/** A server that takes longer than this is stuck; the table is offered again later. */
const POST_DEADLINE_MS = 2000
/** How long an unsent table may keep a process that is otherwise finished. */
const POST_HOLD_MS = 200

export class Outbox {
  #identity
  #unknownHere
  #next = null
  #failures = 0
  #introduced = false
  #retryTimer = null
  #sending = null
  #stopped = false

  /** `unknownHere` is called when the server says that it does not know this process. */
  constructor(identity, unknownHere) {
    this.#identity = identity
    this.#unknownHere = unknownHere
  }

  /**
   * Sends `body` in place of whatever still waits. With `urgent`, a back-off is cut short.
   * The promise settles when the attempt does, whether or not it succeeded.
   */
  send(body, { urgent }) {
    this.#next = body
    if (urgent) this.#endBackOff()
    return this.#drain()
  }

  /** Forgets what is not sent yet; nothing is sent or retried from here on. */
  stop() {
    this.#stopped = true
    this.#next = null
    this.#endBackOff()
  }

  #drain() {
    if (this.#sending === null) {
      this.#sending = this.#sendAll()
        .catch(() => {})
        .finally(() => {
          this.#sending = null
        })
    }
    return this.#sending
  }

  async #sendAll() {
    while (this.#next !== null && this.#retryTimer === null && !this.#stopped) {
      const body = this.#next
      this.#next = null
      const outcome = await this.#post(body)
      if (outcome === "taken") this.#taken()
      else if (outcome === "unknown" && !this.#introduced) this.#introduce()
      else this.#keep(body)
    }
  }

  /** "taken" (or refused for good), "unknown" (the server does not know this process), or "failed". */
  async #post(body) {
    try {
      const answer = await exchange(this.#identity, {
        method: "POST",
        path: TABLE_PATH,
        body,
        deadlineMs: POST_DEADLINE_MS,
        holdMs: POST_HOLD_MS,
      })
      if (answer.status >= 500) return "failed"
      if (answer.status === 200 && parsed(answer).resend === true) return "unknown"
      return "taken" // Also when refused: the same bytes would be refused again.
    } catch {
      return "failed"
    }
  }

  #taken() {
    this.#failures = 0
    this.#introduced = false
  }

  /** Once per table taken. A server that keeps asking is treated as one that fails, or the two would spin. */
  #introduce() {
    this.#introduced = true
    this.#unknownHere()
  }

  #keep(body) {
    if (this.#stopped) return
    this.#next ??= body
    this.#failures += 1
    this.#retryTimer = later(retryDelay(this.#failures), () => {
      this.#retryTimer = null
      this.#drain()
    })
  }

  #endBackOff() {
    clearTimeout(this.#retryTimer)
    this.#retryTimer = null
  }
}
