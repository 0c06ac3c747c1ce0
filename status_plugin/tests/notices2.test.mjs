/** Notices in OpenCode 2: through its session calls, with and without what later hosts do by themselves. */

import assert from "node:assert/strict"
import test from "node:test"
import { openHost2 } from "./hosts.mjs"
import { openIntake } from "./intake.mjs"

const S = { sessionID: "s" }
const CONDITION = { if_idle: true, mode: "build" }
const LATER = { active: async () => ({}), inbox: { cancel: async () => {} } }
const WAKE = { item: "i1", kind: "wake", notice: "n1", session: "s", text: "look", ...CONDITION }

/** A host at rest; `answer` is what `synthetic` returns, `later` what newer hosts have. */
async function hostAtRest(t, { answer = () => ({}), agent = "build", later = {} } = {}) {
  const intake = await openIntake(t)
  const calls = []
  const hooks = []
  const session = {
    get: async () => ({ id: "s", agent }),
    synthetic: async (input) => {
      calls.push(input)
      return answer(input)
    },
    interrupt: async (input) => void calls.push(input),
    hook: async (name, run) => {
      hooks.push({ name, run })
      return { dispose: async () => {} }
    },
    ...later,
  }
  const host = await openHost2({ session })
  await intake.until(() => intake.held.size > 0)
  return { intake, host, calls, hooks }
}

const received = (intake) => intake.untilTold((word) => word.outcome === "received")

test("a wake is put into the host's inbox, and its delivery is the receipt", async (t) => {
  const { intake, host, calls } = await hostAtRest(t)

  await intake.offer(WAKE)
  await intake.untilTold((word) => word.item === "i1" && word.outcome === "taken")
  const { id, ...call } = calls[0]
  host.emit("session.inbox.delivered", { ...S, inboxID: id })

  assert.deepEqual(call, { ...S, text: "look", description: "look", delivery: "queue", resume: true })
  assert.equal((await received(intake)).guard, undefined)
})

test("a preview's word for the delivery is the receipt too", async (t) => {
  const { intake, host, calls } = await hostAtRest(t)
  await intake.offer(WAKE)
  await intake.untilTold((word) => word.item === "i1")

  host.emit("session.input.promoted", { ...S, inputID: calls[0].id })

  assert.equal((await received(intake)).notice, "n1")
})

test("the delivery of a later row proves no earlier one", async (t) => {
  const { intake, host, calls } = await hostAtRest(t)
  await intake.offer(WAKE, { ...WAKE, item: "i2", notice: "n2" })
  await intake.untilTold((word) => word.item === "i1")
  await intake.untilTold((word) => word.item === "i2")

  host.emit("session.inbox.delivered", { ...S, inboxID: calls[1].id })
  await received(intake)
  host.emit("session.inbox.delivered", { ...S, inboxID: calls[0].id })
  await intake.untilTold((word) => word.outcome === "received" && word.notice === "n1")

  const told = intake.told.filter((word) => word.outcome === "received")
  assert.deepEqual(told.map((word) => word.notice), ["n2", "n1"])
})

test("a host that can look and wake in one does, and that is said", async (t) => {
  const { intake, host, calls } = await hostAtRest(t, { answer: () => ({ woke: true }), later: LATER })

  await intake.offer(WAKE)
  const taken = await intake.untilTold((word) => word.item === "i1")
  host.emit("session.inbox.delivered", { ...S, inboxID: calls[0].id })

  assert.deepEqual(calls[0].resume, { ifIdle: true, agent: "build" })
  assert.equal(taken.guard, "host")
  await received(intake)
})

test("a delivery that is heard of before the call returns knows who decided", async (t) => {
  let release
  const answer = () => new Promise((resolve) => (release = () => resolve({ woke: true })))
  const { intake, host, calls } = await hostAtRest(t, { answer, later: LATER })

  await intake.offer(WAKE)
  while (calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
  host.emit("session.inbox.delivered", { ...S, inboxID: calls[0].id })
  await new Promise((resolve) => setImmediate(resolve))
  release()

  assert.equal((await received(intake)).guard, "host")
})

test("what such a host does not wake is taken out of its inbox again", async (t) => {
  const cancelled = []
  const later = { active: async () => ({}), inbox: { cancel: async (input) => void cancelled.push(input) } }
  const answer = () => ({ woke: false, reason: "agentMismatch" })
  const { intake, calls } = await hostAtRest(t, { answer, later })

  await intake.offer(WAKE)
  const told = await intake.untilTold((word) => word.item === "i1")

  assert.deepEqual([told.outcome, told.reason], ["refused", "agent_mismatch"])
  assert.deepEqual(cancelled, [{ ...S, inboxID: calls[0].id }])
})

test("a host that could not give it back is not asked to decide", async (t) => {
  const { intake, calls } = await hostAtRest(t, { later: { active: async () => ({}) } })

  await intake.offer(WAKE)
  await intake.untilTold((word) => word.item === "i1")

  assert.equal(calls[0].resume, true)
})

test("a prompt of the user's comes first, before the host tells of its turn", async (t) => {
  const { intake, host, calls, hooks } = await hostAtRest(t)
  await hooks[0].run({ ...S, type: "user", text: "go on" })

  await intake.offer(WAKE)
  const refused = await intake.untilTold((word) => word.item === "i1")
  host.emit("session.execution.started", S)
  host.emit("session.execution.succeeded", S)
  await intake.untilTable((table) => table.sessions.some((row) => row.end === "ok"))
  await intake.offer({ ...WAKE, item: "i2" })
  const taken = await intake.untilTold((word) => word.item === "i2")

  assert.deepEqual([refused.outcome, refused.reason, taken.outcome], ["refused", "busy", "taken"])
  assert.equal(calls.length, 1)
})

test("an agent that was switched is not woken", async (t) => {
  const { intake, calls } = await hostAtRest(t, { agent: "plan" })

  await intake.offer(WAKE)

  assert.equal((await intake.untilTold((word) => word.item === "i1")).reason, "agent_mismatch")
  assert.deepEqual(calls, [])
})

test("what waits comes in with the user's prompt, and not with ours", async (t) => {
  const { intake, host, calls, hooks } = await hostAtRest(t)
  intake.waiting.prompt = [{ notice: "n1", text: "by the way" }]
  const [{ name, run }] = hooks

  await run({ ...S, type: "synthetic" })
  const asked = intake.asked.length
  await run({ ...S, type: "user", text: "go on" })
  await intake.untilTold((word) => word.notice === "n1" && word.outcome === "taken")
  host.emit("session.inbox.delivered", { ...S, inboxID: calls[0].id })

  assert.deepEqual([name, asked], ["prompt", 0])
  assert.deepEqual([calls[0].text, calls[0].delivery, calls[0].resume], ["by the way", "steer", false])
  await received(intake)
})

test("what steers comes in behind a tool call", async (t) => {
  const { intake, host, calls } = await hostAtRest(t)
  intake.waiting.tool = [{ notice: "n1", text: "stop that" }]

  host.emit("session.tool.success", { ...S, id: "call_1" })
  await intake.untilTold((word) => word.notice === "n1" && word.outcome === "taken")

  assert.deepEqual([calls[0].text, calls[0].delivery, calls[0].resume], ["stop that", "steer", false])
})

test("of what the host throws at nobody knows whether it came in, but for its delivery", async (t) => {
  const answer = () => {
    throw new Error("the answer was lost")
  }
  const { intake, host, calls, hooks } = await hostAtRest(t, { answer })
  intake.waiting.prompt = [{ notice: "n1", text: "by the way" }]

  await hooks[0].run({ ...S, type: "user" })
  const told = await intake.untilTold((word) => word.notice === "n1")
  host.emit("session.inbox.delivered", { ...S, inboxID: calls[0].id })

  assert.equal(told.outcome, "unknown")
  assert.equal((await received(intake)).notice, "n1")
})

test("a host without hooks says that it takes nothing into prompts", async (t) => {
  const { intake } = await hostAtRest(t, { later: { hook: undefined } })

  assert.match(intake.polls[0], /&takes=wake,steer,interrupt$/)
})

test("a host that says nothing of a session is not asked for more", async (t) => {
  const get = async () => {
    throw new Error("broken")
  }
  const { intake, calls } = await hostAtRest(t, { later: { get } })

  await intake.offer(WAKE)
  const told = await intake.untilTold((word) => word.item === "i1")

  assert.deepEqual([told.outcome, told.reason, calls], ["refused", "unknown_status", []])
})

test("an interrupt is the host's own", async (t) => {
  const { intake, calls } = await hostAtRest(t)

  await intake.offer({ item: "i1", kind: "interrupt", session: "s" })
  await intake.untilTold((word) => word.item === "i1")

  assert.deepEqual(calls, [S])
})
