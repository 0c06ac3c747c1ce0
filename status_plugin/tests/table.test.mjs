import assert from "node:assert/strict"
import test from "node:test"
import { Table } from "../src/table.js"

const ASK = { id: "per_1", kind: "permission", text: "bash: ls", at: 1, call: "call_1" }

/** A table, the changes that it told of, and the process's memory behind it. */
function makeTable(memories = new Map()) {
  const changes = []
  const remember = (id) => {
    if (!memories.has(id)) memories.set(id, { turn: 0, running: false })
    return memories.get(id)
  }
  const table = new Table(remember, (when) => changes.push(when))
  return { table, changes, memories, row: (id = "s") => table.toWire().find((row) => row.id === id) }
}

/** A table with one root session that is busy. */
function busyTable() {
  const made = makeTable()
  made.table.describe("s", { parent: null, directory: null, agent: null })
  made.table.busy("s")
  made.changes.length = 0
  return made
}

test("a session that was only described is idle, and has had no turn and no end", () => {
  const { table, row } = makeTable()
  table.describe("s", { parent: null, directory: "/x", agent: "build" })

  assert.deepEqual(row(), {
    id: "s",
    parent: null,
    directory: "/x",
    agent: "build",
    busy: false,
    turn: 0,
    end: null,
    asks: [],
    resolved: [],
    retry: null,
    prompt: null,
    last_message: null,
    tool: null,
  })
})

test("turns are counted from idle to busy, and repeats of busy are none", () => {
  const { table, row } = makeTable()
  table.busy("s")
  table.busy("s")
  table.end("s", "ok")
  table.busy("s")

  assert.deepEqual([row().busy, row().turn, row().end], [true, 2, null])
})

test("an end without a turn is nothing", () => {
  const { table, changes, row } = makeTable()
  table.describe("s", { parent: null, directory: null, agent: null })
  changes.length = 0
  table.end("s", "ok")
  table.end("never heard of", "ok")

  assert.deepEqual([row().end, changes], [null, []])
  assert.equal(row("never heard of"), undefined)
})

test("the second end of a turn changes nothing", () => {
  const { table, changes, row } = busyTable()
  table.end("s", "interrupted:user")
  changes.length = 0
  table.end("s", "ok")

  assert.deepEqual([row().end, changes], ["interrupted:user", []])
})

test("an end that was guessed gives way to the host's own word, once", () => {
  const { table, row } = busyTable()
  table.end("s", "ok", { guessed: true })
  table.end("s", "interrupted:user")
  table.end("s", "ok")

  assert.deepEqual([row().end, row().turn], ["interrupted:user", 1])
})

test("an error says how the turn ends, and more work makes it forgotten", () => {
  const { table } = busyTable()
  const fault = { error: { kind: "api", message: "no", reset_at: null } }
  table.failed("s", fault)
  assert.deepEqual(table.expectedEnd("s"), fault)

  table.busy("s")
  assert.equal(table.expectedEnd("s"), "ok")
})

test("an error of an idle session is not that of its next turn", () => {
  const { table } = makeTable()
  table.failed("s", "interrupted:user")
  table.busy("s")

  assert.equal(table.expectedEnd("s"), "ok")
})

test("a turn that waits to retry is busy, and ends by abort alone", () => {
  const { table, row } = busyTable()
  table.retrying("s", { attempt: 2, message: "overloaded", next: 1700000000500 })

  assert.deepEqual(row().retry, { attempt: 2, message: "overloaded", next_at: 1700000000.5 })
  assert.equal(table.expectedEnd("s"), "interrupted:user")
  table.busy("s")
  assert.deepEqual([row().retry, row().turn], [null, 1])
})

test("an ask is told without what only the table needs", () => {
  const { table, row } = busyTable()
  table.ask("s", ASK)

  assert.deepEqual(row().asks, [{ id: "per_1", kind: "permission", text: "bash: ls", at: 1 }])
})

test("an answered ask is resolved, and does not come back", () => {
  const { table, row } = busyTable()
  table.ask("s", ASK)
  table.resolve("s", "per_1")
  table.ask("s", ASK)

  assert.deepEqual([row().asks, row().resolved], [[], ["per_1"]])
})

test("an answer to an ask that was never heard is told all the same", () => {
  const { table, row } = makeTable()
  table.resolve("s", "per_9")

  assert.deepEqual(row().resolved, ["per_9"])
})

test("the end of a turn settles its asks", () => {
  const { table, row } = busyTable()
  table.ask("s", ASK)
  table.end("s", "ok")

  assert.deepEqual([row().asks, row().resolved], [[], ["per_1"]])
})

test("the end of a tool call settles what it asked, and nothing else", () => {
  const { table, row } = busyTable()
  table.ask("s", ASK)
  table.ask("s", { ...ASK, id: "per_2", call: "call_2" })
  table.ask("s", { ...ASK, id: "per_3", call: null })
  table.toolEnded("s", "call_1")
  table.toolEnded("s", null)

  assert.deepEqual(
    row().asks.map((ask) => ask.id),
    ["per_2", "per_3"],
  )
})

test("more settled asks than are remembered push out the oldest", () => {
  const { table, row } = busyTable()
  for (let number = 0; number < 70; number += 1) table.resolve("s", `per_${number}`)

  assert.deepEqual([row().resolved.length, row().resolved[0]], [64, "per_6"])
})

test("the tool that is told is the latest that still runs", () => {
  const { table, row } = busyTable()
  table.toolStarted("s", "a", "bash")
  table.toolStarted("s", "b", "read")
  assert.equal(row().tool, "read")

  table.toolEnded("s", "b")
  assert.equal(row().tool, "bash")
  table.end("s", "ok")
  assert.equal(row().tool, null)
})

test("a tool that starts after the end is not told", () => {
  const { table, row } = busyTable()
  table.end("s", "ok")
  table.toolStarted("s", "a", "bash")

  assert.equal(row().tool, null)
})

test("words that come before the turn are its prompt; a new turn has none of the last one's words", () => {
  const { table, row } = busyTable()
  table.said("s", "done")
  table.end("s", "ok")
  table.prompted("s", "next")
  assert.deepEqual([row().prompt, row().last_message], [null, "done"])

  table.busy("s")
  assert.deepEqual([row().prompt, row().last_message], ["next", null])
})

test("a prompt is one line of 200, a message has 2000 and keeps its lines", () => {
  const { table, row } = busyTable()
  table.prompted("s", `a\n\tb  ${"c".repeat(300)}`)
  table.said("s", `a\nb${"c".repeat(3000)}`)

  assert.equal(row().prompt, `a b ${"c".repeat(196)}`)
  assert.equal(row().last_message, `a\nb${"c".repeat(1997)}`)
})

test("a cut never leaves half a character", () => {
  const { table, row } = busyTable()
  table.prompted("s", "🙂".repeat(150))
  table.said("s", `a${"🙂".repeat(1500)}`)

  assert.ok(row().prompt.isWellFormed())
  assert.ok(row().last_message.isWellFormed())
})

test("the words of children, and of sessions whose parent is not known, are not told", () => {
  const { table, row } = makeTable()
  table.describe("child", { parent: "s", directory: null, agent: null })
  for (const id of ["child", "stranger"]) {
    table.busy(id)
    table.prompted(id, "task")
    table.said(id, "working on it")
  }

  assert.deepEqual([row("child").prompt, row("child").last_message], [null, null])
  assert.deepEqual([row("stranger").prompt, row("stranger").parent], [null, "unknown"])
})

test("lifecycle is told now, previews soon, and what changes nothing is not told", () => {
  const { table, changes } = busyTable()
  table.said("s", "words")
  table.said("s", "words")
  table.busy("s")
  table.ask("s", ASK)

  assert.deepEqual(changes, ["soon", "now"])
})

test("a row that an earlier generation left goes on where it stood", () => {
  const before = busyTable()
  before.table.ask("s", ASK)
  const after = makeTable(before.memories)
  after.table.takeOver(before.row())

  assert.deepEqual(after.row(), before.row())
  after.table.end("s", "ok")
  assert.deepEqual([after.row().turn, after.row().resolved], [1, ["per_1"]])
})

test("a start anew tells that a turn which was only taken over must have ended", () => {
  const before = busyTable()
  before.table.ask("s", ASK)
  const { table, row } = makeTable(before.memories)
  table.takeOver(before.row())
  table.busy("s", { anew: true })

  assert.deepEqual([row().turn, row().busy, row().asks], [2, true, []])
})

test("a start anew of a turn that is known to run is the same turn", () => {
  const { table, row } = busyTable()
  table.busy("s", { anew: true })

  assert.equal(row().turn, 1)
})

test("a row from another revision may lack what this one expects", () => {
  const { table, row } = makeTable()
  table.takeOver({ id: "s" })

  assert.deepEqual([row().busy, row().parent, row().asks, row().resolved], [false, "unknown", [], []])
})

test("a session that the process believes to run is busy when first heard of", () => {
  const { table, row } = makeTable(new Map([["s", { turn: 4, running: true }]]))
  table.resolve("s", "per_1")

  assert.deepEqual([row().busy, row().turn], [true, 4])
})

test("the end of a turn that only the process remembers is told", () => {
  const { table, row } = makeTable(new Map([["s", { turn: 4, running: true }]]))
  table.end("s", "ok")

  assert.deepEqual([row().busy, row().turn, row().end], [false, 4, "ok"])
})

test("the oldest quiet rows make room, never a busy one or one that waits", () => {
  const { table, row } = makeTable()
  table.busy("busy")
  table.ask("waits", ASK)
  for (let number = 0; number < 50; number += 1) table.resolve(`quiet ${number}`, "x")

  assert.equal(table.rows().length, 32)
  assert.ok(row("busy") && row("waits") && row("quiet 49"))
  assert.equal(row("quiet 0"), undefined)
})

test("children make room before root sessions do", () => {
  const { table, row } = makeTable()
  table.describe("root", { parent: null, directory: null, agent: null })
  for (let number = 0; number < 40; number += 1) {
    table.describe(`child ${number}`, { parent: "root", directory: null, agent: null })
  }

  assert.ok(row("root"))
})

test("busy rows are never dropped, however many", () => {
  const { table } = makeTable()
  for (let number = 0; number < 50; number += 1) table.busy(`s${number}`)

  assert.equal(table.rows().length, 50)
})
