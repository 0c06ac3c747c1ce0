/**
 * The entry for screens of OpenCode 2. Its default mode shares one background service between all screens,
 * and that service has the environment of whichever pane came first: there only a screen knows its own pane.
 */

import fs from "node:fs"
import { paneIdentity } from "./identity.js"
import { Reporter } from "./reporter.js"
import { Screen } from "./screen.js"
import { isFunction, quietly, string } from "./values.js"

const nothing = async () => {}

async function setup(context) {
  return quietly(() => openScreen(context)) ?? nothing
}

function openScreen(context) {
  const identity = paneIdentity()
  const version = string(context?.app?.version)
  if (identity === null || hasOwnServer() || version?.startsWith("1.")) return nothing
  if (!isFunction(context.ui?.router?.current) || !isFunction(context.data?.listen)) return nothing
  const reporter = new Reporter(identity, { major: 2, sessionsOutliveDispose: true })
  reporter.runsOn(version)
  reporter.open()
  const screen = quietly(() => new Screen(reporter, context))
  if (screen === undefined) void reporter.close().catch(() => {})
  return async () => {
    screen?.stop()
    await reporter.close().catch(() => {})
  }
}

/** With `--standalone` the server is this screen's own, in this pane's environment, and reports by itself. */
function hasOwnServer() {
  // In a worker `process.argv` may be another one than the process was started with.
  const started = quietly(() => fs.readFileSync("/proc/self/cmdline", "utf8").split("\0")) ?? []
  return [...process.argv, ...started].includes("--standalone")
}

export default { id: "orca-tui-status", setup }
