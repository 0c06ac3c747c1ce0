/**
 * What a screen of OpenCode 2 knows of the sessions of its server. It learns from the same events as its
 * plugins, after them; what was there before it is fetched: sessions and who runs at once, what a session
 * asks only when `sync` is called.
 */

export class ScreenStore {
  #sessions
  #info = new Map()
  #running = new Set()
  #asks = { permission: new Map(), form: new Map() }
  #fetched = { permission: new Map(), form: new Map() }
  #messages = new Map()

  /** `sessions` are those of the server. */
  constructor(sessions) {
    this.#sessions = sessions
  }

  /** The screen connects: sessions, and which of them run. */
  hydrate() {
    for (const info of this.#sessions.all()) this.#info.set(info.id, info)
    this.#running = new Set(this.#sessions.running())
  }

  /** What the server would answer from now on, though no event told the screen. */
  holdOnServer(kind, sessionID, requests) {
    this.#asks[kind].set(sessionID, requests)
  }

  /** What the screen lists of a session, whatever the server says: a list that is out of date. */
  list(kind, sessionID, requests) {
    this.#fetched[kind].set(sessionID, requests)
  }

  learn({ type, data, created }) {
    const id = data.sessionID ?? data.form?.sessionID
    switch (type) {
      case "session.created":
        return void this.#info.set(id, { id, location: data.location, parentID: data.parentID })
      case "session.deleted":
        return void (this.#info.delete(id), this.#running.delete(id))
      case "session.execution.started":
        return void this.#running.add(id)
      case "session.execution.succeeded":
      case "session.execution.failed":
      case "session.execution.interrupted":
        return void this.#running.delete(id)
      case "permission.asked":
        return this.#asked("permission", id, data)
      case "form.created":
        return this.#asked("form", id, data.form)
      case "permission.replied":
      case "permission.cancelled":
        return this.#settled("permission", id, data.requestID)
      case "form.replied":
      case "form.cancelled":
        return this.#settled("form", id, data.id)
      case "session.inbox.enqueued":
        if (data.item.type !== "user") return
        return this.#said(id, {
          id: data.inboxID,
          type: "user",
          text: data.item.payload.text,
          time: { created },
        })
      case "session.text.ended": {
        const content = [{ type: "text", text: data.text }]
        return this.#said(id, { id: data.assistantMessageID, type: "assistant", content, time: { created } })
      }
    }
  }

  /** `ctx.data.session`, as far as plugins read it. */
  domain() {
    const requests = (kind) => ({
      list: (id) => this.#fetched[kind].get(id)?.slice(),
      sync: async (id) => {
        this.#fetched[kind].set(id, [...(this.#asks[kind].get(id) ?? [])])
      },
      invalidate: () => {},
    })
    return {
      list: () => [...this.#info.values()],
      get: (id) => this.#info.get(id),
      root: (id) => this.#rootOf(id),
      family: (id) => [...this.#info.keys()].filter((member) => this.#rootOf(member) === id),
      status: (id) => (this.#running.has(id) ? "running" : "idle"),
      sync: async () => {},
      permission: requests("permission"),
      form: requests("form"),
      message: { list: (id) => [...(this.#messages.get(id) ?? [])], sync: async () => {} },
    }
  }

  #rootOf(id) {
    const parent = this.#info.get(id)?.parentID
    return parent === undefined ? id : this.#rootOf(parent)
  }

  #asked(kind, id, request) {
    for (const lists of [this.#asks, this.#fetched]) {
      lists[kind].set(id, [...(lists[kind].get(id) ?? []), request])
    }
  }

  #settled(kind, id, requestID) {
    for (const lists of [this.#asks, this.#fetched]) {
      lists[kind].set(
        id,
        (lists[kind].get(id) ?? []).filter((request) => request.id !== requestID),
      )
    }
  }

  /** The newest first. */
  #said(id, message) {
    this.#messages.set(id, [message, ...(this.#messages.get(id) ?? [])])
  }
}
