/** Where OpenCode looks for plugin files. */

import fs from "node:fs"
import path from "node:path"

export const PLUGIN_FOLDERS = ["plugin", "plugins"]

/**
 * The plugin files below `configs`, in the order of their loading, each with the revision that decides about
 * a reload: the mtime of what a link points to, whatever the bytes are.
 */
export function discover(configs, { folders }) {
  return configs
    .flatMap((config) => entriesOf(config))
    .flatMap((file) => {
      const target = folders ? targetOf(file) : sourceFile(file)
      return target === undefined ? [] : [{ target, ...revisionOf(target) }]
    })
}

function entriesOf(config) {
  const files = PLUGIN_FOLDERS.flatMap((folder) => {
    const directory = path.join(config, folder)
    return fs.existsSync(directory) ? fs.readdirSync(directory).map((name) => path.join(directory, name)) : []
  })
  return files.sort()
}

/** A file, or the entry of a package folder; links are followed, and those that lead nowhere are skipped. */
function targetOf(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  return stat?.isDirectory() ? packageEntry(file) : sourceFile(file)
}

function sourceFile(file) {
  return /\.(js|ts)$/.test(file) && fs.statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined
}

function packageEntry(directory) {
  const { exports, module, main } = readManifest(directory)
  return [exports, module, main, "index.ts", "index.js"]
    .filter((entry) => typeof entry === "string" && !path.isAbsolute(entry))
    .map((entry) => path.resolve(directory, entry))
    .find(
      (file) => file.startsWith(directory + path.sep) && fs.existsSync(file) && fs.statSync(file).isFile(),
    )
}

function readManifest(directory) {
  const file = path.join(directory, "package.json")
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : {}
}

function revisionOf(target) {
  const mtime = fs.statSync(target).mtimeMs
  return { mtime, revision: JSON.stringify([target, Math.trunc(mtime)]) }
}
