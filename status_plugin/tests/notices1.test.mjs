/** Notices in OpenCode 1: what its client is asked for, what the hooks add, and what is told of it. */

import assert from "node:assert/strict"
import test from "node:test"
import { openHost1 } from "./hosts.mjs"
import { openIntake, rowOf } from "./intake.mjs"

const MODEL = { providerID: "fake", modelID: "small" }
const WAKE = { item: "i1", kind: "wake", notice: "n1", session: "s", text: "look", if_idle: false, mode: null }

/**
 * A host at rest whose user has prompted as agent `plan`; `calls` are what its client was asked for. `looked`
 * runs while it is asked for the session.
 */
async function hostAtRest(t, { answer = () => ({ data: {} }), info = {}, looked = async () => ({}) } = {}) {
  const intake = await openIntake(t)
  const calls = []
  const called = (name) => async (input) => {
    calls.push({ name, ...input })
    return answer(name)
  }
  const session = {
    get: async ({ path }) => ({ data: { id: path.id, ...info, ...(await looked()) } }),
    promptAsync: called("promptAsync"),
    prompt: called("prompt"),
    abort: called("abort"),
  }
  const host = await openHost1({ client: { session } })
  const user = { id: "msg_1", sessionID: "s", role: "user", agent: "plan", model: MODEL }
  host.emit("message.updated", { sessionID: "s", info: user })
  await intake.until(() => intake.held.size > 0)
  return { intake, host, calls }
}

const prompted = (host, id) => host.hooks["chat.message"]({ sessionID: "s" }, { message: { id } })
const busy = (host) => host.emit("session.status", { sessionID: "s", status: { type: "busy" } })
const asked = (host) => host.emit("question.asked", { sessionID: "s", id: "q", questions: [] })

function answers(host, parentID) {
  const info = { id: "msg_a", sessionID: "s", role: "assistant", parentID }
  host.emit("message.updated", { sessionID: "s", info })
}

function prompts(host, id) {
  host.emit("message.updated", { sessionID: "s", info: { id, sessionID: "s", role: "user" } })
}

test("a wake is a prompt of its own as the session's agent, and its answer is the receipt", async (t) => {
  const { intake, host, calls } = await hostAtRest(t)

  await intake.offer(WAKE)
  const taken = await intake.untilTold((word) => word.item === "i1")
  const { messageID, ...body } = calls[0].body
  answers(host, messageID)
  const received = await intake.untilTold((word) => word.outcome === "received")

  assert.equal(taken.outcome, "taken")
  assert.match(messageID, /^msg_[0-9a-f]{26}$/)
  assert.deepEqual(body, { parts: [{ type: "text", text: "look" }], agent: "plan", model: MODEL })
  assert.equal(received.notice, "n1")
})

test("an answer to a later message is a receipt too, one to an earlier message is none", async (t) => {
  const { intake, host, calls } = await hostAtRest(t)
  await intake.offer(WAKE)
  await intake.untilTold((word) => word.item === "i1")

  const { messageID } = calls[0].body
  answers(host, "msg_1")
  answers(host, "msg_never_seen")
  prompts(host, messageID)
  prompts(host, "msg_2")
  assert.ok(!intake.told.some((word) => word.outcome === "received"))
  answers(host, "msg_2")

  assert.equal((await intake.untilTold((word) => word.outcome === "received")).notice, "n1")
})

test("a message that is still on its way is not proven by the answer to another one", async (t) => {
  const { intake, host, calls } = await hostAtRest(t)
  await intake.offer(WAKE)
  await intake.untilTold((word) => word.item === "i1")

  const { messageID } = calls[0].body
  prompts(host, "msg_2")
  prompts(host, messageID)
  answers(host, "msg_2")
  assert.ok(!intake.told.some((word) => word.outcome === "received"))
  answers(host, messageID)

  assert.equal((await intake.untilTold((word) => word.outcome === "received")).notice, "n1")
})

test("an item that is offered again is begun once", async (t) => {
  const { intake, calls } = await hostAtRest(t)
  await intake.offer(WAKE)
  await intake.untilTold((word) => word.item === "i1")

  await intake.offer(WAKE, { ...WAKE, item: "i2", notice: "n2" })
  await intake.untilTold((word) => word.item === "i2")

  assert.equal(calls.length, 2)
})

for (const [reason, prepare, item] of [
  ["busy", busy, {}],
  ["waiting", asked, {}],
  ["agent_mismatch", () => {}, { if_idle: true, mode: "build" }],
]) {
  test(`a session is not woken when a last look says ${reason}`, async (t) => {
    const { intake, host, calls } = await hostAtRest(t)
    prepare(host)

    await intake.offer({ ...WAKE, ...item })
    const told = await intake.untilTold((word) => word.item === "i1")

    assert.deepEqual([told.outcome, told.reason, calls.length], ["refused", reason, 0])
  })
}

test("a session that was rewound is not woken", async (t) => {
  const { intake, calls } = await hostAtRest(t, { info: { revert: { messageID: "msg_1" } } })

  await intake.offer(WAKE)

  assert.equal((await intake.untilTold((word) => word.item === "i1")).reason, "reverted")
  assert.deepEqual(calls, [])
})

for (const [what, between, reason] of [
  ["a prompt of the user's", (host) => prompted(host, "msg_2"), "busy"],
  ["a turn", busy, "busy"],
  ["a question", asked, "waiting"],
  ["another agent", () => ({ agent: "plan" }), "agent_mismatch"],
  ["a step back", () => ({ revert: { messageID: "msg_1" } }), "reverted"],
]) {
  test(`${what} between the server's look and the wake keeps it from waking`, async (t) => {
    const opened = {}
    const looked = async () => (await between(opened.host)) ?? {}
    const { intake, host, calls } = await hostAtRest(t, { info: { agent: "build" }, looked })
    opened.host = host

    await intake.offer({ ...WAKE, if_idle: true, mode: "build" })
    const told = await intake.untilTold((word) => word.item === "i1")

    assert.deepEqual([told.outcome, told.reason, calls], ["refused", reason, []])
  })
}

test("a prompt comes first until its turn is over, or until it has started none for a while", async (t) => {
  t.mock.timers.enable({ apis: ["Date"] })
  const { intake, host, calls } = await hostAtRest(t)
  const offered = async (item) => {
    await intake.offer({ ...WAKE, item })
    return (await intake.untilTold((word) => word.item === item)).outcome
  }
  await prompted(host, "msg_2")

  const outcomes = [await offered("i1")]
  busy(host)
  host.emit("session.idle", { sessionID: "s" })
  outcomes.push(await offered("i2"))
  await prompted(host, "msg_3")
  outcomes.push(await offered("i3"))
  t.mock.timers.tick(10_000)
  outcomes.push(await offered("i4"))

  assert.deepEqual(outcomes, ["refused", "taken", "refused", "taken"])
  assert.equal(calls.length, 2)
})

test("a host that answers with an error has failed, one that breaks has done nobody knows what", async (t) => {
  let broken = false
  const answer = () => {
    if (broken) throw new Error("broken")
    return { error: { name: "BadRequest" } }
  }
  const { intake } = await hostAtRest(t, { answer })

  await intake.offer(WAKE)
  const failed = await intake.untilTold((word) => word.item === "i1")
  broken = true
  await intake.offer({ ...WAKE, item: "i2" })
  const unknown = await intake.untilTold((word) => word.item === "i2")

  assert.deepEqual([failed.outcome, unknown.outcome], ["failed", "unknown"])
})

test("what waits comes into the user's prompt as hidden parts behind the user's own", async (t) => {
  const { intake, host } = await hostAtRest(t)
  intake.waiting.prompt = [{ notice: "n1", text: "by the way" }]
  const own = { id: "prt_0000000000001", type: "text", text: "go on" }
  const output = { message: { id: "msg_2", role: "user" }, parts: [own] }

  await host.hooks["chat.message"]({ sessionID: "s" }, output)
  const taken = await intake.untilTold((word) => word.notice === "n1")
  answers(host, "msg_2")

  const [first, added] = output.parts
  assert.equal(first, own)
  assert.deepEqual([added.text, added.synthetic], ["by the way", true])
  assert.deepEqual([added.messageID, added.sessionID], ["msg_2", "s"])
  assert.ok(added.id > own.id)
  assert.equal(taken.outcome, "taken")
  assert.equal((await intake.untilTold((word) => word.outcome === "received")).notice, "n1")
})

test("our own prompt takes nothing along", async (t) => {
  const { intake, host, calls } = await hostAtRest(t)
  await intake.offer(WAKE)
  await intake.untilTold((word) => word.item === "i1")
  intake.waiting.prompt = [{ notice: "n2", text: "by the way" }]
  const output = { message: { id: calls[0].body.messageID }, parts: [] }

  await host.hooks["chat.message"]({ sessionID: "s" }, output)

  assert.deepEqual([output.parts, intake.asked], [[], []])
})

test("what steers is put in behind a tool call, without starting a turn", async (t) => {
  const { intake, host, calls } = await hostAtRest(t)
  intake.waiting.tool = [{ notice: "n1", text: "stop that" }]

  await host.hooks["tool.execute.after"]({ sessionID: "s", callID: "c", tool: "bash" }, {})
  await intake.untilTold((word) => word.notice === "n1" && word.outcome === "taken")
  const { messageID, ...body } = calls[0].body
  answers(host, messageID)

  const parts = [{ type: "text", text: "stop that", synthetic: true }]
  assert.deepEqual(body, { noReply: true, parts, agent: "plan", model: MODEL })
  assert.equal((await intake.untilTold((word) => word.outcome === "received")).notice, "n1")
})

test("a host that breaks while it takes a steering notice has done nobody knows what", async (t) => {
  const answer = () => {
    throw new Error("broken")
  }
  const { intake, host } = await hostAtRest(t, { answer })
  intake.waiting.tool = [{ notice: "n1", text: "stop that" }]

  await host.hooks["tool.execute.after"]({ sessionID: "s" }, {})

  assert.equal((await intake.untilTold((word) => word.notice === "n1")).outcome, "unknown")
})

test("of a session whose prompt was not heard the host says as whom it speaks", async (t) => {
  const info = { agent: "review", model: { providerID: "p", id: "m" } }
  const { intake, host, calls } = await hostAtRest(t, { info })
  intake.waiting.tool = [{ notice: "n1", text: "stop that" }]

  await host.hooks["tool.execute.after"]({ sessionID: "resumed" }, {})

  assert.equal(calls[0].body.agent, "review")
  assert.deepEqual(calls[0].body.model, { providerID: "p", modelID: "m" })
})

test("a host that says nothing of a session is not asked for more", async (t) => {
  const looked = async () => {
    throw new Error("broken")
  }
  const { intake, host, calls } = await hostAtRest(t, { looked })
  intake.waiting.tool = [{ notice: "n2", text: "stop that" }]

  await intake.offer(WAKE)
  const woken = await intake.untilTold((word) => word.item === "i1")
  await host.hooks["tool.execute.after"]({ sessionID: "resumed" }, {})
  const steered = await intake.untilTold((word) => word.notice === "n2")

  assert.deepEqual([woken.outcome, woken.reason, steered.outcome], ["refused", "unknown_status", "not_taken"])
  assert.deepEqual(calls, [])
})

test("an interrupt aborts the session", async (t) => {
  const { intake, calls } = await hostAtRest(t)

  await intake.offer({ item: "i1", kind: "interrupt", session: "s" })
  await intake.untilTold((word) => word.item === "i1")

  assert.deepEqual([calls[0].name, calls[0].path], ["abort", { id: "s" }])
})

test("a turn that is interrupted before its model was asked ends as interrupted, unless it goes on", async (t) => {
  const { intake, host } = await hostAtRest(t)
  const interrupted = async (item) => {
    await intake.offer({ item, kind: "interrupt", session: "s" })
    await intake.untilTold((word) => word.item === item)
  }
  const ended = async (turn) => {
    host.emit("session.idle", { sessionID: "s" })
    const isOver = (row) => row.turn === turn && !row.busy
    return rowOf(await intake.untilTable((table) => isOver(rowOf(table, "s"))), "s").end
  }

  busy(host)
  await interrupted("i1")
  const stopped = await ended(1)
  busy(host)
  await interrupted("i2")
  busy(host)
  const wentOn = await ended(2)

  assert.deepEqual([stopped, wentOn], ["interrupted:user", "ok"])
})

test("a kind of work that is not known has failed", async (t) => {
  const { intake } = await hostAtRest(t)

  await intake.offer({ item: "i1", kind: "dance", session: "s" })

  assert.equal((await intake.untilTold((word) => word.item === "i1")).outcome, "failed")
})

test("a server that is away keeps no prompt waiting and breaks no hook", async (t) => {
  const { intake, host } = await hostAtRest(t)
  await intake.close()
  const output = { message: { id: "msg_2" }, parts: [] }

  await host.hooks["chat.message"]({ sessionID: "s" }, output)
  await host.hooks["tool.execute.after"]({ sessionID: "s" }, {})
  await host.hooks["chat.message"](undefined, null)

  assert.deepEqual(output.parts, [])
})
