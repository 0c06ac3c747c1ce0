/** One HTTP exchange with the server, over one of its Unix sockets. Knows nothing of what is said. */

import http from "node:http"
import { later, record } from "./values.js"

/** More than any answer of the intake; a longer one is not ours. */
const ANSWER_LIMIT = 1 << 20

/**
 * Resolves to {status, body}; rejects when the server cannot be reached, breaks off, or is silent for
 * `deadlineMs`, if there is such a limit.
 *
 * The socket does not keep the host's process alive, except for the first `holdMs`: enough for the last table
 * of a short-lived `opencode run` to leave.
 */
export function exchange(identity, { socketPath, method, path, body, deadlineMs, holdMs = 0, signal }) {
  return new Promise((resolve, reject) => {
    const request = http.request({
      socketPath: socketPath ?? identity.intake,
      method,
      path,
      signal,
      agent: false, // The host's own connection pool is none of our business.
      headers: {
        Authorization: `Bearer ${identity.token}`,
        ...(body === undefined
          ? {}
          : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
      },
    })
    const tooLate = () => request.destroy(new Error("no answer from the server"))
    const deadline = deadlineMs === undefined ? undefined : later(deadlineMs, tooLate)
    const settle = (outcome, value) => {
      clearTimeout(deadline)
      outcome(value)
    }
    request.on("socket", (socket) => release(socket, holdMs))
    request.on("error", (error) => settle(reject, error))
    request.on("response", (response) => {
      response.on("error", (error) => settle(reject, error))
      readAll(response, request).then((text) => settle(resolve, { status: response.statusCode, body: text }))
    })
    request.end(body)
  })
}

function release(socket, holdMs) {
  if (holdMs === 0) socket.unref?.()
  else later(holdMs, () => socket.unref?.())
}

function readAll(response, request) {
  return new Promise((resolve) => {
    let text = ""
    response.setEncoding("utf8")
    response.on("data", (chunk) => {
      text += chunk
      if (text.length > ANSWER_LIMIT) request.destroy(new Error("the server's answer is too long"))
    })
    response.on("end", () => resolve(text))
  })
}

/** The JSON object in an answer, or an empty one. */
export function parsed(answer) {
  try {
    return record(JSON.parse(answer.body))
  } catch {
    return {}
  }
}

const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 30_000

/** Back-off before retry number `failures` (1, 2, ...): 0.5 s, doubled up to 30 s. */
export function retryDelay(failures) {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS)
}
