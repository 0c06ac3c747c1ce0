import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import test from "node:test"
import plugin from "../src/entry.js"
import { openHost1, openHost2 } from "./hosts.mjs"
import { leavePane, openIntake, rowOf } from "./intake.mjs"

const SHARED = Symbol.for("orca-tui.status")
const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error("hostile")
    },
  },
)
const GARBAGE = [undefined, null, 0, "", "text", [], {}, () => {}, Symbol("s"), hostile]

test("both entries bear whatever they are called with", async (t) => {
  await openIntake(t)
  for (const argument of GARBAGE) {
    const hooks = await plugin.server(argument)
    const cleanUp = await plugin.setup(argument)
    if (typeof argument !== "object" || argument === null) assert.deepEqual(hooks, {})
    for (const event of GARBAGE) {
      await hooks.event?.(event)
      await hooks.event?.({ event })
    }
    await hooks.dispose?.()
    await cleanUp(argument)
    await cleanUp()
  }
})

test("a host's events may be of any shape", async (t) => {
  const intake = await openIntake(t)
  const one = await openHost1()
  const two = await openHost2()
  const types = ["session.created", "session.status", "session.error", "permission.asked", "form.created"]
  for (const type of [...types, "message.updated", "message.part.updated", "session.execution.failed"]) {
    for (const facts of [
      ...GARBAGE,
      { sessionID: "s" },
      { sessionID: "s", info: 1, status: 2, part: 3, form: 4 },
    ]) {
      one.emit(type, facts)
      two.push({ type, data: facts })
    }
  }
  two.emit("session.execution.started", { sessionID: "t" })

  await intake.untilTable((table) => rowOf(table, "t").busy)
})

test("a client without `session`, or one that throws, leaves the parent unknown", async (t) => {
  const intake = await openIntake(t)
  for (const client of [undefined, hostile, { session: { get: () => new Promise(() => {}) } }]) {
    const host = await openHost1({ client })
    host.emit("session.status", { sessionID: "s", status: { type: "busy" } })
    await intake.untilTable((table) => rowOf(table, "s").busy && rowOf(table, "s").parent === "unknown")
    await host.dispose()
  }
})

test("subscriptions that throw, reject or are none end the factory and nothing else", async (t) => {
  await openIntake(t)
  const subscriptions = [
    () => assert.fail("no"),
    () => Promise.reject(new Error("no")),
    () => undefined,
    () => ({}),
    () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("no")) }) }),
  ]
  for (const subscribe of subscriptions) {
    const { dispose } = await openHost2({ event: { subscribe } })
    await dispose()
    assert.equal(globalThis[SHARED].factories.size, 0)
  }
})

test("outside a pane nothing is registered and nothing is kept", async (t) => {
  await openIntake(t)
  for (const name of ["ORCA_TUI_PANE", "ORCA_TUI_TOKEN", "ORCA_TUI_INTAKE"]) {
    const value = process.env[name]
    delete process.env[name]
    let subscribed = false
    const hooks = await plugin.server({ client: {}, directory: "/x" })
    const cleanUp = await plugin.setup({ event: { subscribe: () => (subscribed = true) } })
    await cleanUp()
    process.env[name] = value

    assert.deepEqual([hooks, subscribed, globalThis[SHARED]], [{}, false, undefined])
  }
  leavePane()
})

test("the second core that OpenCode 1 embeds, whose context has no events, gets nothing", async (t) => {
  await openIntake(t)
  for (const event of [undefined, {}, { subscribe: undefined }, { subscribe: {} }]) {
    const cleanUp = await plugin.setup({ options: {}, agent: {}, event })
    await cleanUp()
  }

  assert.equal(globalThis[SHARED], undefined)
})

test("the shared background service of OpenCode 2 reports nothing", async (t) => {
  await openIntake(t)
  const argv = process.argv
  process.argv = ["opencode", "serve", "--service"]
  await openHost2()
  process.argv = argv

  assert.equal(globalThis[SHARED], undefined)
})

test("a private server of OpenCode 2 reports", async (t) => {
  const intake = await openIntake(t)
  const argv = process.argv
  process.argv = ["opencode", "serve", "--stdio", "--port", "0"]
  await openHost2()
  process.argv = argv

  const table = await intake.untilTable(() => true)
  assert.deepEqual(table.host, { major: 2, version: "2.0.18" })
})

test("a new factory says at once that it is there", async (t) => {
  const intake = await openIntake(t)
  await openHost1()
  const { process: self, ...table } = await intake.untilTable(() => true)

  assert.deepEqual(table, {
    pane: "p1",
    factory: 1,
    generation: 1,
    host: { major: 1, version: "" },
    seq: 1,
    outlives_dispose: false,
    gone: false,
    sessions: [],
  })
  assert.ok(Math.abs(self.started - (Date.now() / 1000 - process.uptime())) < 1)
})

test("what hangs on globalThis serves every revision of the module", async (t) => {
  const intake = await openIntake(t)
  const { default: other } = await import("../src/entry.js?revision=2")
  await openHost1()
  await other.server({ client: {}, directory: "/proj" })
  await intake.until(() => intake.tables.length === 2)

  assert.deepEqual(
    intake.tables.map(({ factory, generation, seq }) => [factory, generation, seq]),
    [
      [1, 1, 1],
      [2, 1, 2],
    ],
  )
})

const SHORT_LIFE = `
  import plugin from ${JSON.stringify(new URL("../src/entry.js", import.meta.url).href)}
  const hooks = await plugin.server({ client: {}, directory: "/proj" })
  for (const type of ["busy", "idle"]) {
    await hooks.event({ event: { type: "session.status", properties: { sessionID: "s", status: { type } } } })
  }
`

async function runShortLife() {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", SHORT_LIFE], { stdio: "inherit" })
  const [code] = await once(child, "exit")
  return code
}

test("a process with nothing else to do ends, though its poll is held; its last table arrives", async (t) => {
  const intake = await openIntake(t)
  assert.equal(await runShortLife(), 0)

  await intake.untilTable((table) => rowOf(table, "s").end === "ok")
})

test("a process with nothing else to do ends, though no server is there", async (t) => {
  const intake = await openIntake(t)
  await intake.close()

  assert.equal(await runShortLife(), 0)
})
