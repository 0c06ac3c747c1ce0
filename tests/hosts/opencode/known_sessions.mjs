/** Sessions of which a test only emitted the creation: what the host's `session.get` answers for them. */

export function learnSessions() {
  const known = new Map()
  return {
    get: (id) => known.get(id),
    learn(event) {
      if (event?.type !== "session.created") return
      const data = event.data ?? event.properties ?? {}
      const info = data.info ?? data
      const id = info.id ?? data.sessionID
      if (id !== undefined) known.set(id, { ...info, id })
    },
  }
}
