/** Does what the server asks one factory for, and tells what became of it. */

const KINDS = new Set(["wake", "interrupt"])

export class Worker {
  #courier
  #deeds

  /** `deeds` has a method for each kind of work; it resolves to `{outcome, ...}`. */
  constructor(courier, deeds, takes) {
    this.#courier = courier
    this.#deeds = deeds
    this.takes = takes
  }

  take(work) {
    void this.#do(work).catch(() => {})
  }

  async #do(work) {
    const outcome = KINDS.has(work.kind) ? await this.#outcome(work) : { outcome: "failed" }
    await this.#courier.tell({ item: work.item, ...outcome })
  }

  /** A deed that throws may have been half done; nothing tells, but for evidence that may still come. */
  async #outcome(work) {
    try {
      return await this.#deeds[work.kind](work)
    } catch {
      return { outcome: "unknown" }
    }
  }
}
