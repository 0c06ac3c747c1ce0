import assert from "node:assert/strict"
import test from "node:test"
import plugin from "../src/tui.js"
import { openHost2 } from "./hosts.mjs"
import { leavePane, openIntake, rowOf } from "./intake.mjs"

const SHARED = Symbol.for("orca-tui.status")
const S = { sessionID: "s" }
const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error("hostile")
    },
  },
)

/** A screen's context; `known` is what it knows and may be changed: {route, sessions, running, lists}. */
function screen(known = {}, more = {}) {
  const state = { route: { type: "home" }, sessions: {}, running: [], lists: {}, messages: [], ...known }
  const listeners = new Set()
  const list = (kind) => ({ list: (id) => state.lists[kind]?.[id], sync: async () => {} })
  const context = {
    app: { version: "2.0.18" },
    ui: { router: { current: () => state.route } },
    data: {
      listen(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      session: {
        get: (id) => state.sessions[id],
        root: (id) => state.sessions[id]?.parentID ?? id,
        family: (id) =>
          Object.keys(state.sessions).filter((member) => state.sessions[member].parentID === id),
        status: (id) => (state.running.includes(id) ? "running" : "idle"),
        permission: list("permission"),
        form: list("form"),
        message: { list: () => state.messages },
      },
    },
    ...more,
  }
  let seq = 0
  const emit = (type, data) => {
    seq += 1
    const details = { id: `evt_${seq}`, created: 1700000000000 + seq, type, data }
    for (const listener of listeners) listener({ details })
  }
  return { context, state, listeners, emit }
}

const SHOWN = { route: { type: "session", ...S }, sessions: { s: { id: "s" } } }

async function openScreen(t, known, more) {
  const intake = await openIntake(t)
  const it = screen(known, more)
  const dispose = await plugin.setup(it.context)
  t.after(() => dispose())
  const until = async (accepts, id = "s") =>
    rowOf(await intake.untilTable((table) => accepts(rowOf(table, id))), id)
  return { ...it, intake, dispose, until }
}

test("the entry bears whatever it is called with, and leaves nothing behind", async (t) => {
  await openIntake(t)
  const halves = [
    { ui: hostile },
    { ui: { router: hostile }, data: {} },
    { ui: { router: { current() {} } }, data: { listen: 1 } },
    { ui: { router: { current() {} } }, data: { listen: () => assert.fail("no"), session: {} } },
    { ...screen().context, app: hostile },
  ]
  for (const argument of [undefined, null, 0, "", [], {}, () => {}, hostile, ...halves]) {
    const cleanUp = await plugin.setup(argument)
    await cleanUp(argument)
    await cleanUp()
  }

  assert.equal(globalThis[SHARED]?.factories.size ?? 0, 0)
})

test("a screen that fails at everything it is asked is still a reporter, and harms nobody", async (t) => {
  const data = { listen: () => () => assert.fail("no"), session: hostile }
  const { intake, dispose } = await openScreen(t, SHOWN, { data })

  await intake.untilTable((table) => table.sessions.length === 0)
  await dispose()
})

test("events of any shape are borne", async (t) => {
  const { emit, listeners, until, state } = await openScreen(t, SHOWN)
  const types = ["session.created", "permission.asked", "form.created", "session.execution.started", 7, null]
  for (const data of [undefined, null, 1, "", [], hostile, { sessionID: 1 }, { sessionID: "s", form: 1 }]) {
    for (const type of types) emit(type, data)
  }
  for (const listener of listeners) for (const heard of [undefined, null, 1, {}, hostile]) listener(heard)
  state.running = ["s"]

  await until((row) => row.busy)
})

test("outside a pane, on OpenCode 1 and with a server of its own nothing is registered", async (t) => {
  await openIntake(t)
  const argv = process.argv
  for (const enter of [
    () => leavePane(),
    () => (process.argv = ["opencode", "--standalone"]),
    (context) => (context.app.version = "1.18.33"),
  ]) {
    await openIntake(t)
    const { context, listeners } = screen(SHOWN)
    enter(context)
    await plugin.setup(context)
    process.argv = argv

    assert.deepEqual([listeners.size, globalThis[SHARED]], [0, undefined])
  }
})

test("a screen whose version is not known reports", async (t) => {
  const { intake } = await openScreen(t, SHOWN, { app: undefined })

  await intake.untilTable((table) => table.host.version === "" && rowOf(table, "s").id)
})

test("a placeholder that the screen shows at first is no session", async (t) => {
  const { state, until, intake } = await openScreen(t, { route: { type: "session", sessionID: "dummy" } })
  Object.assign(state, SHOWN)
  await until((row) => row.id)

  assert.ok(intake.tables.every((table) => rowOf(table, "dummy").id === undefined))
})

test("a screen that shows a child is about the child's root", async (t) => {
  const sessions = { s: { id: "s" }, child: { id: "child", parentID: "s" } }
  const { until } = await openScreen(t, {
    route: { type: "session", sessionID: "child" },
    sessions,
    running: ["child"],
  })

  assert.equal((await until((row) => row.busy, "child")).parent, "s")
  assert.equal((await until((row) => row.id)).parent, null)
})

test("a family's many quiet members are worth no rows, and no tables", async (t) => {
  const sessions = { s: { id: "s" } }
  for (let number = 0; number < 100; number += 1) sessions[`c${number}`] = { id: `c${number}`, parentID: "s" }
  const { intake, state, until } = await openScreen(t, { ...SHOWN, sessions })
  await until((row) => row.id)
  const before = intake.tables.length
  state.running = ["c7"]
  await until((row) => row.busy, "c7")

  assert.deepEqual(
    intake.tables.at(-1).sessions.map((row) => row.id),
    ["s", "c7"],
  )
  assert.ok(intake.tables.length <= before + 2)
})

test("what does not change is not told again, however often it is looked at", async (t) => {
  const request = { id: "per_1", action: "shell", resources: ["rm x"] }
  const known = { ...SHOWN, running: ["s"], lists: { permission: { s: [request] } } }
  const { intake, state, until } = await openScreen(t, known)
  await until((row) => row.asks?.length)
  const before = intake.tables.length
  state.lists.form = { s: [{ id: "frm_1", title: "Pick" }] }
  await until((row) => row.asks?.length === 2)

  assert.equal(intake.tables.length, before + 1)
})

test("an answer that is heard holds against a list that still has the ask", async (t) => {
  const request = { id: "per_1", action: "shell" }
  const known = { ...SHOWN, running: ["s"], lists: { permission: { s: [request] } } }
  const { intake, emit, state, until } = await openScreen(t, known)
  await until((row) => row.asks?.length)
  emit("permission.replied", { ...S, requestID: "per_1" })
  await until((row) => row.resolved?.length)
  state.lists.form = { s: [{ id: "frm_1", title: "Pick" }] }
  await until((row) => row.asks?.some((ask) => ask.id === "frm_1"))

  assert.deepEqual(
    rowOf(intake.tables.at(-1), "s").asks.map((ask) => ask.id),
    ["frm_1"],
  )
})

test("a list that was not fetched says nothing of an ask that an earlier generation left", async (t) => {
  const request = { id: "per_1", action: "shell" }
  const known = { ...SHOWN, running: ["s"], lists: { permission: { s: [request] } } }
  const first = await openScreen(t, known)
  await first.until((row) => row.asks?.length)
  await first.dispose()
  const second = screen({ ...SHOWN, running: ["s"] })
  const dispose = await plugin.setup(second.context)
  t.after(() => dispose())
  const isNext = (table) => table.generation === 2 && rowOf(table, "s").asks?.length
  await first.intake.untilTable(isNext)
  second.state.lists.permission = { s: [] }
  const answered = await first.intake.untilTable(
    (table) => table.generation === 2 && rowOf(table, "s").resolved.length,
  )

  assert.equal(rowOf(answered, "s").busy, true)
})

test("words that were said before anybody listened are read from the messages", async (t) => {
  const messages = [
    { type: "assistant", time: { created: 3 }, content: [{ type: "text", text: "on it" }, { type: "tool" }] },
    { type: "user", time: { created: 2 }, text: "fix the bug" },
    { type: "synthetic", time: { created: 4 }, text: "<task>" },
    { type: "user", time: { created: 1 }, text: "hello" },
  ]
  const { until } = await openScreen(t, { ...SHOWN, running: ["s"], messages })
  const row = await until((row) => row.prompt && row.last_message)

  assert.deepEqual([row.prompt, row.last_message], ["fix the bug", "on it"])
})

test("an answer to an earlier prompt is not the running turn's", async (t) => {
  const messages = [
    { type: "user", time: { created: 2 }, text: "now this" },
    { type: "assistant", time: { created: 1 }, content: [{ type: "text", text: "old" }] },
  ]
  const { until } = await openScreen(t, { ...SHOWN, running: ["s"], messages })

  assert.equal((await until((row) => row.prompt === "now this")).last_message, null)
})

test("an answered prompt is that of an earlier turn, when this one was heard to start", async (t) => {
  const messages = [
    { type: "assistant", time: { created: 2 }, content: [{ type: "text", text: "done" }] },
    { type: "user", time: { created: 1 }, text: "the first" },
  ]
  const { intake, emit, state, until } = await openScreen(t, { ...SHOWN, messages })
  await until((row) => row.id)
  state.running = ["s"]
  emit("session.execution.started", S)
  await until((row) => row.busy)
  messages.unshift({ type: "user", time: { created: 3 }, text: "the second" })
  await until((row) => row.prompt === "the second")

  const told = intake.tables.map((table) => rowOf(table, "s")).filter((row) => row.busy)
  assert.deepEqual(new Set(told.map((row) => row.prompt)), new Set([null, "the second"]))
  assert.deepEqual(new Set(told.map((row) => row.last_message)), new Set([null]))
})

test("the failure that an event tells is the end, whatever the screen still believes", async (t) => {
  const { emit, state, until } = await openScreen(t, { ...SHOWN, running: ["s"] })
  await until((row) => row.busy)
  emit("session.execution.failed", { ...S, error: { type: "provider.rate_limit", message: "later" } })
  state.running = []
  const row = await until((row) => row.end)

  assert.deepEqual(row.end, { error: { kind: "rate_limit", message: "later", reset_at: null } })
})

test("a disposed screen neither looks nor listens", async (t) => {
  const { intake, dispose, emit, state, listeners, until } = await openScreen(t, SHOWN)
  await until((row) => row.id)
  await dispose()
  const before = intake.tables.length
  state.running = ["s"]
  emit("session.execution.started", S)

  assert.deepEqual([listeners.size, intake.tables.length], [0, before])
})

test("a server in the screen's own process and the screen tell of a session once", async (t) => {
  const { intake, emit, state, until } = await openScreen(t, SHOWN)
  await until((row) => row.id)
  const server = await openHost2({ sessions: { s: { id: "s" } } })
  server.emit("session.execution.started", S)
  emit("session.execution.started", S)
  state.running = ["s"]
  await until((row) => row.busy)
  state.running = []
  server.emit("session.execution.succeeded", S)
  emit("session.execution.succeeded", S)
  const row = await until((row) => row.end)
  server.emit("session.created", { sessionID: "own" })
  await until((row) => row.id, "own")

  const tellers = intake.tables.filter((table) => rowOf(table, "s").id).map((table) => table.factory)
  assert.deepEqual([row.turn, new Set(tellers)], [1, new Set([1])])
  await server.dispose()
})
