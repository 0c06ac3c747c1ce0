import assert from "node:assert/strict"
import test from "node:test"
import { Table } from "../src/table.js"
import { Waiting } from "../src/waiting.js"

const PERMISSION = { id: "per_1", action: "shell", resources: ["rm x"] }
const FORM = { id: "frm_1", title: "Pick", metadata: { kind: "question" } }

/** A busy session, its asks as told, and a clock that stands still until it is moved. */
function busySession(t) {
  const memory = { turn: 0, running: false }
  const table = new Table(
    () => memory,
    () => {},
  )
  t.mock.timers.enable({ apis: ["Date"], now: 1_700_000_000_000 })
  table.busy("s")
  const waiting = new Waiting(table)
  return {
    table,
    compare: (permissions, forms = []) => waiting.compare("s", permissions, forms),
    asks: () => table.toWire()[0].asks.map((ask) => ask.id),
    pass: (milliseconds) => t.mock.timers.tick(milliseconds),
  }
}

test("a permission counts half a second after it was first seen, and says when to look again", (t) => {
  const { compare, asks, pass } = busySession(t)
  const first = compare([PERMISSION])
  pass(300)
  const second = compare([PERMISSION])
  const before = asks()
  pass(200)
  const third = compare([PERMISSION])

  assert.deepEqual([first, second, third], [500, 200, null])
  assert.deepEqual([before, asks()], [[], ["per_1"]])
})

test("a form counts at once", (t) => {
  const { compare, asks } = busySession(t)

  assert.equal(compare([], [FORM]), null)
  assert.deepEqual(asks(), ["frm_1"])
})

test("what is not listed any more is settled, each in its own list", (t) => {
  const { compare, asks, pass, table } = busySession(t)
  compare([PERMISSION], [FORM])
  pass(500)
  compare([PERMISSION], [FORM])
  compare([], null)
  const left = asks()
  compare(null, [])

  assert.deepEqual([left, asks()], [["frm_1"], []])
  assert.deepEqual(table.toWire()[0].resolved, ["per_1", "frm_1"])
})

test("what a session lists whose turn has ended is stale, and is waited for anew once it runs", (t) => {
  const { compare, asks, pass, table } = busySession(t)
  table.end("s", "ok")
  compare([PERMISSION], [FORM])
  pass(1000)
  const resting = compare([PERMISSION], [FORM])
  const told = asks()
  table.busy("s")

  assert.deepEqual([resting, told], [null, []])
  assert.equal(compare([PERMISSION], []), 500)
})

test("lists may hold anything", (t) => {
  const { compare, asks } = busySession(t)
  compare([null, 1, {}, { id: 7 }, []], [null, { id: "" }])
  compare("text", { length: 1 })

  assert.deepEqual(asks(), [])
})
