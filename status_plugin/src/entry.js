/**
 * The two entries. OpenCode 1 calls `server` for every directory, and `setup` too, with a context of its
 * embedded second core that has no events; OpenCode 2 calls `setup` for every location, and again after every
 * change of a plugin file. What differs for everything else is told here, at run time: whether sessions
 * outlive the plugin.
 */

import { Host1 } from "./host1.js"
import { Host2 } from "./host2.js"
import { paneIdentity } from "./identity.js"
import { Reporter } from "./reporter.js"
import { isFunction, quietly, record, string } from "./values.js"

const nothing = async () => {}

async function server(input) {
  return quietly(() => openHost1(input)) ?? {}
}

function openHost1(input) {
  const identity = paneIdentity()
  if (identity === null || typeof input !== "object" || input === null) return {}
  const reporter = new Reporter(identity, { major: 1, sessionsOutliveDispose: false })
  const host = new Host1(reporter, input)
  reporter.open()
  return {
    event: async (argument) => quietly(() => host.take(record(argument).event)),
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
  const reporter = new Reporter(identity, { major: 2, sessionsOutliveDispose: true })
  reporter.runsOn(string(record(context.app).version))
  const host = new Host2(reporter, context)
  reporter.open()
  void host.listen().catch(() => {})
  return async () => {
    host.stop()
    await reporter.close().catch(() => {})
  }
}

export default { id: "orca-tui-status", server, setup }
