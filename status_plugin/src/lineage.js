/**
 * Finds out whose child a session is, when its creation was not heard. The answer arrives when it arrives:
 * until then the session's parent is "unknown", and nothing waits for it.
 */

import { pause, record, string } from "./values.js"

const LOOKUP_DEADLINE_MS = 2000

export class Lineage {
  #table
  #get
  #asking = new Set()

  /** `get(id, signal)` asks the host for a session's record; it may throw, reject, or never answer. */
  constructor(table, get) {
    this.#table = table
    this.#get = get
  }

  /** Asks the host about a session whose parent is unknown; what failed is tried again when next called. */
  async trace(id) {
    if (this.#table.row(id).parent !== "unknown" || this.#asking.has(id)) return
    this.#asking.add(id)
    const info = await this.#lookUp(id)
    this.#asking.delete(id)
    if (info !== null && this.#table.has(id)) this.#table.describe(id, describedBy(info))
  }

  async #lookUp(id) {
    const giveUp = new AbortController()
    try {
      const answer = await Promise.race([this.#get(id, giveUp.signal), pause(LOOKUP_DEADLINE_MS)])
      // One host answers with the record, the other with an envelope around it.
      const info = [record(record(answer).data), record(answer)].find((candidate) => candidate.id === id)
      return info ?? null
    } catch {
      return null
    } finally {
      giveUp.abort()
    }
  }
}

/** The facts of a session's record, in the form that `Table.describe` takes. */
export function describedBy(info) {
  const { parentID, directory, location, agent } = record(info)
  return {
    parent: string(parentID),
    directory: string(directory) ?? string(record(location).directory),
    agent: string(agent),
  }
}
