/**
 * OpenCode 2: a stream of every session's events, of all locations, live only.
 *
 * A turn is an execution: one `started` and one `succeeded`, `failed` or `interrupted`. A plugin that is set
 * up by the very prompt it should hear of, or reloaded in between, misses the start; what only happens inside
 * an execution is then evidence of it, unless it is older than the end that was last heard.
 */

import { permissionText, questionText } from "./asks.js"
import { faultOfHost2 } from "./faults.js"
import { describedBy, Lineage } from "./lineage.js"
import { checkRunning } from "./reload.js"
import { isFunction, number, quietly, record, remembered, seconds, string } from "./values.js"

/** Names of the previews before 2.0, in today's words. */
const EARLIER_NAMES = new Map([
  ["session.input.admitted", "session.inbox.enqueued"],
  ["session.input.promoted", "session.inbox.delivered"],
  ["permission.v2.asked", "permission.asked"],
  ["permission.v2.replied", "permission.replied"],
])
/** Forms that belong to no session carry this in place of one; no end ever comes for them. */
const NO_SESSION = "global"
/** Prompts that wait to be delivered. */
const WAITING_PROMPT_LIMIT = 32
const TOOL_NAME_LIMIT = 128

export class Host2 {
  #reporter
  #table
  #lineage
  #session
  #events
  #stopping = new AbortController()
  #stream = null
  #heard
  #prompts = new Map()
  #toolNames = new Map()

  /** `heard(type, sessionID, data)` is told of every event of a session that is reported here. */
  constructor(reporter, { event, session }, heard = () => {}) {
    this.#heard = heard
    this.#reporter = reporter
    this.#table = reporter.table
    this.#events = event
    this.#session = record(session)
    this.#lineage = new Lineage(this.#table, (id, signal) => session.get({ sessionID: id }, { signal }))
  }

  /** Listens until `stop`, or until the host ends the stream, which then has nobody left to report to. */
  async listen() {
    try {
      let stream = this.#events.subscribe({ signal: this.#stopping.signal })
      if (isFunction(stream?.then)) stream = await stream
      this.#stream = stream[Symbol.asyncIterator]()
      this.#traceLineages()
      quietly(() => void checkRunning(this.#session, this.#reporter).catch(() => {}))
      for await (const event of { [Symbol.asyncIterator]: () => this.#stream }) {
        quietly(() => this.take(event))
      }
    } catch {
      // A stream that breaks has ended: that the polls stop tells the server that nobody listens here.
    }
    await this.#reporter.close()
  }

  stop() {
    this.#stopping.abort()
    quietly(() => this.#stream?.return?.()?.catch?.(() => {}))
  }

  take(event) {
    const { type, data: facts, location } = record(event)
    const data = record(facts)
    const form = record(data.form)
    const id = sessionOf(event)
    if (id === null || !this.#reporter.claims(id)) return
    const name = EARLIER_NAMES.get(type) ?? type
    this.#lifecycle(name, id, data, event)
    this.#request(name, id, data, form, event)
    this.#preview(name, id, data)
    if (this.#table.has(id)) this.#locate(id, record(location))
    this.#heard(type, id, data)
  }

  #lifecycle(name, id, data, event) {
    switch (name) {
      case "session.created":
        return this.#table.describe(id, describedBy({ ...data, ...record(data.info) }))
      case "session.execution.started":
        this.#table.busy(id, { anew: true })
        return this.#trace(id)
      case "session.inbox.delivered":
      case "session.step.started":
      case "session.tool.called":
        return this.#worked(id, event, () => this.#table.busy(id))
      case "session.retry.scheduled":
        return this.#worked(id, event, () => this.#table.retrying(id, retryOf(data)))
      case "session.execution.succeeded":
        return this.#ended(id, event, "ok")
      case "session.execution.failed":
        return this.#ended(id, event, faultOfHost2(data.error))
      case "session.execution.interrupted":
        return this.#ended(id, event, data.reason === "user" ? "interrupted:user" : "interrupted:shutdown")
      case "session.deleted":
        return this.#ended(id, event, "interrupted:user")
    }
  }

  #request(name, id, data, form, event) {
    const at = seconds(number(record(event).created) ?? Date.now())
    switch (name) {
      case "permission.asked":
        return this.#asked(id, { id: data.id, ...permissionAsk(data), at })
      case "form.created":
        return this.#asked(id, { id: form.id, ...formAsk(form), at })
      case "permission.replied":
      case "permission.cancelled":
        return this.#answered(id, data.requestID)
      case "form.replied":
      case "form.cancelled":
        return this.#answered(id, data.id)
    }
  }

  #preview(name, id, data) {
    switch (name) {
      case "session.inbox.enqueued":
        return this.#enqueued(data)
      case "session.inbox.delivered":
        return this.#delivered(id, data)
      case "session.step.started":
        return this.#table.describe(id, { directory: null, agent: string(data.agent) })
      case "session.tool.input.started":
        return remembered(this.#toolNames, callOf(data), string(data.name), TOOL_NAME_LIMIT)
      case "session.tool.called":
        return this.#table.toolStarted(id, callOf(data), this.#toolNames.get(callOf(data)) ?? null)
      case "session.tool.success":
      case "session.tool.failed":
        return this.#table.toolEnded(id, callOf(data))
      case "session.text.ended":
        return this.#table.said(id, string(data.text))
    }
  }

  #worked(id, event, report) {
    if (isLate(event, this.#reporter.memory(id).ended)) return
    report()
    this.#trace(id)
  }

  #ended(id, event, end) {
    const { durable, created } = record(event)
    this.#table.end(id, end)
    this.#reporter.memory(id).ended = { seq: number(record(durable).seq), created: number(created) }
  }

  #asked(id, ask) {
    if (string(ask.id) === null) return
    this.#table.ask(id, ask)
    this.#trace(id)
  }

  #answered(id, askId) {
    if (string(askId) !== null) this.#table.resolve(id, askId)
  }

  #enqueued(data) {
    const item = record(data.item ?? data.input)
    const { text } = record(item.payload ?? item.data)
    if (item.type === "user") remembered(this.#prompts, inboxIdOf(data), string(text), WAITING_PROMPT_LIMIT)
  }

  #delivered(id, data) {
    const text = this.#prompts.get(inboxIdOf(data))
    this.#prompts.delete(inboxIdOf(data))
    if (text !== undefined) this.#table.prompted(id, text)
  }

  #locate(id, { directory }) {
    if (this.#table.row(id).directory !== null) return
    this.#table.describe(id, { directory: string(directory), agent: null })
  }

  #trace(id) {
    void this.#lineage.trace(id)
  }

  #traceLineages() {
    for (const row of this.#table.rows()) this.#trace(row.id)
  }
}

/** The session that an event is about, or null. */
export function sessionOf(event) {
  const data = record(record(event).data)
  const id = string(data.sessionID) ?? string(record(data.form).sessionID) ?? string(record(data.info).id)
  return id === NO_SESSION ? null : id
}

/**
 * Whether an event is of the execution whose end was already heard. Durable events are numbered per session;
 * the others only carry their time. One that carries neither is not believed against an end.
 */
function isLate(event, ended) {
  if (ended === null) return false
  const { durable, created } = record(event)
  const seq = number(record(durable).seq)
  if (seq !== null && ended.seq !== null) return seq <= ended.seq
  return !(number(created) !== null && ended.created !== null && created > ended.created)
}

const inboxIdOf = (data) => string(data.inboxID) ?? string(data.inputID)

/** The id of a tool call: `id` since 2.0, `callID` before. */
function callOf(value) {
  const { id, callID } = record(value)
  return string(callID) ?? string(id)
}

const retryOf = ({ attempt, at, error }) => ({ attempt, message: record(error).message, next: at })

export function permissionAsk({ action, resources, source }) {
  return { kind: "permission", text: permissionText(action, resources), call: callOf(source) }
}

/** The question tool asks with a form; other tools ask with forms of their own kinds, or of none. */
export function formAsk({ title, metadata, fields }) {
  const { kind, tool } = record(metadata)
  const text = questionText(fields, "description", "title") || string(title)
  return { kind: kind === "question" ? "question" : "form", text, call: callOf(tool) }
}
