/**
 * The two entries. OpenCode 1 calls `server` for every directory, and `setup` too, with a context of its
 * embedded second core that has no events; OpenCode 2 calls `setup` for every location, and again after every
 * change of a plugin file. What differs for everything else is told here, at run time: whether sessions
 * outlive the plugin.
 */

import { offerClient } from "./client.js"
import { Courier } from "./courier.js"
import { Host1 } from "./host1.js"
import { Host2 } from "./host2.js"
import { paneIdentity } from "./identity.js"
import { Notices1 } from "./notices1.js"
import { Notices2 } from "./notices2.js"
import { Reporter } from "./reporter.js"
import { isFunction, quietly, record, string } from "./values.js"
import { Worker } from "./worker.js"

const nothing = async () => {}

async function server(input) {
  return quietly(() => openHost1(input)) ?? {}
}

function openHost1(input) {
  const identity = paneIdentity()
  if (identity === null || typeof input !== "object" || input === null) return {}
  quietly(() => offerClient(identity))
  const reporter = new Reporter(identity, { major: 1, sessionsOutliveDispose: false })
  const host = new Host1(reporter, input)
  const courier = new Courier(identity)
  const notices = new Notices1(reporter, courier, input.client)
  reporter.employ(new Worker(courier, notices, Notices1.takes))
  reporter.open()
  return {
    event: async (argument) => {
      quietly(() => host.take(record(argument).event))
      quietly(() => notices.hear(record(record(argument).event)))
    },
    "chat.message": async (prompt, output) => {
      await notices.prompted(prompt, output).catch(() => {})
    },
    "tool.execute.after": async (call) => {
      await notices.toolEnded(call).catch(() => {})
    },
    dispose: async () => {
      await reporter.close().catch(() => {})
    },
  }
}

async function setup(context) {
  return quietly(() => openHost2(context)) ?? nothing
}

function openHost2(context) {
  const identity = paneIdentity()
  if (identity === null || !isFunction(context?.event?.subscribe)) return nothing
  quietly(() => offerClient(identity))
  const reporter = new Reporter(identity, { major: 2, sessionsOutliveDispose: true })
  reporter.runsOn(string(record(context.app).version))
  const courier = new Courier(identity)
  const notices = new Notices2(reporter, courier, context.session)
  const host = new Host2(reporter, context, (type, id, data) => quietly(() => notices.hear(type, id, data)))
  reporter.employ(new Worker(courier, notices, notices.takes))
  reporter.open()
  void host.listen().catch(() => {})
  void notices.open().catch(() => {})
  return async () => {
    host.stop()
    notices.close()
    await reporter.close().catch(() => {})
  }
}

export default { id: "orca-tui-status", server, setup }
