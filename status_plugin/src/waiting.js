/**
 * The asks that a screen lists, compared with those of the table. A screen lists what it knows, so an ask is
 * found there however late one comes, and is missed there as soon as it is settled.
 *
 * Rule 1: a permission counts when nobody has answered it for a while; a form counts at once.
 * Rule 2: what a session whose turn has ended still lists is stale.
 * Rule 3: a list that the screen has not fetched yet says nothing, neither of new asks nor of settled ones.
 */

import { formAsk, permissionAsk } from "./host2.js"
import { record, seconds, string } from "./values.js"

/** What a rule or a mode approves is answered right after the ask; a person takes longer. */
const UNANSWERED_MS = 500
/** Permissions that are waited for at once; beyond that the oldest is waited for anew. */
const WAITING_LIMIT = 256

export class Waiting {
  #table
  #since = new Map()

  constructor(table) {
    this.#table = table
  }

  /**
   * Brings the asks of a session that has a row in line with `permissions` and `forms`, which are lists or
   * undefined. Returns in how many ms there is more to do, or null.
   */
  compare(id, permissions, forms) {
    const isStale = !this.#table.row(id).busy
    const waits = [
      this.#compare(id, isStale ? [] : permissions, (request) => permissionAsk(request), UNANSWERED_MS),
      this.#compare(id, isStale ? [] : forms, (request) => formAsk(request), 0),
    ]
    const left = waits.filter((wait) => wait !== null)
    return left.length > 0 ? Math.min(...left) : null
  }

  #compare(id, listed, describe, settleMs) {
    if (!Array.isArray(listed)) return null
    let next = null
    const here = new Map(
      listed.map(record).flatMap((ask) => (string(ask.id) ? [[ask.id, describe(ask)]] : [])),
    )
    for (const [askId, ask] of here) {
      const left = settleMs === 0 ? 0 : this.#waited(`${id} ${askId}`) + settleMs - Date.now()
      if (left <= 0) this.#table.ask(id, { id: askId, ...ask, at: seconds(Date.now()) })
      else next = Math.min(next ?? left, left)
    }
    const isPermission = settleMs > 0
    for (const ask of [...this.#table.row(id).asks.values()]) {
      if ((ask.kind === "permission") === isPermission && !here.has(ask.id)) this.#table.resolve(id, ask.id)
    }
    return next
  }

  /** When a permission was first seen, in ms. */
  #waited(key) {
    if (!this.#since.has(key)) {
      this.#since.set(key, Date.now())
      if (this.#since.size > WAITING_LIMIT) this.#since.delete(this.#since.keys().next().value)
    }
    return this.#since.get(key)
  }
}
