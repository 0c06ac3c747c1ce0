/** Which pane this process runs in, or that it runs in none of ours. */

import { string } from "./values.js"

/**
 * The pane, its token and the path of the server's intake socket, or null where nothing may be reported.
 *
 * OpenCode 2 shares one background service (`serve --service`) between all its screens; that service has the
 * environment of the first pane that needed it, so whatever it said would be said of the wrong pane.
 */
export function paneIdentity() {
  const { ORCA_TUI_PANE, ORCA_TUI_TOKEN, ORCA_TUI_INTAKE } = process.env
  const pane = string(ORCA_TUI_PANE)
  const token = string(ORCA_TUI_TOKEN)
  const intake = string(ORCA_TUI_INTAKE)
  if (pane === null || token === null || intake === null || isSharedService(process.argv)) return null
  return { pane, token, intake }
}

function isSharedService(argv) {
  return argv.includes("serve") && argv.includes("--service")
}
