/**
 * OpenCode 1: one `event` hook, called without being awaited, with the events of the factory's own directory.
 *
 * A turn runs from `session.status` busy or retry to `session.status` idle or `session.idle`; both ends come,
 * and twice after an abort. `message.*` and `session.updated` also come after the end and are no evidence of
 * work.
 */

import { permissionText, questionText } from "./asks.js"
import { faultOfHost1 } from "./faults.js"
import { describedBy, Lineage } from "./lineage.js"
import { record, seconds, string } from "./values.js"

/** Messages whose author is remembered: a text names its message, and only the message names its author. */
const AUTHOR_LIMIT = 128

export class Host1 {
  #reporter
  #table
  #lineage
  #directory
  #authors = new Map()
  #promptPart = new Map()

  constructor(reporter, { client, directory }) {
    this.#reporter = reporter
    this.#table = reporter.table
    this.#directory = string(directory)
    // The client has had two signatures: ({path, signal}) and ({sessionID}, {signal}). This fits both.
    this.#lineage = new Lineage(this.#table, (id, signal) =>
      client.session.get({ path: { id }, sessionID: id, signal }, { signal }),
    )
  }

  take(event) {
    const { type, properties } = record(event)
    const data = record(properties)
    const { part, info } = data
    const id = string(data.sessionID) ?? string(record(part).sessionID) ?? string(record(info).sessionID)
    if (id === null || !this.#reporter.claims(id)) return
    switch (type) {
      case "session.created":
        return this.#created(id, record(info))
      case "session.updated":
        return this.#updated(id, record(info))
      case "session.status":
        return this.#status(id, record(data.status))
      case "session.idle":
        return this.#idle(id)
      case "session.error":
        return this.#failed(id, data.error)
      case "session.deleted":
        return this.#table.end(id, "interrupted:user")
      case "permission.asked":
        return this.#asked(id, data, "permission", permissionText(data.permission, data.patterns))
      case "question.asked":
        return this.#asked(id, data, "question", questionText(data.questions, "question", "header"))
      case "permission.replied":
      case "question.replied":
      case "question.rejected":
        return this.#answered(id, data, type === "question.rejected" || data.reply === "reject")
      case "message.updated":
        return this.#message(id, record(info))
      case "message.part.updated":
        return this.#part(id, record(part))
    }
  }

  #created(id, info) {
    if (info.id !== id) return
    this.#reporter.runsOn(string(info.version)) // A session is created by the version that runs.
    this.#table.describe(id, describedBy(info))
  }

  #updated(id, info) {
    if (info.id === id && this.#table.has(id)) this.#table.describe(id, describedBy(info))
  }

  #status(id, status) {
    if (status.type === "idle") return this.#idle(id)
    if (status.type === "busy") this.#table.busy(id)
    else if (status.type === "retry") this.#table.retrying(id, status)
    else return
    this.#heard(id)
  }

  #idle(id) {
    this.#table.end(id, this.#table.expectedEnd(id))
  }

  #failed(id, error) {
    const aborted = record(error).name === "MessageAbortedError"
    this.#table.failed(id, aborted ? "interrupted:user" : faultOfHost1(error, Date.now()))
  }

  #asked(id, data, kind, text) {
    const askId = string(data.id)
    if (askId === null) return
    const call = string(record(data.tool).callID)
    this.#table.ask(id, { id: askId, kind, text, at: seconds(Date.now()), call })
    this.#heard(id)
  }

  /** A refusal ends the turn unless more work is heard of: the user did not let it go on. */
  #answered(id, data, refused) {
    const askId = string(data.requestID)
    if (askId !== null) this.#table.resolve(id, askId)
    if (refused) this.#table.failed(id, "interrupted:user")
  }

  #message(id, info) {
    if (string(info.id) === null) return
    this.#authors.set(info.id, info.summary === true ? "compaction" : info.role)
    if (this.#authors.size > AUTHOR_LIMIT) this.#authors.delete(this.#authors.keys().next().value)
    if (info.role === "user" && this.#table.has(id)) {
      this.#table.describe(id, { directory: null, agent: string(info.agent) })
    }
  }

  #part(id, part) {
    if (part.type === "tool") return this.#tool(id, part)
    if (part.type !== "text" || part.synthetic === true || string(part.text) === null) return
    const author = this.#authors.get(part.messageID)
    if (author === "user" && this.#isPrompt(part)) this.#table.prompted(id, part.text)
    else if (author === "assistant") this.#table.said(id, part.text)
  }

  /** A message may have several text parts; the first one is what the user typed. */
  #isPrompt({ messageID, id }) {
    if (!this.#promptPart.has(messageID)) {
      this.#promptPart.clear()
      this.#promptPart.set(messageID, id)
    }
    return this.#promptPart.get(messageID) === id
  }

  #tool(id, { callID, tool, state }) {
    const { status } = record(state)
    if (status === "running") this.#table.toolStarted(id, string(callID), string(tool))
    else if (status === "completed" || status === "error") this.#table.toolEnded(id, string(callID))
  }

  /** A session of which something was heard, but not yet whose child it is. */
  #heard(id) {
    if (this.#directory !== null && this.#table.row(id).directory === null) {
      this.#table.describe(id, { directory: this.#directory, agent: null })
    }
    void this.#lineage.trace(id)
  }
}
