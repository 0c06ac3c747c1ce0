/**
 * A clock that stands still until it is told to go on: Date.now, setTimeout and clearTimeout of this process.
 */

/** Installs it at `epochMs`; returns {elapsed, advanceTo, settle}, all in ms since then. */
export function installVirtualTime(epochMs) {
  const realImmediate = setImmediate
  const timers = new Map()
  let now = 0
  let born = 0

  Date.now = () => epochMs + now
  globalThis.setTimeout = (task, delay = 0, ...args) => {
    const id = { number: ++born, unref: () => id, ref: () => id }
    timers.set(id, { due: now + delay, run: () => task(...args) })
    return id
  }
  globalThis.clearTimeout = (id) => timers.delete(id)

  /**
   * Lets everything run that needs no time: promise chains end long before the event loop has turned this
   * often.
   */
  async function settle() {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => realImmediate(resolve))
  }

  /** Timers fire in the order of their time, and of their birth within it. */
  async function advanceTo(target) {
    for (let next; (next = earliest()) !== undefined && next.due <= target;) {
      now = Math.max(now, next.due)
      timers.delete(next.id)
      next.run()
      await settle()
    }
    now = Math.max(now, target)
  }

  function earliest() {
    const [first] = [...timers].sort(([a, { due: x }], [b, { due: y }]) => x - y || a.number - b.number)
    return first && { id: first[0], ...first[1] }
  }

  return { elapsed: () => now, advanceTo, settle }
}
