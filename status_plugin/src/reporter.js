/**
 * One factory: its table, its way to the server, and its place among the other factories of the process. The
 * hosts feed it; it decides when a table is made, and what is left behind when the host disposes of it.
 *
 * Rule 1: a session is reported by one living factory, the first that heard of it.
 * Rule 2: where sessions do not outlive the factory, its last table says that it is gone.
 * Rule 3: where they do, it says nothing: its rows stay in the process for the generation that follows.
 */

import { Outbox } from "./outbox.js"
import { pollForWork } from "./poller.js"
import { dispatch, remember, sharedState } from "./shared.js"
import { Table } from "./table.js"
import { later, pause, quietly } from "./values.js"

/** Previews follow the text this far behind: a streamed message must not become a stream of tables. */
const PREVIEW_MS = 250
/** A row older than this is not taken over: too much may have happened unheard. */
const LEFT_ROW_LIFE_MS = 10_000
/** The host waits for a disposed factory. A table leaves within milliseconds; a stuck server gets no more. */
const GOODBYE_MS = 250

export class Reporter {
  #identity
  #major
  #sessionsOutliveDispose
  #shared = sharedState()
  #number
  #generation
  #outbox
  #flushing = false
  #previewTimer = null
  #closed = false
  #worker = null

  constructor(identity, { major, sessionsOutliveDispose }) {
    this.#identity = identity
    this.#major = major
    this.#sessionsOutliveDispose = sessionsOutliveDispose
    this.table = new Table(
      (id) => this.memory(id),
      (when) => this.#changed(when),
    )
    this.#outbox = new Outbox(identity, () => this.#introduceAll())
  }

  get closed() {
    return this.#closed
  }

  /** Before `open`: who does what the server asks for; `{takes, take(item)}`. */
  employ(worker) {
    this.#worker = worker
  }

  /** Takes its place in the process and what an earlier generation left there, and says that it is there. */
  open() {
    const shared = this.#shared
    this.#number = shared.born += 1
    if (shared.retired) shared.generation += 1
    shared.retired = false
    this.#generation = shared.generation
    const hands = this.#worker === null ? {} : { work: (item) => this.#worker.take(item) }
    shared.factories.set(this.#number, {
      repost: () => this.#changed("now"),
      poll: () => this.#poll(),
      ...hands,
    })
    for (const [id, { left }] of shared.sessions) {
      if (left !== null) this.claims(id)
    }
    if (shared.poller === null) this.#poll()
    this.#changed("now")
  }

  /** The version of the host, once it is known; null says nothing. */
  runsOn(version) {
    if (version !== null) this.#shared.hostVersion = version
  }

  /** Whether this factory reports the session. Nobody else then does, until it is disposed of. */
  claims(id) {
    if (this.#closed) return false
    const session = this.memory(id)
    if (session.owner === this.#number) return true
    if (this.#shared.factories.has(session.owner)) return false
    session.owner = this.#number
    const left = session.left
    session.left = null
    if (left !== null && Date.now() - left.at <= LEFT_ROW_LIFE_MS) this.table.takeOver(left.row)
    return true
  }

  /** The process's memory of a session. */
  memory(id) {
    return remember(this.#shared, id)
  }

  /** The host disposed of the factory. Settles soon, whatever the server does. */
  async close() {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#previewTimer)
    this.#shared.factories.delete(this.#number)
    this.#shared.retired = true
    this.#passPollOn()
    if (this.#sessionsOutliveDispose) this.#leaveRows()
    else await this.#sayGoodbye()
  }

  #leaveRows() {
    this.#outbox.stop()
    for (const row of this.table.toWire()) {
      Object.assign(this.memory(row.id), { owner: null, left: { at: Date.now(), row } })
    }
  }

  async #sayGoodbye() {
    const last = this.#outbox.send(this.#tableBody({ gone: true }), { urgent: true })
    for (const { memory } of this.table.rows()) {
      memory.owner = null
      memory.running = false // The host cancels the turns of a factory that it disposes of.
    }
    await Promise.race([last, pause(GOODBYE_MS)])
  }

  #poll() {
    const { stop } = pollForWork(this.#identity, this.#shared.process, {
      introduce: () => this.#introduceAll(),
      takes: this.#worker?.takes ?? "",
      work: (items) => dispatch(this.#shared, items),
    })
    this.#shared.poller = { owner: this.#number, stop }
  }

  #passPollOn() {
    if (this.#shared.poller?.owner !== this.#number) return
    this.#shared.poller.stop()
    this.#shared.poller = null
    const [heir] = this.#shared.factories.values()
    heir?.poll()
  }

  /** The server does not know this process: every factory tells it what it knows. */
  #introduceAll() {
    for (const factory of this.#shared.factories.values()) factory.repost()
  }

  #changed(when) {
    if (this.#closed || this.#number === undefined) return
    if (when === "soon") {
      this.#previewTimer ??= later(PREVIEW_MS, () => this.#flush())
    } else if (!this.#flushing) {
      this.#flushing = true
      // Not at once: what changes together is told together.
      queueMicrotask(() => quietly(() => this.#flush({ urgent: true })))
    }
  }

  #flush({ urgent = false } = {}) {
    this.#flushing = false
    clearTimeout(this.#previewTimer)
    this.#previewTimer = null
    if (!this.#closed) void this.#outbox.send(this.#tableBody({ gone: false }), { urgent })
  }

  #tableBody({ gone }) {
    return JSON.stringify({
      pane: this.#identity.pane,
      process: this.#shared.process,
      factory: this.#number,
      generation: this.#generation,
      host: { major: this.#major, version: this.#shared.hostVersion },
      seq: (this.#shared.seq += 1),
      outlives_dispose: this.#sessionsOutliveDispose,
      gone,
      sessions: this.table.toWire(),
    })
  }
}
