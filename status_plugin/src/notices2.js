/**
 * Notices in OpenCode 2, through the session calls that its plugins have.
 *
 * Rule 1: a notice waits with our server and not in the host's inbox, so that taking it back stays possible;
 *         it is put there when it is to be delivered at once.
 * Rule 2: a host that can look and wake in one is left to do so; what it then does not wake is taken out of its
 *         inbox again.
 * Rule 3: the delivery of the inbox's row is the receipt.
 * Rule 4: a prompt that the user has submitted comes first, also before the host says that its turn runs.
 */

import { hostId } from "./ids.js"
import { whyNot } from "./look.js"
import { Prompts } from "./prompts.js"
import { expectReceipt, forgetReceipt, receiptsBy } from "./receipts.js"
import { isFunction, oneLine, quietly, record, string } from "./values.js"

/** Without a description the host's screen does not show the row. */
const DESCRIPTION_LIMIT = 80
/** Rows of ours of which it is remembered how they were admitted, until they are delivered. */
const ADMITTING_LIMIT = 64
const DELIVERED = new Set(["session.inbox.delivered", "session.input.promoted"])
const TOOL_ENDED = new Set(["session.tool.success", "session.tool.failed"])
/** Of a first prompt only the steps may be heard. */
const TURN_TOLD = /^session\.(execution|step)\./
/** The host's words for why it did not wake, in ours. */
const REASONS = new Map([
  ["agentMismatch", "agent_mismatch"],
  ["agent", "agent_mismatch"],
  ["reverted", "reverted"],
  ["waiting", "waiting"],
])

export class Notices2 {
  #reporter
  #courier
  #session
  #hook = null
  #admitting = new Map()
  #prompts = new Prompts()

  constructor(reporter, courier, session) {
    this.#reporter = reporter
    this.#courier = courier
    this.#session = record(session)
  }

  /** What the server may ask for: the words of its polls. */
  get takes() {
    const rides = isFunction(this.#session.hook) ? ["ride_in"] : []
    return ["wake", ...rides, "steer", "interrupt"].join(",")
  }

  /** Has the user's prompts pass through us; they wait for half a second at most. */
  async open() {
    if (isFunction(this.#session.hook)) {
      this.#hook = await this.#session.hook("prompt", async (input) => this.#prompted(record(input)))
    }
  }

  close() {
    quietly(() => this.#hook?.dispose?.()?.catch?.(() => {}))
  }

  /** Every event of a session that this factory reports; names as the host says them. */
  hear(type, session, data) {
    if (TURN_TOLD.test(type)) this.#prompts.settled(session)
    if (DELIVERED.has(type)) {
      const id = string(data.inboxID) ?? string(data.inputID)
      for (const notice of receiptsBy(session, id)) void this.#received(id, notice)
    } else if (TOOL_ENDED.has(type)) {
      void this.#comeIn(session, "tool").catch(() => {})
    }
  }

  async wake({ notice, session, text, if_idle, mode }) {
    const info = await this.#look(session)
    if (info === null) return { outcome: "refused", reason: "unknown_status" }
    if (info.revert || info.reverted) return { outcome: "refused", reason: "reverted" }
    const wanted = if_idle ? string(mode) : null
    const reason = whyNot(this.#reporter.table, session, wanted, string(info.agent))
    if (reason !== null) return { outcome: "refused", reason }
    if (this.#prompts.areAhead(session)) return { outcome: "refused", reason: "busy" }
    const id = hostId("msg")
    expectReceipt(session, id, [notice])
    const admitting = this.#admit(session, id, text, "queue", this.#resume(if_idle, wanted))
    this.#admitting.set(id, admitting)
    if (this.#admitting.size > ADMITTING_LIMIT) this.#admitting.delete(this.#admitting.keys().next().value)
    const row = record(await admitting)
    if (row.woke === false) return this.#takeBack(session, id, row)
    return { outcome: "taken", guard: guardOf(row) }
  }

  /** What the host says of a session, or null when it says nothing. */
  async #look(session) {
    try {
      return record(await this.#session.get({ sessionID: session }))
    } catch {
      return null
    }
  }

  /** The delivery may be heard of before the call that led to it has returned, or told of before the call. */
  async #received(id, notice) {
    const row = await Promise.resolve(this.#admitting.get(id)).catch(() => null)
    this.#admitting.delete(id)
    const evidence = "the host delivered it"
    await this.#courier.tell({ notice, outcome: "received", evidence, guard: guardOf(row) })
  }

  async interrupt({ session }) {
    await this.#session.interrupt({ sessionID: session })
    return { outcome: "taken" }
  }

  /** The conditional form, where the host is new enough to have it and lets us take back what it does not wake. */
  #resume(ifIdle, agent) {
    const { active, inbox } = this.#session
    if (!ifIdle || !isFunction(active) || !isFunction(record(inbox).cancel)) return true
    return agent === null ? { ifIdle: true } : { ifIdle: true, agent }
  }

  /** Rule 2. What cannot be taken out any more is being delivered. */
  async #takeBack(session, id, { reason }) {
    try {
      await this.#session.inbox.cancel({ sessionID: session, inboxID: id })
    } catch {
      return { outcome: "taken" }
    }
    forgetReceipt(session, id)
    return { outcome: "refused", reason: REASONS.get(reason) ?? "busy" }
  }

  async #prompted({ sessionID, type }) {
    if (string(sessionID) === null || type === "synthetic") return
    this.#prompts.submitted(sessionID)
    await this.#comeIn(sessionID, "prompt")
  }

  /** Puts in what may come in now; it does not start a turn by itself. */
  async #comeIn(session, moment) {
    for (const { notice, text } of await this.#courier.collect(session, moment)) {
      const id = hostId("msg")
      expectReceipt(session, id, [notice])
      try {
        await this.#admit(session, id, text, "steer", false)
        void this.#courier.tell({ notice, outcome: "taken" })
      } catch {
        void this.#courier.tell({ notice, outcome: "unknown" }) // It may have been put in; its receipt would tell.
      }
    }
  }

  #admit(sessionID, id, text, delivery, resume) {
    const description = oneLine(text, DESCRIPTION_LIMIT) ?? "Notice"
    return this.#session.synthetic({ sessionID, id, text, description, delivery, resume })
  }
}

/** What a host that looked and woke in one says of it. */
const guardOf = (row) => (record(row).woke === true ? "host" : undefined)
