/**
 * What one factory knows of its sessions: a table of rows, and the few ways in which a row changes. Plain
 * facts; what they mean for a pane is decided by the server. No I/O, no time: events carry their own.
 *
 * Rule 1: a turn starts when a session that is not busy is said to be busy, and only then is it counted.
 * Rule 2: an end closes the running turn; an end without one is nothing. Repeats of either change nothing.
 * Rule 3: the end of a turn settles its asks: hosts do not say so for every ask that dies with its turn.
 * Rule 4: a settled ask stays settled, whatever is heard of it later.
 * Rule 5: an error is not an end. It tells how the turn ends if nothing more is done in it.
 * Rule 6: previews belong to root sessions; they are never evidence of work.
 */

import { clip, list, number, oneLine, seconds } from "./values.js"

/** Beyond this many rows the oldest quiet ones go, children first; the server keeps what it was told. */
const ROW_LIMIT = 32
/** Settled asks remembered per row. */
const RESOLVED_LIMIT = 64
/** Asks that wait at once in one session. */
const ASK_LIMIT = 32
const PROMPT_LIMIT = 200
const MESSAGE_LIMIT = 2000
const ASK_TEXT_LIMIT = 500
const RETRY_TEXT_LIMIT = 500

export class Table {
  #rows = new Map()
  #remember
  #changed

  /**
   * `remember(id)` gives the process's memory of a session (see shared.js). `changed(when)` is called after
   * every change with "now", or "soon" for previews.
   */
  constructor(remember, changed) {
    this.#remember = remember
    this.#changed = changed
  }

  has(id) {
    return this.#rows.has(id)
  }

  /** The row of a session, made if need be: then it goes on where the process's memory of it stands. */
  row(id) {
    let row = this.#rows.get(id)
    if (row === undefined) {
      row = blankRow(id, this.#remember(id))
      this.#rows.set(id, row)
      this.#makeRoomFor(row)
      this.#changed("now")
    }
    return row
  }

  rows() {
    return [...this.#rows.values()]
  }

  /** The `sessions` of the wire. */
  toWire() {
    return this.rows().map(wireRow)
  }

  /**
   * The host says that a turn runs. `anew`: it says that one starts now, so one that was only taken over from
   * an earlier generation and never heard of since must have ended unheard.
   */
  busy(id, { anew = false } = {}) {
    const row = this.row(id)
    const endedUnheard = row.busy && row.takenOver && anew
    row.takenOver = false
    row.verdicts += 1
    row.failure = null
    this.#setRetry(row, null)
    if (row.busy && !endedUnheard) return
    if (endedUnheard) settleAsks(row)
    startTurn(row)
    this.#changed("now")
  }

  /** The turn runs, but waits to try again, at `next` in ms. */
  retrying(id, { attempt, message, next }) {
    this.busy(id)
    this.#setRetry(this.row(id), {
      attempt: number(attempt) ?? 1,
      message: clip(message, RETRY_TEXT_LIMIT) ?? "",
      next_at: number(next) === null ? null : seconds(next),
    })
  }

  /** `guessed`: that the turn ended is known, how is not; the host's own word still counts when it comes. */
  end(id, end, { guessed = false } = {}) {
    const row = this.#rows.get(id)
    if (row?.busy ?? this.#remember(id).running) {
      endTurn(this.row(id), end, guessed)
      this.#changed("now")
    } else if (row?.endGuessed && !guessed) {
      row.end = end
      row.endGuessed = false
      this.#changed("now")
    }
  }

  /** How the running turn ends, unless more work is heard of before. */
  failed(id, end) {
    const row = this.#rows.get(id)
    if (row !== undefined) row.failure = end
  }

  /** How a turn ended of which the host only says that it did. One that waits to retry ends by abort. */
  expectedEnd(id) {
    const row = this.#rows.get(id)
    return row?.failure ?? (row?.retry ? "interrupted:user" : "ok")
  }

  ask(id, { id: askId, kind, text, at, call }) {
    const row = this.row(id)
    if (row.resolved.includes(askId) || row.asks.has(askId) || row.asks.size >= ASK_LIMIT) return
    row.asks.set(askId, { id: askId, kind, text: clip(text, ASK_TEXT_LIMIT) ?? "", at, call })
    this.#changed("now")
  }

  resolve(id, askId) {
    const row = this.row(id)
    if (settleAsk(row, askId)) this.#changed("now")
  }

  /** A tool call of a session runs. */
  toolStarted(id, call, name) {
    const row = this.row(id)
    if (!row.busy || call === null || name === null || row.calls.get(call) === name) return
    row.calls.set(call, name)
    this.#changed("soon")
  }

  /** A tool call is over, and so is whatever it asked. */
  toolEnded(id, call) {
    const row = this.#rows.get(id)
    if (row === undefined || call === null) return
    if (row.calls.delete(call)) this.#changed("soon")
    for (const ask of row.asks.values()) {
      if (ask.call === call && settleAsk(row, ask.id)) this.#changed("now")
    }
  }

  /** The user's words: of the running turn, or of the one that they are about to start. */
  prompted(id, text) {
    const row = this.row(id)
    const prompt = oneLine(text, PROMPT_LIMIT)
    if (row.busy) this.#set(row, { prompt }, "soon")
    else row.nextPrompt = prompt
  }

  /** The agent's latest words. */
  said(id, text) {
    const row = this.#rows.get(id)
    if (row !== undefined) this.#set(row, { lastMessage: clip(text, MESSAGE_LIMIT) }, "soon")
  }

  /**
   * Facts about a session that are no evidence of work. `parent`: an id, null for a root session, undefined
   * when not known. `directory` and `agent`: null when not known.
   */
  describe(id, { parent, directory, agent }) {
    const facts = {}
    if (parent !== undefined) facts.parent = parent
    if (directory !== null) facts.directory = directory
    if (agent !== null) facts.agent = agent
    this.#set(this.row(id), facts, parent === undefined ? "soon" : "now")
  }

  /** Goes on from a row that an earlier generation left, as it stood on the wire. */
  takeOver(left) {
    const row = this.row(left.id)
    row.takenOver = row.busy = left.busy === true
    row.parent = left.parent === undefined ? "unknown" : left.parent
    for (const key of ["directory", "agent", "end", "retry", "prompt"]) row[key] = left[key] ?? null
    row.lastMessage = left.last_message ?? null
    row.asks = new Map(list(left.asks).map((ask) => [ask.id, { ...ask, call: null }]))
    row.resolved = [...list(left.resolved)]
    this.#changed("now")
  }

  #setRetry(row, retry) {
    const same = row.retry?.attempt === retry?.attempt && row.retry?.next_at === retry?.next_at
    if (same) return
    row.retry = retry
    this.#changed("now")
  }

  #set(row, facts, when) {
    const news = Object.entries(facts).filter(([key, value]) => row[key] !== value)
    if (news.length === 0) return
    Object.assign(row, Object.fromEntries(news))
    this.#changed(when)
  }

  #makeRoomFor(newest) {
    if (this.#rows.size <= ROW_LIMIT) return
    const quiet = this.rows().filter((row) => row !== newest && !row.busy && row.asks.size === 0)
    const leaves = quiet.find((row) => row.parent !== null) ?? quiet[0]
    this.#rows.delete(leaves?.id)
  }
}

function blankRow(id, memory) {
  return {
    id,
    memory,
    parent: "unknown",
    directory: null,
    agent: null,
    busy: memory.running,
    takenOver: memory.running, // Busy by hearsay: nothing was heard of this turn by this factory.
    end: null,
    endGuessed: false,
    failure: null,
    asks: new Map(),
    resolved: [],
    retry: null,
    calls: new Map(),
    prompt: null,
    nextPrompt: null,
    lastMessage: null,
    verdicts: 0, // Starts and ends heard of: tells whether an answer about the session is stale.
  }
}

function startTurn(row) {
  row.memory.turn += 1
  row.memory.running = true
  row.busy = true
  row.end = null
  row.endGuessed = false
  row.calls.clear()
  row.prompt = row.nextPrompt
  row.nextPrompt = null
  row.lastMessage = null
}

function endTurn(row, end, guessed) {
  row.memory.running = false
  row.busy = false
  row.takenOver = false
  row.end = end
  row.endGuessed = guessed
  row.failure = null
  row.retry = null
  row.verdicts += 1
  row.calls.clear()
  settleAsks(row)
}

function settleAsks(row) {
  for (const askId of [...row.asks.keys()]) settleAsk(row, askId)
}

/** False when the ask is already known to be settled. An unknown one may be known to the server. */
function settleAsk(row, askId) {
  row.asks.delete(askId)
  if (row.resolved.includes(askId)) return false
  row.resolved.push(askId)
  if (row.resolved.length > RESOLVED_LIMIT) row.resolved.shift()
  return true
}

function wireRow(row) {
  const isRoot = row.parent === null
  return {
    id: row.id,
    parent: row.parent,
    directory: row.directory,
    agent: row.agent,
    busy: row.busy,
    turn: row.memory.turn,
    end: row.end,
    asks: [...row.asks.values()].map(({ id, kind, text, at }) => ({ id, kind, text, at })),
    resolved: row.resolved,
    retry: row.retry,
    prompt: isRoot ? row.prompt : null,
    last_message: isRoot ? row.lastMessage : null,
    tool: [...row.calls.values()].at(-1) ?? null,
  }
}
