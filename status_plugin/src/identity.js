/** Which pane this process runs in, or that it runs in none of ours. */

import { string } from "./values.js"

/**
 * The pane, its token and the paths of the server's sockets: `intake` for reports, `api` for commands (null
 * where the pane's server is too old to name it). Or null where nothing may be reported.
 *
 * OpenCode 2 shares one background service (`serve --service`) between all its screens; that service has the
 * environment of the first pane that needed it, so whatever it said would be said of the wrong pane.
 */
export function paneIdentity() {
  const { ORCA_TUI_PANE, ORCA_TUI_TOKEN, ORCA_TUI_INTAKE, ORCA_TUI_API } = process.env
  const pane = string(ORCA_TUI_PANE)
  const token = string(ORCA_TUI_TOKEN)
  const intake = string(ORCA_TUI_INTAKE)
  if (pane === null || token === null || intake === null || isSharedService(process.argv)) return null
  return { pane, token, intake, api: string(ORCA_TUI_API) }
}

function isSharedService(argv) {
  return argv.includes("serve") && argv.includes("--service")
}
