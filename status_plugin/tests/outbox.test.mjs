import assert from "node:assert/strict"
import test from "node:test"
import { paneIdentity } from "../src/identity.js"
import { Outbox } from "../src/outbox.js"
import { exchange, retryDelay } from "../src/transport.js"
import { openIntake } from "./intake.mjs"

const URGENT = { urgent: true }
const body = (seq) => JSON.stringify({ seq })
const numbers = (intake) => intake.tables.map((table) => table.seq)

test("a table is posted with the pane's token, as JSON", async (t) => {
  const intake = await openIntake(t)
  await new Outbox(paneIdentity(), () => {}).send(body(1), URGENT)

  assert.deepEqual(intake.tables, [{ seq: 1 }])
  assert.equal(intake.headers[0].authorization, "Bearer secret")
  assert.equal(intake.headers[0]["content-type"], "application/json")
})

test("while one table is on its way only the newest of the others is kept", async (t) => {
  const intake = await openIntake(t)
  const outbox = new Outbox(paneIdentity(), () => {})
  outbox.send(body(1), URGENT)
  outbox.send(body(2), URGENT)
  outbox.send(body(3), URGENT)
  await outbox.send(body(4), URGENT)

  assert.deepEqual(numbers(intake), [1, 4])
})

test("a table that the server could not take is offered again by itself", async (t) => {
  const intake = await openIntake(t, { answer: (_, number) => ({ status: number === 1 ? 503 : 204 }) })
  new Outbox(paneIdentity(), () => {}).send(body(1), URGENT)
  await intake.until(() => intake.tables.length === 2)

  assert.deepEqual(numbers(intake), [1, 1])
})

test("a newer table replaces the one that waits to be offered again", async (t) => {
  const intake = await openIntake(t, { answer: (_, number) => ({ status: number === 1 ? 503 : 204 }) })
  const outbox = new Outbox(paneIdentity(), () => {})
  await outbox.send(body(1), URGENT)
  outbox.send(body(2), { urgent: false })
  assert.equal(intake.tables.length, 1)
  await intake.until(() => intake.tables.length === 2)

  assert.deepEqual(numbers(intake), [1, 2])
})

test("a newer table replaces the one whose failure is not known yet", async (t) => {
  const intake = await openIntake(t, { answer: (_, number) => ({ status: number === 1 ? 503 : 204 }) })
  const outbox = new Outbox(paneIdentity(), () => {})
  outbox.send(body(1), URGENT)
  outbox.send(body(2), { urgent: false })
  await intake.until(() => intake.tables.length === 2)

  assert.deepEqual(numbers(intake), [1, 2])
})

test("an urgent table does not wait for the back-off of an older one", async (t) => {
  const intake = await openIntake(t, { answer: (_, number) => ({ status: number === 1 ? 503 : 204 }) })
  const outbox = new Outbox(paneIdentity(), () => {})
  await outbox.send(body(1), URGENT)
  await outbox.send(body(2), URGENT)

  assert.deepEqual(numbers(intake), [1, 2])
})

test("a server that was away gets the table when it is back", async (t) => {
  const intake = await openIntake(t)
  await intake.close()
  await new Outbox(paneIdentity(), () => {}).send(body(1), URGENT)
  assert.deepEqual(numbers(intake), [])

  await intake.listen()
  await intake.until(() => intake.tables.length === 1)
})

for (const status of [400, 401, 413]) {
  test(`a table that is refused with ${status} is not offered again`, async (t) => {
    const intake = await openIntake(t, { answer: ({ seq }) => ({ status: seq === 1 ? status : 204 }) })
    const outbox = new Outbox(paneIdentity(), () => {})
    await outbox.send(body(1), URGENT)
    await outbox.send(body(2), { urgent: false })

    assert.deepEqual(numbers(intake), [1, 2])
  })
}

test("a server that does not know the process is told everything, once per table taken", async (t) => {
  const intake = await openIntake(t, { answer: () => ({ status: 200, body: '{"resend": true}' }) })
  let asked = 0
  const outbox = new Outbox(paneIdentity(), () => {
    asked += 1
    outbox.send(body(2), URGENT)
  })
  await outbox.send(body(1), URGENT)

  assert.deepEqual([numbers(intake), asked], [[1, 2], 1])
  outbox.stop()
})

test("an outbox that was stopped sends nothing more", async (t) => {
  const intake = await openIntake(t, { answer: () => ({ status: 503 }) })
  const outbox = new Outbox(paneIdentity(), () => {})
  await outbox.send(body(1), URGENT)
  outbox.stop()
  await outbox.send(body(2), URGENT)

  assert.deepEqual(numbers(intake), [1])
})

test("a server that does not answer is given up", async (t) => {
  await openIntake(t)
  const silent = exchange(paneIdentity(), { method: "GET", path: "/", deadlineMs: 30 })

  await assert.rejects(silent, /no answer/)
})

test("an answer without end is cut off", async (t) => {
  await openIntake(t, { answer: () => ({ status: 200, body: "x".repeat(2 << 20) }) })
  const table = { method: "POST", path: "/v1/intake/opencode", body: body(1), deadlineMs: 5000 }
  const endless = exchange(paneIdentity(), table)

  await assert.rejects(endless, /too long/)
})

test("retries come after 0.5 s, 1 s, 2 s, and so on up to 30 s", () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8, 2000].map(retryDelay)

  assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000])
})
