import assert from "node:assert/strict"
import test from "node:test"
import { openHost1 } from "./hosts.mjs"
import { openIntake, rowOf } from "./intake.mjs"

const S = { sessionID: "s" }
const status = (type, more) => ["session.status", { ...S, status: { type, ...more } }]
const created = (id, parentID) => [
  "session.created",
  { sessionID: id, info: { id, parentID, version: "1.18.33" } },
]

/** A host with one root session that is busy, and its row whenever `accepts` holds. */
async function busyHost(t, options) {
  const intake = await openIntake(t)
  const host = await openHost1(options)
  host.emit(...created("s"))
  host.emit(...status("busy"))
  const until = async (accepts, id = "s") =>
    rowOf(await intake.untilTable((table) => accepts(rowOf(table, id))), id)
  await until((row) => row.busy)
  return { intake, host, until }
}

test("a turn runs from busy to idle, and the two ends of it are one", async (t) => {
  const { host, until } = await busyHost(t)
  host.emit(...status("idle"))
  host.emit("session.idle", S)

  const row = await until((row) => row.end)
  assert.deepEqual([row.busy, row.turn, row.end], [false, 1, "ok"])
})

test("an abort ends the turn as the user's, and its second pair of ends changes nothing", async (t) => {
  const { host, until, intake } = await busyHost(t)
  host.emit("session.error", { ...S, error: { name: "MessageAbortedError", data: { message: "Aborted" } } })
  for (let pair = 0; pair < 2; pair += 1) {
    host.emit(...status("idle"))
    host.emit("session.idle", S)
  }
  host.emit(...created("later"))
  await intake.untilTable((table) => rowOf(table, "later").id)

  assert.equal((await until((row) => row.end)).end, "interrupted:user")
  assert.deepEqual(intake.tables.at(-1).sessions[0].end, "interrupted:user")
})

for (const [error, expected] of [
  [
    { name: "APIError", data: { message: "no", statusCode: 401 } },
    { kind: "auth", message: "no" },
  ],
  [
    { name: "APIError", data: { message: "no", statusCode: 429 } },
    { kind: "rate_limit", message: "no" },
  ],
  [
    { name: "APIError", data: { message: "no credit", statusCode: 402 } },
    { kind: "rate_limit", message: "no credit" },
  ],
  [
    { name: "APIError", data: { message: "no", statusCode: 500 } },
    { kind: "api", message: "no" },
  ],
  [
    { name: "ProviderAuthError", data: { message: "key" } },
    { kind: "auth", message: "key" },
  ],
  [{ name: "UnknownError" }, { kind: "other", message: "UnknownError" }],
  [undefined, { kind: "other", message: "" }],
]) {
  test(`the error ${JSON.stringify(error)} ends the turn when the idle comes`, async (t) => {
    const { host, until } = await busyHost(t)
    host.emit("session.error", { ...S, error })
    host.emit(...status("idle"))

    assert.deepEqual((await until((row) => row.end)).end, { error: { ...expected, reset_at: null } })
  })
}

const DATE = "Fri, 01 Jan 2027 00:00:00 GMT"

for (const [headers, isRight] of [
  [{ "retry-after": DATE }, (at) => at === Date.parse(DATE) / 1000],
  [{ "retry-after": "60" }, (at, now) => at >= now + 60 && at < now + 90],
  [{ "retry-after-ms": "90000", "retry-after": "60" }, (at, now) => at >= now + 90 && at < now + 120],
  [{ "retry-after-ms": "soon", "retry-after": "60" }, (at, now) => at >= now + 60 && at < now + 90],
  [{ "retry-after": "soon" }, (at) => at === null],
  [{}, (at) => at === null],
]) {
  test(`the time at which a limit ends is told as ${JSON.stringify(headers)} tells it`, async (t) => {
    const { host, until } = await busyHost(t)
    const now = Date.now() / 1000
    const data = { message: "no", statusCode: 429, responseHeaders: headers }
    host.emit("session.error", { ...S, error: { name: "APIError", data } })
    host.emit(...status("idle"))

    assert.ok(isRight((await until((row) => row.end)).end.error.reset_at, now - 1))
  })
}

test("an error that is followed by more work does not end the turn as an error", async (t) => {
  const { host, until } = await busyHost(t)
  host.emit("session.error", { ...S, error: { name: "ContextOverflowError", data: { message: "full" } } })
  host.emit(...status("busy"))
  host.emit(...status("idle"))

  assert.equal((await until((row) => row.end)).end, "ok")
})

test("a turn that is aborted while it waits to retry was interrupted, though no error says so", async (t) => {
  const { host, until } = await busyHost(t)
  host.emit(...status("retry", { attempt: 1, message: "overloaded", next: 1700000000000 }))
  const waiting = await until((row) => row.retry)
  host.emit(...status("idle"))

  assert.deepEqual(waiting.retry, { attempt: 1, message: "overloaded", next_at: 1700000000 })
  assert.equal((await until((row) => row.end)).end, "interrupted:user")
})

test("a turn that gives up retrying ends with the error", async (t) => {
  const { host, until } = await busyHost(t)
  host.emit(...status("retry", { attempt: 9, message: "overloaded" }))
  host.emit("session.error", { ...S, error: { name: "APIError", data: { message: "gave up" } } })
  host.emit(...status("idle"))

  assert.equal((await until((row) => row.end)).end.error.message, "gave up")
})

test("a permission waits until it is replied to", async (t) => {
  const { host, until } = await busyHost(t)
  const patterns = ["git push", "git pull"]
  host.emit("permission.asked", { ...S, id: "per_1", permission: "bash", patterns, tool: { callID: "c" } })
  const asked = await until((row) => row.asks?.length)
  host.emit("permission.replied", { ...S, requestID: "per_1", reply: "once" })
  const answered = await until((row) => row.resolved?.length)

  const [{ at, ...ask }] = asked.asks
  assert.deepEqual(ask, { id: "per_1", kind: "permission", text: "bash: git push, git pull" })
  assert.ok(Math.abs(at - Date.now() / 1000) < 60)
  assert.deepEqual([answered.busy, answered.asks, answered.resolved], [true, [], ["per_1"]])
})

test("a question tells its words, and is settled by an answer or a refusal", async (t) => {
  const { host, until } = await busyHost(t)
  const questions = [{ question: "Which?", header: "Pick" }, { header: "Only a header" }, null]
  host.emit("question.asked", { ...S, id: "que_1", questions })
  host.emit("question.asked", { ...S, id: "que_2", questions: [] })
  const asked = await until((row) => row.asks?.length === 2)
  host.emit("question.replied", { ...S, requestID: "que_1", answers: [["A"]] })
  host.emit("question.rejected", { ...S, requestID: "que_2" })

  assert.deepEqual(
    asked.asks.map(({ kind, text }) => [kind, text]),
    [
      ["question", "Which? / Only a header"],
      ["question", ""],
    ],
  )
  assert.deepEqual((await until((row) => row.resolved?.length === 2)).asks, [])
})

test("a refusal that ends the turn is the user's end; one that more work follows is none", async (t) => {
  const { host, until } = await busyHost(t)
  host.emit("permission.replied", { ...S, requestID: "per_1", reply: "reject" })
  host.emit(...status("busy"))
  host.emit(...status("idle"))
  assert.equal((await until((row) => row.end)).end, "ok")

  host.emit(...status("busy"))
  host.emit("permission.replied", { ...S, requestID: "per_2", reply: "reject" })
  host.emit(...status("idle"))
  assert.equal((await until((row) => row.turn === 2 && row.end)).end, "interrupted:user")
})

test("an ask that dies with its turn is settled by the end", async (t) => {
  const { host, until } = await busyHost(t)
  host.emit("permission.asked", { ...S, id: "per_1", permission: "bash", patterns: [] })
  host.emit(...status("idle"))

  assert.deepEqual((await until((row) => row.end)).resolved, ["per_1"])
})

test("messages and updates after the end are no work", async (t) => {
  const { host, intake, until } = await busyHost(t)
  host.emit(...status("idle"))
  await until((row) => row.end)
  host.emit("session.updated", { ...S, info: { id: "s", title: "t", agent: "plan" } })
  host.emit("message.updated", { ...S, info: { id: "m", role: "assistant" } })
  host.emit("message.part.updated", { ...S, part: { type: "text", text: "late", messageID: "m" } })
  host.emit("message.part.updated", {
    ...S,
    part: { type: "tool", tool: "bash", callID: "c", state: { status: "running" } },
  })

  const row = await until((row) => row.last_message === "late")
  assert.deepEqual([row.busy, row.end, row.tool, row.agent], [false, "ok", null, "plan"])
  assert.equal(intake.tables.filter((table) => rowOf(table, "s").turn === 2).length, 0)
})

test("the prompt is what the user typed, not what was put beside it", async (t) => {
  const { host, until } = await busyHost(t)
  host.emit("message.updated", { ...S, info: { id: "m", role: "user", agent: "build" } })
  const part = (id, text, more) => ({
    part: { type: "text", id, text, messageID: "m", sessionID: "s", ...more },
  })
  host.emit("message.part.updated", part("p0", "<task>", { synthetic: true }))
  host.emit("message.part.updated", part("p1", "fix  the\nbug"))
  host.emit("message.part.updated", part("p2", "contents of a file"))

  const row = await until((row) => row.prompt)
  assert.deepEqual([row.prompt, row.agent], ["fix the bug", "build"])
})

test("text whose author is not known is nobody's, and a summary is no message", async (t) => {
  const { host, intake, until } = await busyHost(t)
  host.emit("message.updated", { ...S, info: { id: "sum", role: "assistant", summary: true } })
  for (const messageID of ["unheard", "sum"]) {
    host.emit("message.part.updated", { ...S, part: { type: "text", text: "words", messageID } })
  }
  host.emit(...status("idle"))
  await until((row) => row.end)

  assert.ok(intake.tables.every((table) => rowOf(table, "s").last_message !== "words"))
})

test("streamed text becomes one table in a quarter of a second, with the newest words", async (t) => {
  const { host, intake, until } = await busyHost(t)
  host.emit("message.updated", { ...S, info: { id: "m", role: "assistant" } })
  const before = intake.tables.length
  for (let length = 1; length <= 100; length += 1) {
    host.emit("message.part.updated", {
      ...S,
      part: { type: "text", text: "x".repeat(length), messageID: "m" },
    })
  }
  await until((row) => row.last_message)

  assert.equal(intake.tables.length, before + 1)
  assert.equal(rowOf(intake.tables.at(-1), "s").last_message.length, 100)
})

test("the running tool is told", async (t) => {
  const { host, until } = await busyHost(t)
  const tool = (state) => [
    "message.part.updated",
    { ...S, part: { type: "tool", tool: "bash", callID: "c", state } },
  ]
  host.emit(...tool({ status: "pending" }))
  host.emit(...tool({ status: "running" }))
  await until((row) => row.tool === "bash")
  host.emit(...tool({ status: "completed" }))
  host.emit(...status("idle"))

  assert.equal((await until((row) => row.end)).tool, null)
})

test("a child is known by its creation", async (t) => {
  const { host, until } = await busyHost(t)
  host.emit(...created("child", "s"))
  host.emit("session.status", { sessionID: "child", status: { type: "busy" } })

  assert.equal((await until((row) => row.busy, "child")).parent, "s")
})

test("the parent of a session whose creation was not heard is asked of the host", async (t) => {
  const { host, until } = await busyHost(t, {
    sessions: { old: { id: "old", parentID: "s" }, other: { id: "x" } },
  })
  host.emit("session.status", { sessionID: "old", status: { type: "busy" } })
  host.emit("session.status", { sessionID: "other", status: { type: "busy" } })

  assert.equal((await until((row) => row.parent === "s", "old")).busy, true)
  assert.equal((await until((row) => row.busy, "other")).parent, "unknown")
})

test("the host is asked once at a time", async (t) => {
  let asked = 0
  const get = () => new Promise(() => (asked += 1))
  const { host, until } = await busyHost(t, { client: { session: { get } } })
  for (let number = 0; number < 9; number += 1) {
    host.emit("session.status", { sessionID: "old", status: { type: "busy" } })
  }
  await until((row) => row.busy, "old")

  assert.equal(asked, 1)
})

test("a creation that describes another session, or none, says nothing", async (t) => {
  const { host, intake } = await busyHost(t)
  host.emit("session.created", { sessionID: "a", info: { id: "b" } })
  host.emit("session.created", { sessionID: "a", info: {} })
  host.emit(...created("later"))
  const table = await intake.untilTable((table) => rowOf(table, "later").id)

  assert.deepEqual(
    table.sessions.map((row) => row.id),
    ["s", "later"],
  )
})

test("a deleted session has no turn any more", async (t) => {
  const { host, until } = await busyHost(t)
  host.emit("session.deleted", { ...S, info: { id: "s" } })

  assert.equal((await until((row) => row.end)).end, "interrupted:user")
})

test("the version of the host is the one that creates sessions", async (t) => {
  const { intake } = await busyHost(t)

  assert.deepEqual(intake.tables.at(-1).host, { major: 1, version: "1.18.33" })
})

test("the last table of a disposed factory tells what it held, and that it is gone", async (t) => {
  const { host, intake } = await busyHost(t)
  await host.dispose()
  await host.dispose()
  const { gone, sessions } = intake.tables.at(-1)

  assert.deepEqual([gone, sessions[0].busy], [true, true])
  assert.equal(intake.tables.filter((table) => table.gone).length, 1)
})

test("a disposed factory is deaf", async (t) => {
  const { host, intake } = await busyHost(t)
  await host.dispose()
  const before = intake.tables.length
  for (const type of ["idle", "busy", "idle"]) host.emit(...status(type))
  host.emit(...created("later"))
  const next = await openHost1()
  next.emit(...status("busy"))
  const table = await intake.untilTable((table) => table.factory === 2 && rowOf(table, "s").busy)

  assert.deepEqual([rowOf(table, "s").turn, table.generation], [2, 2])
  assert.ok(intake.tables.slice(before).every((table) => table.factory === 2))
})

test("a factory that is gone is told of later, when the server was away at the time", async (t) => {
  const { host, intake } = await busyHost(t)
  await intake.close()
  await host.dispose()
  await intake.listen()

  await intake.untilTable((table) => table.gone)
})

test("an event that two factories hear is reported by one", async (t) => {
  const { intake } = await busyHost(t)
  const twin = await openHost1()
  twin.emit(...status("busy"))
  twin.emit(...created("own"))
  const table = await intake.untilTable((table) => table.factory === 2 && rowOf(table, "own").id)

  assert.deepEqual(
    table.sessions.map((row) => row.id),
    ["own"],
  )
})

test("a survivor reports what the disposed factory had claimed", async (t) => {
  const { host, intake } = await busyHost(t)
  const survivor = await openHost1()
  await host.dispose()
  survivor.emit(...status("busy"))
  const table = await intake.untilTable((table) => table.factory === 2 && rowOf(table, "s").busy)

  assert.equal(rowOf(table, "s").turn, 2)
})
