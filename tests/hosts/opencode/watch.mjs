/**
 * Watches the plugin folders for changes, as the server of OpenCode 2 does: the targets of links are not
 * watched.
 */

import fs from "node:fs"
import path from "node:path"
import { PLUGIN_FOLDERS } from "./discovery.mjs"

/** Calls `changed` once a burst of changes is `debounceMs` old; returns the way to stop. */
export function watchPluginFolders(configs, debounceMs, changed) {
  let timer
  const touched = () => {
    clearTimeout(timer)
    timer = setTimeout(changed, debounceMs)
  }
  const watchers = configs
    .flatMap((config) => PLUGIN_FOLDERS.map((folder) => path.join(config, folder)))
    .filter((directory) => fs.existsSync(directory))
    .map((directory) => fs.watch(directory, { recursive: false }, touched))
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
