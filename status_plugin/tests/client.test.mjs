/** The client for the host's other plugins: what it asks the HTTP API, and what becomes of the answers. */

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import http from "node:http"
import test from "node:test"
import plugin from "../src/entry.js"
import { openHost1, openHost2 } from "./hosts.mjs"
import { leavePane, openIntake, rowOf } from "./intake.mjs"

const CONFLICT = { code: "inbox_conflict", message: "this cancellation removed nothing" }

/**
 * A pane with a host in it, and an API that takes notices as the server does: `pending` until `handOver`, never
 * woken when `reason` says why not. `asked` are the requests.
 */
async function openPane(t, { open = openHost1 } = {}) {
  const intake = await openIntake(t)
  const socket = `${intake.socket}-api`
  const api = { asked: [], rows: new Map(), reason: "woke", answers: {} }
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const asked = { method: request.method, path: request.url, body: body && JSON.parse(body) }
    api.asked.push({ ...asked, authorization: request.headers.authorization })
    const { httpStatus = 200, ...answer } = answerTo(api, asked)
    response.writeHead(httpStatus, { "Content-Type": "application/json" }).end(JSON.stringify(answer))
  })
  await once(server.listen(socket), "listening")
  process.env.ORCA_TUI_API = socket
  const host = await open()
  t.after(() => {
    delete process.env.ORCA_TUI_API
    delete globalThis.orcaTui
    server.close()
    server.closeAllConnections()
    fs.rmSync(socket, { force: true })
  })
  api.handOver = (id) => {
    api.rows.get(id).state = "delivered"
    api.rows.get(id).receipt = { at: 1, evidence: "the answer to it began" }
  }
  return { api, intake, host }
}

function answerTo(api, { method, path, body }) {
  if (api.answers[`${method} ${path}`]) return api.answers[`${method} ${path}`]
  if (method === "POST") {
    const row = { id: body.id ?? `n${api.rows.size + 1}`, session: "ses_1", state: "pending", receipt: null }
    api.rows.set(row.id, row)
    return { ...row, woke: api.reason === "woke", reason: api.reason, guard: null, delivery: "queue" }
  }
  const id = path.split("/").at(-1)
  const row = api.rows.get(id)
  if (row?.state !== "pending") return { httpStatus: 409, error: { ...CONFLICT, id, receipt: row?.receipt ?? null } }
  row.state = "cancelled"
  return row
}

const sessions = () => globalThis.orcaTui.session

test("outside a pane there is no client", async (t) => {
  await openIntake(t)
  leavePane()

  await plugin.server({ client: {} })
  await plugin.setup({ event: { subscribe: () => [] } })

  assert.equal(globalThis.orcaTui, undefined)
})

test("a pane of a server that does not name its API has no client", async (t) => {
  await openIntake(t)

  await openHost1()

  assert.equal(globalThis.orcaTui, undefined)
})

for (const open of [openHost1, openHost2]) {
  test(`both hosts have it, and it outlives the plugin that brought it: ${open.name}`, async (t) => {
    const { api, host } = await openPane(t, { open })
    const kept = globalThis.orcaTui

    await host.dispose()
    await kept.session.synthetic({ text: "after the disposal" })
    await open()
    await kept.session.synthetic({ text: "of the one before" })
    await globalThis.orcaTui.session.synthetic({ text: "of the one now" })

    assert.equal(kept.pane, "p1")
    assert.equal(api.asked.length, 3)
    assert.ok(api.asked.every(({ authorization }) => authorization === "Bearer secret"))
  })
}

test("its inbox can cancel and nothing else, and nobody can change it", async (t) => {
  await openPane(t)

  const operations = ["active", "get", "inbox", "interrupt", "list", "prompt", "synthetic", "wait"]
  assert.deepEqual(Object.keys(sessions()).sort(), operations)
  assert.deepEqual(Object.keys(sessions().inbox), ["cancel"])
  assert.ok([globalThis.orcaTui, sessions(), sessions().inbox].every(Object.isFrozen))
})

test("cancelled before it is handed over, a notice never arrives", async (t) => {
  const { api } = await openPane(t)

  const { id } = await sessions().synthetic({ sessionID: "ses_1", text: "stale" })
  const cancelled = await sessions().inbox.cancel({ sessionID: "ses_1", id })

  assert.equal(cancelled.state, "cancelled")
  assert.deepEqual(
    api.asked.map(({ method, path }) => `${method} ${path}`),
    ["POST /v1/panes/ses_1/notices", `DELETE /v1/panes/ses_1/notices/${id}`],
  )
})

test("handed over first, the cancellation is a conflict with the evidence", async (t) => {
  const { api } = await openPane(t)
  const { id } = await sessions().prompt({ text: "fresh" })
  api.handOver(id)

  const refusal = await sessions().inbox.cancel({ id }).catch((error) => error)

  assert.ok(refusal instanceof Error)
  assert.deepEqual([refusal.name, refusal.code, refusal.id], ["InboxConflict", "inbox_conflict", id])
  assert.equal(refusal.message, "this cancellation removed nothing")
  assert.equal(refusal.receipt.evidence, "the answer to it began")
})

test("a second cancellation and an unknown id are the same conflict and claim no delivery", async (t) => {
  await openPane(t)
  const { id } = await sessions().synthetic({ text: "stale" })
  await sessions().inbox.cancel({ id })

  for (const wanted of [{ id }, { id: "never-seen" }]) {
    const refusal = await sessions().inbox.cancel(wanted).catch((error) => error)
    assert.deepEqual([refusal.name, refusal.receipt], ["InboxConflict", null])
  }
  await assert.rejects(sessions().inbox.cancel(), { name: "Invalid" })
})

const NAME_TAKEN = `
  Object.defineProperty(globalThis, "orcaTui", { value: "theirs" })
  const { default: plugin } = await import(${JSON.stringify(new URL("../src/entry.js", import.meta.url))})
  const hooks = await plugin.server({ client: {} })
  await hooks.event({ event: { type: "session.status", properties: { sessionID: "s", status: { type: "busy" } } } })
`

test("a name that somebody else holds for ever costs nothing but the client", async (t) => {
  const { intake } = await openPane(t)

  const child = spawn(process.execPath, ["--input-type=module", "--eval", NAME_TAKEN], { stdio: "inherit" })
  await once(child, "exit")

  await intake.untilTable((table) => rowOf(table, "s").busy)
})

test("a condition goes out in the API's words, and why it failed comes back", async (t) => {
  const { api } = await openPane(t)
  api.reason = "agent_mismatch"

  const resume = { ifIdle: true, agent: "build" }
  const reply = await sessions().synthetic({ text: "review", delivery: "steer", resume, id: "mine" })

  assert.deepEqual([reply.woke, reply.reason, reply.id], [false, "agent_mismatch", "mine"])
  assert.deepEqual(api.asked[0].body, {
    text: "review",
    delivery: "steer",
    resume: { if_idle: true, agent: "build" },
    id: "mine",
  })
  await sessions().synthetic({ text: "by the way", resume: false })
  assert.deepEqual(api.asked[1].body, { text: "by the way", resume: false })
})

test("sessions are looked up, waited for and interrupted by their own id, and told in camelCase", async (t) => {
  const { api } = await openPane(t)
  const panes = [{ pane: "p7", session_id: "ses_a_b", turn_started_at: null, evidence: { source: "plugin" } }]
  const running = { ses_a_b: { type: "running", pane: "p7", since: 1 } }
  Object.assign(api.answers, {
    "GET /v1/panes": { panes },
    "GET /v1/active": { sessions: running },
    "GET /v1/panes/p7": panes[0],
    "GET /v1/panes/p7/wait?status=idle%2Cdone%2Cerror&timeout=1.5": { pane: "p7", status: "done" },
    "GET /v1/panes/p1/wait?status=waiting&next=true": { pane: "p1", status: "waiting" },
    "POST /v1/panes/ses_a_b/interrupt": { interrupted: true },
  })

  const sessionID = "ses_a_b"
  const told = { pane: "p7", sessionID, turnStartedAt: null, evidence: { source: "plugin" } }
  assert.deepEqual(await sessions().list(), [told])
  assert.deepEqual(await sessions().get({ sessionID }), told)
  assert.deepEqual(await sessions().active(), running)
  assert.equal(await sessions().interrupt({ sessionID }), true)
  assert.equal((await sessions().wait({ sessionID, timeoutMs: 1500 })).status, "done")
  assert.equal((await sessions().wait({ status: "waiting", next: true })).status, "waiting")
})

for (const [code, status, name] of [
  ["not_found", 404, "NotFound"],
  ["refused", 403, "Refused"],
  ["unsupported", 501, "Unsupported"],
  ["conflict", 409, "Conflict"],
  ["new_in_a_later_server", 500, "OrcaTuiError"],
]) {
  test(`a refusal says which it is: ${name}`, async (t) => {
    const { api } = await openPane(t)
    const error = { code, message: "no", pane_count: 2 }
    api.answers["POST /v1/panes/p1/notices"] = { httpStatus: status, error }

    const refusal = await sessions().synthetic({ text: "look" }).catch((caught) => caught)

    assert.deepEqual([refusal.name, refusal.code, refusal.message], [name, code, "no"])
    assert.equal(refusal.paneCount, 2)
  })
}

test("a server that is away is said to be, whatever is asked", async (t) => {
  await openPane(t)
  fs.rmSync(process.env.ORCA_TUI_API)

  for (const asked of [sessions().synthetic({ text: "look" }), sessions().synthetic(), sessions().list()]) {
    await assert.rejects(asked, { name: "ServerUnavailable", code: "unavailable" })
  }
})

test("waiting can be given up", async (t) => {
  const { api } = await openPane(t)
  const giveUp = new AbortController()
  api.answers["GET /v1/panes/p1/wait?status=waiting"] = { get httpStatus() { return giveUp.abort(), 200 } }

  const waiting = sessions().wait({ status: "waiting", signal: giveUp.signal })

  await assert.rejects(waiting, { name: "AbortError" })
})

/** The plugin that the documentation shows, as a module. */
async function documentedPlugin() {
  const page = fs.readFileSync(new URL("../../docs/notices.md", import.meta.url), "utf8")
  const [, source] = /```js\n(.*?)```/s.exec(page)
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)).default
}

test("the documented plugin reminds once, and takes that back when the tests are run", async (t) => {
  const { api } = await openPane(t)
  const hooks = await (await documentedPlugin()).server()
  const call = (tool, args = {}) => hooks["tool.execute.before"]({ tool, sessionID: "ses_1" }, { args })

  await call("write")
  await call("edit")
  await call("bash", { command: "ls" })
  await call("bash", { command: "make test" })
  await call("write")
  await call("bash", { command: "make test" })

  const [first, cancelled] = api.asked
  assert.deepEqual(first.body, { text: "You have not run the tests yet." })
  assert.deepEqual([cancelled.method, cancelled.path], ["DELETE", "/v1/panes/ses_1/notices/n1"])
  assert.deepEqual(api.asked.map(({ method }) => method), ["POST", "DELETE", "POST", "DELETE"])
})

test("outside a pane the documented plugin does nothing and harms nobody", async () => {
  const hooks = await (await documentedPlugin()).server()

  await hooks["tool.execute.before"]({ tool: "write", sessionID: "ses_1" }, { args: {} })
  await hooks["tool.execute.before"]({ tool: "bash", sessionID: "ses_1" }, { args: { command: "make test" } })
})
