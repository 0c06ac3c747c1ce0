/**
 * A screen of OpenCode 2, in the process of its own pane: what it shows is what the pane is about. Its server
 * is shared with other screens, so the events of all sessions arrive here.
 *
 * Rule 1: reported are the session that the screen shows, with its whole family, and those it has shown whose
 *         turn still runs or still asks.
 * Rule 2: events tell how turns start and end. What the screen knows of its sessions is compared with that
 *         now and then, for what was missed: before the plugin was there, before the screen was, or while the
 *         server was away.
 * Rule 3: the screen is believed against the events only when the two differ for a while: it learns from the
 *         same events, a moment later. For an end that is longer than for a start: after an outage it takes
 *         the screen some time to learn what runs, and a turn that only seems to have ended would be told as
 *         done.
 * Rule 4: asks are taken from the screen's lists, see waiting.js.
 */

import { Host2, sessionOf } from "./host2.js"
import { describedBy } from "./lineage.js"
import { later, list, number, quietly, record, string } from "./values.js"
import { Waiting } from "./waiting.js"

/** A change of what is shown comes with no event, so it is looked for. */
const LOOK_MS = 250
/** How long the screen and the events may differ. */
const START_DOUBT_MS = LOOK_MS
const END_DOUBT_MS = 1000

const ASKED = new Set(["permission.asked", "permission.v2.asked", "form.created"])
/** After these, what the screen lists has changed. */
const NEWS = /^(permission|form|session\.(created|deleted|execution|inbox|input))(\.|$)/

export class Screen {
  #reporter
  #table
  #data
  #router
  #events
  #waiting
  #roots = new Set()
  #seen = new Set()
  #synced = new Set()
  #doubts = new Map()
  #unheard = new Map()
  #stopListening = null
  #timers = new Map()

  constructor(reporter, { ui, data }) {
    this.#reporter = reporter
    this.#table = reporter.table
    this.#data = data.session
    this.#router = ui.router
    this.#events = new Host2(reporter, { session: { get: async ({ sessionID }) => this.#info(sessionID) } })
    this.#waiting = new Waiting(this.#table)
    this.#stopListening = data.listen((heard) => quietly(() => this.#hear(record(heard).details)))
    for (const { id, busy } of this.#table.rows()) if (busy) this.#roots.add(this.#rootOf(id))
    this.#look()
    this.#lookAgain()
  }

  stop() {
    quietly(() => this.#stopListening?.())
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  #hear(event) {
    const { type } = record(event)
    if (string(type) === null) return
    if (type === "server.connected") this.#synced.clear()
    else if (this.#isReported(event) && !ASKED.has(type)) this.#events.take(event)
    // The screen hears of it in the same moment; it is asked once it has.
    if (NEWS.test(type) || type === "server.connected") this.#lookIn(0)
  }

  #isReported(event) {
    const id = sessionOf(event)
    if (id === null) return false
    const { parentID, info } = record(record(event).data)
    const parent = string(parentID) ?? string(record(info).parentID)
    return this.#roots.has(this.#rootOf(id)) || (parent !== null && this.#roots.has(this.#rootOf(parent)))
  }

  /** The screen may not know of a child yet whose creation was heard. */
  #rootOf(id) {
    const root = string(quietly(() => this.#data.root(id))) ?? id
    if (root !== id || !this.#table.has(id)) return root
    const { parent } = this.#table.row(id)
    return parent === null || parent === "unknown" || parent === id ? id : this.#rootOf(parent)
  }

  #lookAgain() {
    this.#timers.set(
      "again",
      later(LOOK_MS, () => {
        quietly(() => this.#look())
        this.#lookAgain()
      }),
    )
  }

  #lookIn(milliseconds) {
    if (this.#timers.has(milliseconds)) return
    this.#timers.set(
      milliseconds,
      later(milliseconds, () => {
        this.#timers.delete(milliseconds)
        this.#look()
      }),
    )
  }

  #look() {
    const shown = this.#shown()
    if (shown !== null) this.#roots.add(shown)
    for (const root of [...this.#roots]) {
      const family = new Set([root, ...list(quietly(() => this.#data.family(root)))])
      for (const id of family) quietly(() => this.#compare(id, id === root))
      if (root !== shown && !this.#isAlive(family)) this.#roots.delete(root)
    }
  }

  /** The root of what the screen shows, if that is a session: at first it may be a placeholder for one. */
  #shown() {
    const { type, sessionID } = record(quietly(() => this.#router.current()))
    if (type !== "session" || string(sessionID) === null || this.#info(sessionID) === null) return null
    return this.#rootOf(sessionID)
  }

  #info(id) {
    const info = quietly(() => this.#data.get(id))
    return typeof info === "object" && info !== null ? info : null
  }

  #isAlive(family) {
    return [...family].some((id) => this.#isRunning(id) || (this.#table.has(id) && this.#table.row(id).busy))
  }

  #isRunning(id) {
    return quietly(() => this.#data.status(id)) === "running"
  }

  /** Of a family's quiet members only the root is worth a row. */
  #compare(id, isRoot) {
    const isRunning = this.#isRunning(id)
    if (!isRunning && !isRoot && !this.#table.has(id)) return
    if (!this.#reporter.claims(id)) return
    const info = this.#info(id)
    if (info !== null) this.#table.describe(id, describedBy(info))
    this.#compareTurn(id, isRunning)
    if (isRunning) this.#sync(id)
    const next = this.#waiting.compare(id, this.#listed("permission", id), this.#listed("form", id))
    if (next !== null) this.#lookIn(next)
    if (this.#table.row(id).busy) this.#fillIn(id)
  }

  #listed(kind, id) {
    return quietly(() => this.#data[kind].list(id))
  }

  /** Rule 3; a session that is seen for the first time has no events to differ from. */
  #compareTurn(id, isRunning) {
    const { busy, verdicts } = this.#table.row(id)
    const isNew = !this.#seen.has(id)
    this.#seen.add(id)
    if (busy === isRunning) return void this.#doubts.delete(id)
    const doubt = this.#doubts.get(id)
    const limit = isRunning ? START_DOUBT_MS : END_DOUBT_MS
    const isSettled = doubt?.verdicts === verdicts && Date.now() - doubt.at >= limit
    if (isRunning && (isNew || isSettled)) {
      this.#table.busy(id)
      this.#unheard.set(id, this.#table.row(id).memory.turn)
    } else if (!isRunning && isSettled) this.#table.end(id, "ok", { guessed: true })
    else if (doubt?.verdicts !== verdicts) this.#doubts.set(id, { verdicts, at: Date.now() })
  }

  /** The screen fetches what a session asks when it shows that session; of its children it may not have. */
  #sync(id) {
    if (this.#synced.has(id)) return
    this.#synced.add(id)
    for (const kind of ["permission", "form"]) {
      quietly(() =>
        this.#data[kind]
          .sync(id)
          ?.then?.(() => this.#lookIn(0))
          ?.catch?.(() => {}),
      )
    }
  }

  /**
   * Words of the running turn that were said before anybody listened. A prompt that has been answered is the
   * running turn's only if nobody heard that turn start.
   */
  #fillIn(id) {
    const row = this.#table.row(id)
    if (row.parent !== null || (row.prompt !== null && row.lastMessage !== null)) return
    const messages = list(quietly(() => this.#data.message.list(id))).map(record)
    const asked = newest(messages, "user")
    const answered = newest(messages, "assistant")
    const isAnswered = createdAt(answered) >= createdAt(asked)
    const wasUnheard = this.#unheard.get(id) === row.memory.turn
    const isOfThisTurn = asked !== null && (wasUnheard || !isAnswered)
    if (row.prompt === null && isOfThisTurn) this.#table.prompted(id, asked.text)
    if (row.lastMessage !== null || answered === null || !wasUnheard || !isAnswered) return
    const text = list(answered.content).findLast((part) => record(part).type === "text")
    if (string(record(text).text) !== null) this.#table.said(id, text.text)
  }
}

/** Of a kind of message the last one, whichever way the list is sorted. */
function newest(messages, type) {
  const found = messages.filter((message) => message.type === type)
  return found.reduce((last, one) => (last === null || createdAt(one) > createdAt(last) ? one : last), null)
}

const createdAt = (message) => number(record(record(message).time).created) ?? 0
