/**
 * Reading what a host says. Its version may be newer or older than the ones we know, so a value of the
 * wrong type is read as absent and never trusted to have a shape.
 */

export const record = (value) => (typeof value === "object" && value !== null ? value : {})
export const list = (value) => (Array.isArray(value) ? value : [])
export const string = (value) => (typeof value === "string" && value !== "" ? value : null)
export const number = (value) => (Number.isFinite(value) ? value : null)
export const isFunction = (value) => typeof value === "function"

/**
 * At most `limit` UTF-16 units. A split surrogate pair would be refused by strict JSON readers, so it is
 * mended.
 */
export function clip(value, limit) {
  const text = string(value)
  return text === null ? null : text.slice(0, limit).toWellFormed()
}

/** One line of at most `limit` units: runs of white space become one space. */
export function oneLine(value, limit) {
  // Collapsing can only shorten, so looking at a few times the limit is enough, and a huge text stays cheap.
  const text = clip(value, limit * 4)
  return text === null ? null : clip(text.replace(/\s+/g, " ").trim(), limit)
}

/** Milliseconds, as hosts give them, to the Unix seconds of the wire. */
export const seconds = (milliseconds) => Math.round(milliseconds) / 1000

/**
 * Runs `task` and keeps its errors from the host: a status reporter must never break the agent it reports on.
 */
export function quietly(task) {
  try {
    return task()
  } catch {
    return undefined
  }
}

/** A timer that never keeps the host's process alive. */
export function later(milliseconds, task) {
  const timer = setTimeout(() => quietly(task), milliseconds)
  timer?.unref?.()
  return timer
}

export const pause = (milliseconds) => new Promise((resolve) => later(milliseconds, resolve))

/** Sets the newest of at most `limit` entries; one without a key or a value is none. */
export function remembered(map, key, value, limit) {
  if (key === null || value === null) return
  map.delete(key)
  map.set(key, value)
  if (map.size > limit) map.delete(map.keys().next().value)
}
