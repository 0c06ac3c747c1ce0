import assert from "node:assert/strict"
import test from "node:test"
import { openHost1, openHost2 } from "./hosts.mjs"
import { openIntake } from "./intake.mjs"

test("a process polls once, whatever the number of its factories, under its id and start", async (t) => {
  const intake = await openIntake(t)
  await openHost1()
  await openHost1()
  const { process: self } = await intake.untilTable((table) => table.factory === 2)
  await intake.until(() => intake.polls.length === 1)

  assert.deepEqual(intake.polls, [
    `/v1/intake/work?process=${self.pid}-${self.started}&takes=wake,ride_in,steer,interrupt`,
  ])
  assert.equal(self.pid, process.pid)
})

test("the poll of a disposed factory passes to one that lives", async (t) => {
  const intake = await openIntake(t)
  const first = await openHost1()
  const second = await openHost1()
  await intake.until(() => intake.held.size === 1)

  await first.dispose()
  await intake.until(() => intake.polls.length === 2 && intake.held.size === 1)
  await second.dispose()
  await intake.until(() => intake.held.size === 0)

  assert.equal(intake.polls.length, 2)
})

test("no poll of an old generation is left behind by a reload", async (t) => {
  const intake = await openIntake(t)
  const before = await openHost2()
  await intake.until(() => intake.held.size === 1)

  await before.dispose()
  await intake.until(() => intake.held.size === 0)
  await openHost2()
  await intake.until(() => intake.held.size === 1)

  assert.equal(intake.polls.length, 2)
})

test("a factory whose event stream ended does not poll: its silence is a sign", async (t) => {
  const intake = await openIntake(t)
  const host = await openHost2()
  await intake.until(() => intake.held.size === 1)

  host.endStream()
  await intake.until(() => intake.held.size === 0)
})

test("a server that answers a poll with `resend` is told everything", async (t) => {
  const intake = await openIntake(t)
  const host = await openHost1()
  host.emit("session.status", { sessionID: "s", status: { type: "busy" } })
  await intake.untilTable((table) => table.sessions[0]?.parent === null || table.sessions[0]?.busy)
  await intake.until(() => intake.held.size === 1)
  const before = intake.tables.length

  intake.answerPolls(200, '{"resend": true}')
  await intake.until(() => intake.tables.length > before)

  assert.equal(intake.tables.at(-1).sessions[0].busy, true)
})

test("unknown kinds of work are ignored", async (t) => {
  const intake = await openIntake(t)
  await openHost1()
  await intake.until(() => intake.held.size === 1)

  intake.answerPolls(200, '{"items": [{"kind": "dance"}, null, 7]}')
  await intake.until(() => intake.polls.length === 2)
})

test("a server that came back is told everything, though nothing has changed", async (t) => {
  const intake = await openIntake(t)
  await openHost1()
  await openHost1()
  await intake.until(() => intake.tables.length === 2 && intake.held.size === 1)

  await intake.close()
  await intake.listen()
  await intake.until(() => intake.tables.length === 4)

  assert.deepEqual(intake.tables.map((table) => table.factory).sort(), [1, 1, 2, 2])
  assert.deepEqual(new Set(intake.tables.map((table) => table.seq)).size, 4)
})
