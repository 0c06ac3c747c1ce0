/**
 * Notices in OpenCode 1, through its client in the same process: no socket, no key, no draft touched.
 *
 * Rule 1: a notice that wakes is a prompt of its own; one that comes in is a hidden part of the user's prompt;
 *         one that steers is a hidden message without a reply, put in before the next step.
 * Rule 2: every message names the session's agent and model: without them the host falls back to its default
 *         agent, which may do more than the user's.
 * Rule 3: the message's id is the receipt: an answer that names it as its parent.
 * Rule 4: a prompt that the user has submitted comes first, also before the host says that its turn runs.
 */

import { hostId } from "./ids.js"
import { whyNot } from "./look.js"
import { Prompts } from "./prompts.js"
import { carriesNotices, expectReceipt, forgetReceipt, messageSeen, receiptsBy } from "./receipts.js"
import { list, record, remembered, string } from "./values.js"

const SPEAKER_LIMIT = 64

export class Notices1 {
  #reporter
  #courier
  #client
  #speakers = new Map()
  #prompts = new Prompts()

  constructor(reporter, courier, client) {
    this.#reporter = reporter
    this.#courier = courier
    this.#client = client
  }

  get #session() {
    return this.#client.session
  }

  /** What the server may ask for: the words of its polls. */
  static takes = "wake,ride_in,steer,interrupt"

  /** The event hook: who speaks in a session, and what was answered. */
  hear({ type, properties }) {
    const data = record(properties)
    if (type === "session.status" || type === "session.idle") this.#prompts.settled(data.sessionID)
    const info = record(data.info)
    const session = string(info.sessionID)
    if (type !== "message.updated" || session === null || string(info.id) === null) return
    if (info.role === "user") {
      messageSeen(session, info.id)
      this.#spoke(session, info)
    } else if (string(info.parentID) !== null) {
      for (const notice of receiptsBy(session, info.parentID)) {
        void this.#courier.tell({ notice, outcome: "received", evidence: "the answer to it began" })
      }
    }
  }

  async wake({ notice, session, text, if_idle, mode }) {
    const info = await this.#look(session)
    if (info === null) return { outcome: "refused", reason: "unknown_status" }
    if (info.revert !== undefined && info.revert !== null) return { outcome: "refused", reason: "reverted" }
    const reason = whyNot(this.#reporter.table, session, if_idle ? string(mode) : null, string(info.agent))
    if (reason !== null) return { outcome: "refused", reason }
    if (this.#prompts.areAhead(session)) return { outcome: "refused", reason: "busy" }
    const messageID = hostId("msg")
    expectReceipt(session, messageID, [notice])
    const parts = [{ type: "text", text }]
    const sent = this.#session.promptAsync(this.#message(session, info, { messageID, parts }))
    return this.#sent(session, messageID, await sent)
  }

  /** Before its model is asked, the host ends a turn without a word of an abort. */
  async interrupt({ session }) {
    this.#reporter.table.failed(session, "interrupted:user")
    await this.#session.abort({ path: { id: session }, sessionID: session })
    return { outcome: "taken" }
  }

  /** The `chat.message` hook: the user submits a prompt, or we do. */
  async prompted(input, output) {
    const session = string(record(input).sessionID)
    const { message, parts } = record(output)
    const messageID = string(record(message).id)
    if (session === null || messageID === null || carriesNotices(session, messageID)) return
    this.#spoke(session, { ...record(input), ...record(message) })
    this.#prompts.submitted(session)
    const notices = await this.#courier.collect(session, "prompt")
    if (notices.length === 0 || !Array.isArray(parts)) return this.#notTaken(notices)
    expectReceipt(session, messageID, notices.map(({ notice }) => notice))
    for (const { notice, text } of notices) {
      const facts = { id: hostId("prt"), sessionID: session, messageID, metadata: { orca_tui: notice } }
      parts.push({ ...facts, type: "text", text, synthetic: true })
      void this.#courier.tell({ notice, outcome: "taken" })
    }
  }

  /** The `tool.execute.after` hook: a step of the running turn is over. */
  async toolEnded(input) {
    const session = string(record(input).sessionID)
    if (session === null) return
    for (const { notice, text } of await this.#courier.collect(session, "tool")) {
      await this.#steer(session, notice, text)
    }
  }

  async #steer(session, notice, text) {
    const info = this.#speakers.has(session) ? {} : await this.#look(session)
    if (info === null) return this.#notTaken([{ notice }])
    const messageID = hostId("msg")
    expectReceipt(session, messageID, [notice])
    const parts = [{ type: "text", text, synthetic: true }]
    try {
      const sent = this.#session.prompt(this.#message(session, info, { messageID, parts, noReply: true }))
      const { outcome } = this.#sent(session, messageID, await sent)
      void this.#courier.tell({ notice, outcome: outcome === "taken" ? "taken" : "not_taken" })
    } catch {
      void this.#courier.tell({ notice, outcome: "unknown" }) // It may have been put in; its receipt would tell.
    }
  }

  /** What the host says of a session, or null when it says nothing. */
  async #look(session) {
    try {
      return record(record(await this.#session.get({ path: { id: session }, sessionID: session })).data)
    } catch {
      return null
    }
  }

  #notTaken(notices) {
    for (const { notice } of list(notices)) void this.#courier.tell({ notice, outcome: "not_taken" })
  }

  #message(session, info, body) {
    const { agent, model } = this.#speakers.get(session) ?? speakerOf(info)
    return {
      path: { id: session },
      body: { ...body, ...(agent === null ? {} : { agent }), ...(model === null ? {} : { model }) },
    }
  }

  #sent(session, messageID, answer) {
    if (record(answer).error === undefined) return { outcome: "taken" }
    forgetReceipt(session, messageID)
    return { outcome: "failed" }
  }

  #spoke(session, info) {
    const speaker = speakerOf(info)
    if (speaker.agent !== null) remembered(this.#speakers, session, speaker, SPEAKER_LIMIT)
  }
}

/** Agent and model of a message or a session, as prompts name them. */
function speakerOf(info) {
  const { agent, model } = record(info)
  const { providerID, modelID, id } = record(model)
  const name = string(modelID) ?? string(id)
  const known = string(providerID) !== null && name !== null
  return { agent: string(agent), model: known ? { providerID, modelID: name } : null }
}
