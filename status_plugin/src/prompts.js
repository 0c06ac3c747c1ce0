/**
 * Prompts that the user has submitted and whose turn the host has not told of yet. They go before every wake: the
 * hooks hear of them sooner than anybody else.
 */

import { remembered } from "./values.js"

/** It may take its time on a busy machine; and a prompt that wants no answer starts no turn at all. */
const TURN_STARTS_WITHIN_MS = 10_000
/** Sessions that were prompted and not heard of since. */
const PROMPTED_SESSION_LIMIT = 64

export class Prompts {
  #submitted = new Map()

  submitted(session) {
    remembered(this.#submitted, session, Date.now(), PROMPTED_SESSION_LIMIT)
  }

  /** The host tells of a turn of the session, or of its end. */
  settled(session) {
    this.#submitted.delete(session)
  }

  areAhead(session) {
    return Date.now() - (this.#submitted.get(session) ?? -Infinity) < TURN_STARTS_WITHIN_MS
  }
}
