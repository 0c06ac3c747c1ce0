import assert from "node:assert/strict"
import test from "node:test"
import { freshHost2, openHost2 } from "./hosts.mjs"
import { rowOf } from "./intake.mjs"

const S = { sessionID: "s" }

for (const [type, data, end] of [
  ["session.execution.succeeded", {}, "ok"],
  ["session.execution.interrupted", { reason: "user" }, "interrupted:user"],
  ["session.execution.interrupted", { reason: "shutdown" }, "interrupted:shutdown"],
  ["session.execution.interrupted", { reason: "superseded" }, "interrupted:shutdown"],
  ["session.deleted", {}, "interrupted:user"],
]) {
  test(`${type} ${data.reason ?? ""} ends the turn as ${end}`, async (t) => {
    const { host, until } = await freshHost2(t)
    host.emit("session.execution.started", S)
    await until((row) => row.busy)
    host.emit(type, { ...S, ...data })

    const row = await until((row) => row.end)
    assert.deepEqual([row.busy, row.turn, row.end], [false, 1, end])
  })
}

for (const [error, kind] of [
  [{ type: "provider.auth", message: "no" }, "auth"],
  [{ type: "provider.internal", message: "no" }, "api"],
  [{ type: "provider.rate_limit", message: "no" }, "rate_limit"],
  [{ type: "provider.internal", message: "no", status: 429 }, "rate_limit"],
  [{ type: "provider.quota", message: "no" }, "rate_limit"],
  [{ type: "provider.internal", message: "no", status: 402 }, "rate_limit"],
  [{ type: "plugin", message: "no" }, "other"],
]) {
  test(`an execution that failed with ${JSON.stringify(error)} ends the turn as ${kind}`, async (t) => {
    const { host, until } = await freshHost2(t)
    host.emit("session.execution.started", S)
    await until((row) => row.busy)
    host.emit("session.execution.failed", { ...S, error })

    assert.deepEqual((await until((row) => row.end)).end, { error: { kind, message: "no", reset_at: null } })
  })
}

for (const type of [
  "session.inbox.delivered",
  "session.input.promoted",
  "session.step.started",
  "session.tool.called",
  "session.retry.scheduled",
]) {
  test(`${type} is evidence of a turn whose start was missed`, async (t) => {
    const { host, until } = await freshHost2(t)
    host.emit(type, S)

    assert.equal((await until((row) => row.busy)).turn, 1)
  })

  test(`${type} of the execution that ended does not bring it back`, async (t) => {
    const { host, intake, until } = await freshHost2(t)
    host.emit("session.execution.started", S)
    host.emit("session.execution.succeeded", S)
    await until((row) => row.end)
    host.emit(type, S, { durable: { aggregateID: "s", seq: 1, version: 1 } })
    host.push({ type, data: S, created: 1 })
    host.push({ type, data: S })
    host.emit("session.created", { sessionID: "later" })
    await intake.untilTable((table) => rowOf(table, "later").id)

    assert.equal(rowOf(intake.tables.at(-1), "s").turn, 1)
  })

  test(`${type} after the end is evidence of the next execution, whose start was missed`, async (t) => {
    const { host, until } = await freshHost2(t)
    host.emit("session.execution.started", S)
    host.emit("session.execution.succeeded", S)
    await until((row) => row.end)
    host.emit(type, S)

    assert.equal((await until((row) => row.busy && row.turn === 2)).end, null)
  })
}

test("the start that follows its own evidence is the same turn", async (t) => {
  const { host, until } = await freshHost2(t)
  host.emit("session.inbox.delivered", S)
  host.emit("session.execution.started", S)
  host.emit("session.execution.succeeded", S)

  assert.equal((await until((row) => row.end)).turn, 1)
})

test("a retry is told until the next step", async (t) => {
  const { host, until } = await freshHost2(t)
  const error = { type: "provider.internal", message: "overloaded" }
  host.emit("session.retry.scheduled", { ...S, attempt: 2, at: 1700000002000, error })
  const waiting = await until((row) => row.retry)
  host.emit("session.step.started", { ...S, agent: "build" })
  const going = await until((row) => row.busy && row.retry === null)

  assert.deepEqual(waiting.retry, { attempt: 2, message: "overloaded", next_at: 1700000002 })
  assert.equal(going.turn, 1)
})

for (const [asked, replied] of [
  ["permission.asked", "permission.replied"],
  ["permission.v2.asked", "permission.v2.replied"],
  ["permission.asked", "permission.cancelled"],
]) {
  test(`${asked} waits until ${replied}`, async (t) => {
    const { host, until } = await freshHost2(t)
    host.emit("session.execution.started", S)
    host.emit(asked, { ...S, id: "per_1", action: "shell", resources: ["rm x"], source: { callID: "c" } })
    const waiting = await until((row) => row.asks?.length)
    host.emit(replied, { ...S, requestID: "per_1", reply: "once" })

    const [{ at, ...ask }] = waiting.asks
    assert.deepEqual(ask, { id: "per_1", kind: "permission", text: "shell: rm x" })
    assert.ok(at > 1700000000)
    assert.deepEqual((await until((row) => row.resolved?.length)).asks, [])
  })
}

for (const [metadata, kind] of [
  [{ kind: "question" }, "question"],
  [{ kind: "login" }, "form"],
  [undefined, "form"],
]) {
  test(`a form with ${JSON.stringify(metadata)} is a ${kind} of the session that it names`, async (t) => {
    const { host, until } = await freshHost2(t)
    const fields = [{ title: "Pick", description: "Which?" }, { title: "Only a title" }]
    host.emit("form.created", { form: { id: "frm_1", ...S, title: "Questions", metadata, fields } })
    const waiting = await until((row) => row.asks?.length)
    host.emit("form.cancelled", { id: "frm_1", ...S })

    assert.deepEqual([waiting.asks[0].kind, waiting.asks[0].text], [kind, "Which? / Only a title"])
    assert.deepEqual((await until((row) => row.resolved?.length)).asks, [])
  })
}

test("a form that belongs to no session is ignored: nothing would ever settle it", async (t) => {
  const { host, intake } = await freshHost2(t)
  host.emit("form.created", { form: { id: "frm_1", sessionID: "global" } })
  host.emit("form.created", { form: { id: "frm_2" } })
  host.emit("session.created", S)
  await intake.untilTable((table) => table.sessions.length > 0)

  assert.deepEqual(
    intake.tables.at(-1).sessions.map((row) => [row.id, row.asks]),
    [["s", []]],
  )
})

test("the end of the tool call that asked settles the ask, should its reply be missed", async (t) => {
  const { host, until } = await freshHost2(t)
  host.emit("session.execution.started", S)
  host.emit("permission.asked", {
    ...S,
    id: "per_1",
    action: "shell",
    source: { type: "tool", id: "call_1" },
  })
  await until((row) => row.asks?.length)
  host.emit("session.tool.success", { ...S, id: "call_1" })

  assert.deepEqual((await until((row) => row.resolved?.length)).asks, [])
})

test("the prompt is told when it is delivered, and only the user's", async (t) => {
  const { host, until, intake } = await freshHost2(t)
  const item = (type, text) => ({ type, payload: { text }, delivery: "steer" })
  host.emit("session.inbox.enqueued", { ...S, inboxID: "a", item: item("synthetic", "notice") })
  host.emit("session.inbox.enqueued", { ...S, inboxID: "b", item: item("user", "fix the bug") })
  host.emit("session.execution.started", S)
  host.emit("session.inbox.delivered", { ...S, inboxID: "a" })
  host.emit("session.inbox.delivered", { ...S, inboxID: "b" })

  assert.equal((await until((row) => row.prompt)).prompt, "fix the bug")
  assert.ok(intake.tables.every((table) => rowOf(table, "s").prompt !== "notice"))
})

test("the previews' names of the inbox mean the same", async (t) => {
  const { host, until } = await freshHost2(t)
  const input = { type: "user", data: { text: "fix the bug" }, delivery: "steer" }
  host.emit("session.input.admitted", { ...S, inputID: "b", input })
  host.emit("session.input.promoted", { ...S, inputID: "b" })

  assert.equal((await until((row) => row.prompt)).prompt, "fix the bug")
})

test("message, tool, agent and directory are told", async (t) => {
  const { host, until } = await freshHost2(t)
  host.emit("session.execution.started", S)
  host.emit("session.step.started", { ...S, agent: "plan" }, { location: { directory: "/proj" } })
  host.emit("session.tool.input.started", { ...S, id: "call_1", name: "shell" })
  host.emit("session.tool.called", { ...S, id: "call_1" })
  const running = await until((row) => row.tool)
  host.emit("session.tool.success", { ...S, id: "call_1" })
  host.emit("session.text.ended", { ...S, text: "done" })
  host.emit("session.execution.succeeded", S)
  const ended = await until((row) => row.end)

  assert.deepEqual([running.tool, running.agent, running.directory], ["shell", "plan", "/proj"])
  assert.deepEqual([ended.tool, ended.last_message], [null, "done"])
})

test("a session's parent comes with its creation, in either shape, or is asked of the host", async (t) => {
  const { host, until } = await freshHost2(t, { sessions: { old: { id: "old", parentID: "s" } } })
  host.emit("session.created", { sessionID: "flat", parentID: "s" })
  host.emit("session.created", { sessionID: "nested", info: { parentID: "s" } })
  host.emit("session.execution.started", { sessionID: "old" })

  for (const id of ["flat", "nested", "old"]) await until((row) => row.parent === "s", id)
})

test("of several locations, which all hear of every session, one reports it", async (t) => {
  const { host, intake, until } = await freshHost2(t)
  const other = await openHost2()
  for (const location of [host, other]) {
    location.emit("session.execution.started", S)
    location.emit("session.execution.succeeded", S)
  }
  const row = await until((row) => row.end)
  other.emit("session.created", { sessionID: "own" })
  const table = await intake.untilTable((table) => table.factory === 2 && table.sessions.length > 0)

  assert.equal(row.turn, 1)
  assert.deepEqual(
    table.sessions.map((session) => session.id),
    ["own"],
  )
})

test("a location that stays takes over from one that is closed", async (t) => {
  const { host, intake, until } = await freshHost2(t)
  const other = await openHost2()
  host.emit("session.execution.started", S)
  host.emit("permission.asked", { ...S, id: "per_1", action: "shell" })
  await until((row) => row.asks?.length)
  await host.dispose()
  other.emit("session.execution.succeeded", S)
  const table = await intake.untilTable((table) => table.factory === 2 && rowOf(table, "s").end)

  assert.deepEqual([rowOf(table, "s").turn, rowOf(table, "s").resolved], [1, ["per_1"]])
})
