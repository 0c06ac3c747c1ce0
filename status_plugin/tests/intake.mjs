/** For the tests: a server's intake on a real Unix socket, and a pane's environment that leads to it. */

import { once } from "node:events"
import fs from "node:fs"
import http from "node:http"
import os from "node:os"
import path from "node:path"

const SHARED = Symbol.for("orca-tui.status")

/**
 * Opens an intake and a pane that reports to it, for one test; `answer(table, number)` gives {status, body}
 * for each table, 204 unless told otherwise. Polls are held until the test ends or `answerPolls` is called.
 */
export async function openIntake(test, { answer = () => ({ status: 204 }) } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "orca"))
  const intake = { socket: path.join(folder, "intake"), tables: [], polls: [], held: new Set(), headers: [] }
  Object.assign(intake, { told: [], asked: [], waiting: {} })
  let arrived = () => {}

  const server = http.createServer(async (request, response) => {
    intake.headers.push(request.headers)
    if (request.method === "GET") {
      intake.polls.push(request.url)
      intake.held.add(response)
      response.on("close", () => {
        intake.held.delete(response)
        arrived()
      })
    } else {
      const chunks = await request.toArray()
      const posted = JSON.parse(Buffer.concat(chunks).toString())
      const isTable = request.url.endsWith("/opencode")
      const { status, body } = isTable ? takeTable(posted) : takeWord(request.url, posted)
      response.writeHead(status).end(body)
    }
    arrived()
  })

  function takeTable(table) {
    intake.tables.push(table)
    return answer(table, intake.tables.length)
  }

  /** What became of work is kept in `told`; a hook that asks is given the `waiting` notices of its moment. */
  function takeWord(url, posted) {
    if (!url.endsWith("/collect")) {
      intake.told.push(posted)
      return { status: 204 }
    }
    intake.asked.push(posted)
    return { status: 200, body: JSON.stringify({ items: intake.waiting[posted.moment]?.splice(0) ?? [] }) }
  }

  /** Gives a poll items of work. */
  intake.offer = async (...items) => {
    await intake.until(() => intake.held.size > 0)
    intake.answerPolls(200, JSON.stringify({ items }))
  }
  intake.untilTold = (accepts) => intake.until(() => intake.told.find(accepts))

  /** Resolves to what `ready()` gives as soon as that is truthy. */
  intake.until = async (ready) => {
    for (;;) {
      const value = ready()
      if (value) return value
      await new Promise((resolve) => (arrived = resolve))
    }
  }
  intake.untilTable = (accepts) => intake.until(() => intake.tables.find(accepts))
  intake.answerPolls = (status, body) => {
    for (const response of intake.held) response.writeHead(status).end(body)
  }
  intake.listen = () => once(server.listen(intake.socket), "listening")
  intake.close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, "close")
  }

  await intake.listen()
  enterPane(intake.socket)
  test.after(async () => {
    leavePane()
    if (server.listening) await intake.close()
    fs.rmSync(folder, { recursive: true })
  })
  return intake
}

/** The environment of a pane, in a process that has not reported yet. */
export function enterPane(socket) {
  Object.assign(process.env, { ORCA_TUI_PANE: "p1", ORCA_TUI_TOKEN: "secret", ORCA_TUI_INTAKE: socket })
  delete globalThis[SHARED]
}

export function leavePane() {
  for (const name of ["ORCA_TUI_PANE", "ORCA_TUI_TOKEN", "ORCA_TUI_INTAKE"]) delete process.env[name]
  globalThis[SHARED]?.poller?.stop()
  delete globalThis[SHARED]
}

/** A table's row of a session, or an empty one. */
export function rowOf(table, id) {
  return table.sessions.find((row) => row.id === id) ?? {}
}
