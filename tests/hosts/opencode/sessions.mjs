/**
 * OpenCode 2's sessions: an inbox of admitted rows each, and at most one execution that promotes and drains
 * them.
 *
 * A row is delivered at a boundary: steers at the next step, one queued row at a time when the session is
 * idle. A wake while an execution runs makes it drain once more; one that comes while it settles starts a
 * successor.
 */

import { makeId } from "./ids.mjs"

/** The turn of a prompt that says nothing about it takes this long. */
const STEP_MS = 50

export class InboxConflictError extends Error {
  _tag = "Session.InboxConflictError"

  constructor(inboxID) {
    super(`Pending input can no longer be changed: ${inboxID}`)
    this.inboxID = inboxID
  }
}

export class Sessions {
  #publish
  #record
  #future
  #location
  #promptHooks = new Set()
  #sessions = new Map()
  #executions = new Map()

  /** `record` is told of every request for the model, with the whole conversation. */
  constructor({ publish, record, future, location }) {
    this.#publish = publish
    this.#record = record
    this.#future = future
    this.#location = location
  }

  /** A session's public record; it is created when first asked for. */
  get(id) {
    const { agent, title, projectID, location, parentID, reverted } = this.#session(id)
    const revert = reverted ? { revert: { messageID: "msg_0" } } : {}
    const optional = { ...(parentID ? { parentID } : {}), ...revert }
    return { id, agent, title, projectID, location, ...optional }
  }

  /** Every session's public record. */
  all() {
    return [...this.#sessions.keys()].map((id) => this.get(id))
  }

  /** Plugins' hooks on prompts; each is awaited before a prompt is admitted. */
  hook(name, run) {
    const entry = { name, run }
    this.#promptHooks.add(entry)
    return { dispose: async () => void this.#promptHooks.delete(entry) }
  }

  /** A person's prompt; it goes on from where the session was rewound to. */
  async prompt(sessionID, input) {
    const session = this.#session(sessionID)
    const { id, agent } = session
    session.reverted = false
    for (const { name, run } of this.#promptHooks) {
      if (name === "prompt") await run({ sessionID: id, agent, type: "user", text: input.text })
    }
    return this.admit(sessionID, "user", input)
  }

  switchAgent(id, agent) {
    this.#session(id).agent = agent
  }

  revert(id) {
    this.#session(id).reverted = true
  }

  running() {
    return [...this.#executions.keys()]
  }

  async wait(id) {
    while (this.#executions.has(id)) await this.#executions.get(id).done
  }

  /** A session of its own, or a child of another. */
  create(id, parentID) {
    return this.#session(id, parentID)
  }

  /** The step that runs ends now, and with it a turn that has no more to do. False when none runs. */
  finish(id) {
    const execution = this.#executions.get(id)
    execution?.stopStep?.()
    return execution !== undefined
  }

  /** Admits a row and, unless `resume` is false, wakes the session. The first admission of an id wins. */
  admit(sessionID, type, { id, text, description, metadata, delivery = "steer", resume, ms = STEP_MS }) {
    const session = this.#session(sessionID)
    const admitted = session.inbox.find((row) => row.id === id)
    if (admitted !== undefined) return publicRow(admitted)
    const payload = { text, ...(description ? { description } : {}), ...(metadata ? { metadata } : {}) }
    const row = { id: id ?? makeId("msg"), sessionID, timeCreated: Date.now(), type, payload, delivery, ms }
    session.inbox.push(row)
    this.#emit("session.inbox.enqueued", { sessionID, inboxID: row.id, item: { type, payload, delivery } })
    if (this.#future && typeof resume === "object") return this.#wakeIf(session, row, resume)
    if (resume !== false && !session.reverted) this.#wake(sessionID)
    return publicRow(row)
  }

  /** The conditional form: looks and wakes in one, and says what it did. */
  #wakeIf(session, row, { agent }) {
    const reason = this.#executions.has(session.id)
      ? "busy"
      : session.reverted
        ? "reverted"
        : agent !== undefined && agent !== session.agent
          ? "agentMismatch"
          : undefined
    if (reason === undefined) this.#wake(session.id)
    return { ...publicRow(row), woke: reason === undefined, ...(reason ? { reason } : {}) }
  }

  /** Takes back a row that was not delivered yet. */
  cancel(sessionID, inboxID) {
    const { inbox } = this.#session(sessionID)
    const index = inbox.findIndex((row) => row.id === inboxID)
    if (index < 0) throw new InboxConflictError(inboxID)
    inbox.splice(index, 1)
    this.#emit("session.inbox.cancelled", { sessionID, inboxID })
  }

  /** False when nothing runs, or it is being interrupted already. A wake that waits is forgotten. */
  interrupt(sessionID, reason = "user") {
    const execution = this.#executions.get(sessionID)
    if (execution === undefined || execution.stopping) return false
    Object.assign(execution, { stopping: true, pendingWake: false, reason })
    execution.stopStep?.()
    return true
  }

  async shutDown() {
    for (const id of this.#executions.keys()) this.interrupt(id, "shutdown")
    await Promise.all([...this.#executions.values()].map((execution) => execution.done))
  }

  #session(id, parentID) {
    let session = this.#sessions.get(id)
    if (session === undefined) {
      const location = { directory: this.#location }
      session = { id, parentID, agent: "build", title: "New session", projectID: "proj", location }
      Object.assign(session, { inbox: [], conversation: [] })
      this.#sessions.set(id, session)
      const parent = parentID ? { parentID } : {}
      this.#emit("session.created", { sessionID: id, projectID: "proj", location, agent: "build", ...parent })
    }
    return session
  }

  #emit(type, data) {
    this.#publish({ type, data })
  }

  #wake(sessionID) {
    const execution = this.#executions.get(sessionID)
    if (execution === undefined) this.#start(sessionID)
    else execution.pendingWake = true
  }

  #start(sessionID) {
    const execution = {
      sessionID,
      pendingWake: false,
      stopping: false,
      reason: undefined,
      stopStep: undefined,
    }
    this.#executions.set(sessionID, execution)
    execution.done = this.#execute(execution)
  }

  async #execute(execution) {
    const { sessionID } = execution
    await null
    this.#emit("session.execution.started", { sessionID })
    do {
      execution.pendingWake = false
      await this.#drain(execution)
    } while (!execution.stopping && execution.pendingWake)
    if (execution.stopping)
      this.#emit("session.execution.interrupted", { sessionID, reason: execution.reason })
    else this.#emit("session.execution.succeeded", { sessionID })
    if (execution.pendingWake) this.#start(sessionID)
    else this.#executions.delete(sessionID)
  }

  async #drain(execution) {
    const session = this.#session(execution.sessionID)
    for (let rows; (rows = this.#promote(session)).length > 0 && !execution.stopping;) {
      while (rows.length > 0 && !execution.stopping) {
        await this.#step(execution, session, Math.max(...rows.map((row) => row.ms)))
        rows = execution.stopping ? [] : this.#promoteSteers(session)
      }
    }
  }

  async #step(execution, session, ms) {
    const facts = { sessionID: session.id, assistantMessageID: makeId("msg") }
    this.#emit("session.step.started", { ...facts, agent: session.agent })
    this.#record({ rec: "request", sessionID: session.id, conversation: [...session.conversation] })
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      execution.stopStep = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    if (!execution.stopping) return this.#emit("session.step.ended", { ...facts, finish: "stop" })
    this.#emit("session.step.failed", { ...facts, error: { type: "aborted", message: "Step interrupted" } })
  }

  /** At the idle boundary: every steer, or else one queued row. */
  #promote(session) {
    const steers = this.#promoteSteers(session)
    if (steers.length > 0) return steers
    return this.#deliver(session, session.inbox.filter((row) => row.delivery === "queue").slice(0, 1))
  }

  #promoteSteers(session) {
    return this.#deliver(
      session,
      session.inbox.filter((row) => row.delivery === "steer"),
    )
  }

  #deliver(session, rows) {
    for (const row of rows) {
      session.inbox.splice(session.inbox.indexOf(row), 1)
      session.conversation.push(row.payload.text)
      this.#emit("session.inbox.delivered", { sessionID: session.id, inboxID: row.id })
    }
    return rows
  }
}

function publicRow({ id, sessionID, timeCreated, type, payload, delivery }) {
  return { id, sessionID, timeCreated, type, payload, delivery }
}
