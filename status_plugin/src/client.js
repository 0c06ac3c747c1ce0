/**
 * `globalThis.orcaTui`: notices for the host's other plugins, over the server's HTTP API. It holds no state, so
 * whoever keeps it may go on using it when this plugin is disposed of or set up anew.
 *
 * Rule 1: outside a pane there is none.
 * Rule 2: what it is given and what it answers has camelCase names; the values are those of the API.
 * Rule 3: every refusal rejects with an `OrcaTuiError`, whose name says which: what removed nothing is an
 *         `InboxConflict`, and never a plain success.
 */

import { exchange, parsed } from "./transport.js"
import { list, record, string } from "./values.js"

/** A wake is waited for by the server, for a second; what takes far longer is a stuck server. */
const CALL_DEADLINE_MS = 10_000
/** What `wait` waits for, unless it is told. */
const AT_REST = ["idle", "done", "error"]
const ERROR_NAMES = new Map([
  ["inbox_conflict", "InboxConflict"],
  ["conflict", "Conflict"],
  ["not_found", "NotFound"],
  ["refused", "Refused"],
  ["unauthorized", "Refused"],
  ["invalid", "Invalid"],
  ["too_large", "Invalid"],
  ["unsupported", "Unsupported"],
  ["timeout", "TimedOut"],
  ["unavailable", "ServerUnavailable"],
])

/** `name` and `code` say which, the other fields are the facts: an `InboxConflict` has `id` and `receipt`. */
class OrcaTuiError extends Error {
  constructor({ code, message, ...facts }) {
    super(string(message) ?? "the server does not say why")
    Object.assign(this, camelCased(facts), { code, name: ERROR_NAMES.get(code) ?? "OrcaTuiError" })
  }
}

/** Gives the process's plugins the client of the pane; that of the newest revision takes an older one's place. */
export function offerClient(identity) {
  if (identity.api === null) return
  const value = clientOf(identity)
  Object.defineProperty(globalThis, "orcaTui", { value, configurable: true })
}

/** `sessionID` is a session's or a pane's; without one it is the session of this pane. */
function clientOf(identity) {
  const ask = (method, path, fields) => answered(identity, method, path, fields)
  const call = async (...request) => camelCased(await ask(...request))
  const pathOf = (input, rest = "") => {
    const target = string(record(input).sessionID) ?? identity.pane
    return `/v1/panes/${encodeURIComponent(target)}${rest}`
  }
  const panes = async () => list((await call("GET", "/v1/panes")).panes)
  // Of a pane the server is asked by the pane's own id.
  const panePathOf = async (input, rest) => {
    const target = string(record(input).sessionID)
    const found = target === null ? undefined : (await panes()).find((pane) => pane.sessionID === target)
    return pathOf(found === undefined ? input : { sessionID: found.pane }, rest)
  }
  const leave = async (input) => call("POST", pathOf(input, "/notices"), noticeOf(record(input)))
  const cancel = async (input) => {
    const id = string(record(input).id)
    if (id === null) throw new OrcaTuiError({ code: "invalid", message: "the notice's id is missing" })
    return call("DELETE", pathOf(input, `/notices/${encodeURIComponent(id)}`))
  }
  return Object.freeze({
    pane: identity.pane,
    session: Object.freeze({
      synthetic: leave,
      prompt: leave,
      inbox: Object.freeze({ cancel }),
      active: async () => record((await ask("GET", "/v1/active")).sessions),
      wait: async (input) => call("GET", await panePathOf(input, "/wait"), waitOf(record(input))),
      interrupt: async (input) => (await call("POST", pathOf(input, "/interrupt"))).interrupted,
      get: async (input) => call("GET", await panePathOf(input)),
      list: panes,
    }),
  })
}

function noticeOf({ text, delivery, resume, id }) {
  const { ifIdle, ...condition } = record(resume)
  return { text, delivery, resume: ifIdle === undefined ? resume : { if_idle: ifIdle, ...condition }, id }
}

function waitOf({ status = AT_REST, next, timeoutMs, signal }) {
  const timeout = timeoutMs === undefined ? undefined : timeoutMs / 1000
  return { status: [status].flat().join(","), next, timeout, signal }
}

/** The answer's value; `signal` and the deadline are the call's own, the other fields the request's. */
async function answered(identity, method, path, { signal, ...fields } = {}) {
  const inBody = method === "POST"
  const body = inBody ? JSON.stringify(fields) : undefined
  const target = inBody ? path : `${path}${queryOf(fields)}`
  const limits = path.endsWith("/wait") ? {} : { deadlineMs: CALL_DEADLINE_MS, holdMs: CALL_DEADLINE_MS }
  const request = { socketPath: identity.api, method, path: target, body, signal, ...limits }
  const answer = await exchange(identity, request).catch((error) => {
    throw signal?.aborted ? error : new OrcaTuiError({ code: "unavailable", message: error.message })
  })
  const value = parsed(answer)
  if (answer.status >= 400) throw new OrcaTuiError({ code: "failed", ...record(value.error) })
  return value
}

function queryOf(fields) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ""
}

/** `session_id` becomes `sessionID`, as the hosts write it; `resets_at` becomes `resetsAt`. */
function camelCased(value) {
  if (Array.isArray(value)) return value.map(camelCased)
  if (typeof value !== "object" || value === null) return value
  const renamed = Object.entries(value).map(([name, one]) => [camelName(name), camelCased(one)])
  return Object.fromEntries(renamed)
}

const camelName = (name) =>
  name.replace(/_([a-z]+)/g, (_, word) => (word === "id" ? "ID" : word[0].toUpperCase() + word.slice(1)))
