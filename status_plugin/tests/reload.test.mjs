import assert from "node:assert/strict"
import test from "node:test"
import { freshHost2, nextGeneration2 } from "./hosts.mjs"
import { rowOf } from "./intake.mjs"

const S = { sessionID: "s" }

test("a disposed factory posts nothing, not even what it had not told yet", async (t) => {
  const { host, intake, until } = await freshHost2(t)
  host.emit("session.execution.started", S)
  await until((row) => row.busy)
  host.emit("session.text.ended", { ...S, text: "words" })
  await new Promise(setImmediate) // The event is heard, and told a quarter of a second later.
  const before = intake.tables.length
  await host.dispose()
  const next = await nextGeneration2(intake)
  await next.until((row) => row.last_message === "words")

  assert.deepEqual(
    intake.tables.slice(before).map((table) => [table.generation, table.gone]),
    intake.tables.slice(before).map(() => [2, false]),
  )
})

test("a generation knows what the last one knew", async (t) => {
  const { host, intake, until } = await freshHost2(t)
  host.emit("session.created", S)
  host.emit("session.execution.started", S)
  host.emit("permission.asked", { ...S, id: "per_1", action: "shell" })
  const before = await until((row) => row.asks?.length)
  await host.dispose()
  const next = await nextGeneration2(intake)

  assert.deepEqual(await next.until((row) => row.busy), before)
})

test("rows left more than ten seconds ago are not taken over, but an end is still an end", async (t) => {
  const { host, intake, until } = await freshHost2(t)
  host.emit("session.execution.started", S)
  await until((row) => row.busy)
  await host.dispose()
  for (const { left } of globalThis[Symbol.for("orca-tui.status")].sessions.values()) left.at -= 10_001
  const next = await nextGeneration2(intake)
  next.host.emit("session.execution.succeeded", S)
  const row = await next.until((row) => row.id)

  assert.deepEqual([row.busy, row.turn, row.end], [false, 1, "ok"])
})

test("sessions that the host says run are busy from the start; the others have ended", async (t) => {
  const { host, intake, until } = await freshHost2(t)
  host.emit("session.execution.started", S)
  await until((row) => row.busy)
  await host.dispose()
  const next = await nextGeneration2(intake, {
    session: { active: async () => ({ new: { type: "running" } }) },
  })

  assert.equal((await next.until((row) => row.end)).end, "ok")
  assert.equal((await next.until((row) => row.busy, "new")).turn, 1)
})

test("a snapshot says nothing of a session that was heard of after the question", async (t) => {
  let answer
  const active = () => new Promise((resolve) => (answer = resolve))
  const { host, intake, until } = await freshHost2(t, { session: { active } })
  host.emit("session.execution.started", S)
  host.emit("session.execution.interrupted", { ...S, reason: "user" })
  await until((row) => row.end)
  answer({ s: { type: "running" }, other: { type: "running" } })
  await until((row) => row.busy, "other")

  assert.equal(rowOf(intake.tables.at(-1), "s").busy, false)
})

test("a start tells that the turn before it ended unheard", async (t) => {
  const { host, intake, until } = await freshHost2(t)
  host.emit("session.execution.started", S)
  await until((row) => row.busy)
  await host.dispose()
  const next = await nextGeneration2(intake)
  next.host.emit("session.execution.started", S)

  assert.equal((await next.until((row) => row.turn === 2)).busy, true)
})

test("an answer does not end a turn that began after the question", async (t) => {
  const { host, intake, until } = await freshHost2(t)
  host.emit("session.execution.started", S)
  await until((row) => row.busy)
  await host.dispose()
  let answer
  const active = () => new Promise((resolve) => (answer = resolve))
  const next = await nextGeneration2(intake, { session: { active } })
  next.host.emit("session.execution.succeeded", S)
  next.host.emit("session.execution.started", S)
  await next.until((row) => row.turn === 2)
  answer({ other: { type: "running" } })
  await next.until((row) => row.busy, "other")

  assert.equal(rowOf(intake.tables.at(-1), "s").busy, true)
})

test("the host's word of how a turn ended counts, should it come after the answer that it did", async (t) => {
  const { host, intake, until } = await freshHost2(t)
  host.emit("session.execution.started", S)
  await until((row) => row.busy)
  await host.dispose()
  const next = await nextGeneration2(intake, { session: { active: async () => ({}) } })
  await next.until((row) => row.end === "ok")
  next.host.emit("session.execution.interrupted", { ...S, reason: "user" })

  assert.equal((await next.until((row) => row.end === "interrupted:user")).turn, 1)
})

test("a host that fails to answer which sessions run is asked to wait for each", async (t) => {
  const { host, intake, until } = await freshHost2(t)
  host.emit("session.execution.started", S)
  await until((row) => row.busy)
  await host.dispose()
  const waits = []
  const session = {
    active: () => Promise.reject(new Error("no")),
    wait: async ({ sessionID }) => waits.push(sessionID),
  }
  const next = await nextGeneration2(intake, { session })

  assert.equal((await next.until((row) => row.end)).end, "ok")
  assert.deepEqual(waits, ["s"])
})

test("a wait that fails says nothing, and neither does one of an earlier generation", async (t) => {
  const { host, intake, until } = await freshHost2(t)
  host.emit("session.execution.started", S)
  await until((row) => row.busy)
  await host.dispose()
  let resolve
  const second = await nextGeneration2(intake, {
    session: { wait: () => new Promise((done) => (resolve = done)) },
  })
  await second.until((row) => row.busy)
  await second.host.dispose()
  resolve()
  const third = await nextGeneration2(intake, { session: { wait: () => Promise.reject(new Error("no")) } })
  third.host.emit("permission.asked", { ...S, id: "per_1", action: "shell" })

  assert.equal((await third.until((row) => row.asks?.length)).busy, true)
})
