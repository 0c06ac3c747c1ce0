/** OpenCode 2's events: live only, and every plugin instance hears of every session of every location. */

import { makeId } from "./ids.mjs"

/** The events that are kept, and so numbered per session. */
const DURABLE = new RegExp(
  "^session\\.(created|deleted|renamed|forked|moved|agent|model|inbox|execution|instructions|synthetic|" +
    "skill|shell|step|retry|revert|compaction\\.(admitted|started|ended|failed)|text\\.(started|ended)|" +
    "reasoning\\.(started|ended)|tool\\.(input\\.(started|ended)|called|success|failed))",
)

export class Bus {
  #record
  #location
  #subscribers = new Set()
  #listeners = new Set()
  #numbers = new Map()

  constructor({ record, location }) {
    this.#record = record
    this.#location = location
  }

  publish(given) {
    const event = this.#complete(given)
    this.#record({ rec: "event", event })
    for (const subscriber of this.#subscribers) {
      subscriber.queue.push(structuredClone(event))
      subscriber.wake?.()
    }
    for (const listener of this.#listeners) listener(event)
    return event
  }

  /** Calls `listener` with each event as it is published. */
  listen(listener) {
    this.#listeners.add(listener)
  }

  /**
   * An async iterable without replay. Closing it, as the owner's `scope` does, drops what is still queued.
   */
  subscribe(scope, signal) {
    return {
      [Symbol.asyncIterator]: () => {
        const subscriber = { queue: [], done: false, wake: undefined }
        this.#subscribers.add(subscriber)
        const close = async () => {
          subscriber.done = true
          this.#subscribers.delete(subscriber)
          subscriber.wake?.()
          return { done: true, value: undefined }
        }
        scope.push(close)
        signal?.addEventListener("abort", close, { once: true })
        if (signal?.aborted) void close()
        return { return: close, next: () => nextOf(subscriber) }
      },
    }
  }

  #complete({ id, created, type, location, data, properties }) {
    const facts = data ?? properties ?? {}
    const isPlaceless = location === null || type.startsWith("session.execution.")
    return {
      id: id ?? makeId("evt"),
      created: created ?? Date.now(),
      type,
      ...(isPlaceless ? {} : { location: location ?? { directory: this.#location } }),
      data: facts,
      ...(DURABLE.test(type) ? { durable: this.#number(facts.sessionID ?? "?") } : {}),
    }
  }

  #number(aggregateID) {
    const seq = (this.#numbers.get(aggregateID) ?? -1) + 1
    this.#numbers.set(aggregateID, seq)
    return { aggregateID, seq, version: 1 }
  }
}

async function nextOf(subscriber) {
  while (subscriber.queue.length === 0 && !subscriber.done) {
    await new Promise((resolve) => (subscriber.wake = resolve))
  }
  return subscriber.done ? { done: true, value: undefined } : { done: false, value: subscriber.queue.shift() }
}
