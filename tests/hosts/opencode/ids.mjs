/** Ids that sort by their birth, as OpenCode's do. */

let count = 0

export function makeId(prefix) {
  count += 1
  return `${prefix}_${Date.now().toString(16)}${count.toString(36).padStart(4, "0")}`
}
