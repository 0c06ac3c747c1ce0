#!/usr/bin/env node
/**
 * A test double of OpenCode's plugin host (Node 20 or later, no dependencies). It loads real plugin files, so
 * that the status plugin meets what a host does to it: several instances, reloads under running sessions,
 * broken edits.
 *
 *   node tests/hosts/opencode_host.mjs --host v2 --config DIR [--config DIR] --location DIR
 *        [--app-version 2.0.18] [--restart prefix|all] [--future] [--no-watch] [--debounce MS]
 *   node tests/hosts/opencode_host.mjs --host v1 --config DIR --location DIR [--v1-setup] [--factories N]
 *   node tests/hosts/opencode_host.mjs --host tui --config DIR --location DIR [--app-version V] [--standalone]
 *
 *   --restart    which plugins a change restarts: from the first changed one on, or all
 *   --future     ctx.session has `active`, `inbox.cancel` and the conditional form of `resume`
 *   --v1-setup   `setup` is called too, with the context of the second core in 1.18, which has no events
 *   --factories  calls of `server` per instance (1.18 with a listening screen: two); events reach the last
 *   --standalone as in OpenCode 2's own command line: the screen's server is its own
 *
 * stdin, one JSON command per line:
 *   {"cmd":"emit","event":{"type":T,"data":{}}}       publish an event as it is (v1: "properties")
 *   {"cmd":"prompt","sessionID":S,"text":T,"delivery":D,"resume":R,"ms":N}   v2: its step takes N ms
 *   {"cmd":"synthetic", the same}
 *   {"cmd":"switch","sessionID":S,"agent":A}          v2: another agent (mode) from now on
 *   {"cmd":"revert","sessionID":S}                    v2: the session was rewound
 *   {"cmd":"create","sessionID":S,"parentID":P}       v2: a session without a turn, of a parent or of none
 *   {"cmd":"finish","sessionID":S}                    v2: the step that runs ends now
 *   {"cmd":"interrupt","sessionID":S}
 *   {"cmd":"cancel","sessionID":S,"inboxID":I}
 *   {"cmd":"active"}          v2: which sessions run
 *   {"cmd":"before","call":"session.get","do":{command}}   v2: do it when a plugin next calls that, just before
 *   {"cmd":"reload"}          look for changed plugins now; a change of a plugin folder does it as well
 *   {"cmd":"dispose"}         v1: tear the instance down and make a new one; v2: the location shuts down
 *   {"cmd":"close"}           dispose of everything and exit
 * to a screen (--host tui), which has the commands of v2 for its server, and:
 *   {"cmd":"show","route":{"type":"session","sessionID":S}}
 *   {"cmd":"disconnect"}, {"cmd":"connect"}                         its server goes on meanwhile
 *   {"cmd":"hold","kind":"permission","sessionID":S,"requests":[]}  what the server answers to a `sync`
 *   {"cmd":"list", the same}                                        what the screen lists, right or wrong
 * stdout, one JSON record per line: {"t": ms, "rec": what happened}; "ready" follows the first load.
 */
import readline from "node:readline"
import { parseArgs } from "node:util"
import { Bus } from "./opencode/bus.mjs"
import { learnSessions } from "./opencode/known_sessions.mjs"
import { Plugins } from "./opencode/plugins.mjs"
import { Sessions } from "./opencode/sessions.mjs"
import { Tui } from "./opencode/tui.mjs"
import { Host1 } from "./opencode/v1.mjs"
import { watchPluginFolders } from "./opencode/watch.mjs"

const { values: options } = parseArgs({
  options: {
    host: { type: "string", default: "v2" },
    config: { type: "string", multiple: true, default: [] },
    location: { type: "string", default: process.cwd() },
    "app-version": { type: "string" },
    restart: { type: "string", default: "prefix" },
    debounce: { type: "string", default: "100" },
    factories: { type: "string", default: "1" },
    future: { type: "boolean", default: false },
    standalone: { type: "boolean", default: false },
    "v1-setup": { type: "boolean", default: false },
    "no-watch": { type: "boolean", default: false },
  },
})

const record = (entry) => process.stdout.write(`${JSON.stringify({ t: Date.now(), ...entry })}\n`)
const known = learnSessions()
const host = await { v1: openV1, v2: openV2, tui: openTui }[options.host]()
record({ rec: "ready", host: options.host, pid: process.pid })

for await (const line of readline.createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue
  const command = JSON.parse(line)
  if (command.cmd === "close") break
  try {
    await run(command)
  } catch (error) {
    record({ rec: "error", error: error._tag ?? String(error) })
  }
}
await host.close()
record({ rec: "closed" })
process.exit(0)

async function run(command) {
  if (command.cmd === "emit") known.learn(command.event)
  const action = host.commands[command.cmd]
  if (action === undefined) throw new Error(`unknown command ${command.cmd}`)
  await action(command)
}

async function openV1() {
  const host1 = new Host1({
    record,
    known,
    configs: options.config,
    location: options.location,
    factories: Number(options.factories),
    callsSetup: options["v1-setup"],
  })
  await host1.boot()
  return {
    commands: {
      emit: ({ event }) => host1.publish(event),
      dispose: async () => {
        await host1.dispose()
        await host1.boot()
        record({ rec: "disposed" })
      },
    },
    close: () => host1.dispose(),
  }
}

async function openV2() {
  const bus = new Bus({ record, location: options.location })
  const sessions = new Sessions({
    publish: (event) => bus.publish(event),
    record,
    future: options.future,
    location: options.location,
  })
  const ambushes = new Map()
  const plugins = new Plugins({
    record,
    bus,
    sessions,
    known,
    before: (call) => spring(ambushes, call),
    configs: options.config,
    location: options.location,
    app: { version: options["app-version"] ?? "2.0.18", channel: "latest" },
    restart: options.restart,
    future: options.future,
  })
  await plugins.activate()
  const stopWatching = options["no-watch"]
    ? () => {}
    : watchPluginFolders(options.config, Number(options.debounce), () => plugins.activate())
  return {
    commands: {
      ...commandsV2({ bus, sessions, plugins }),
      before: ({ call, do: command }) => void ambushes.set(call, command),
    },
    close: async () => {
      stopWatching()
      await plugins.unloadAll()
    },
  }
}

/** Runs what was laid for a call, and lets everybody hear of it before the call itself is answered. */
async function spring(ambushes, call) {
  const command = ambushes.get(call)
  if (command === undefined) return
  ambushes.delete(call)
  await run(command)
  await new Promise((resolve) => setImmediate(resolve))
}

async function openTui() {
  const bus = new Bus({ record, location: options.location })
  const sessions = new Sessions({
    publish: (event) => bus.publish(event),
    record,
    future: false,
    location: options.location,
  })
  const tui = new Tui({
    record,
    sessions,
    configs: options.config,
    location: options.location,
    app: { version: options["app-version"] ?? "2.0.18", channel: "latest" },
  })
  bus.listen((event) => tui.hear(event))
  await tui.activate()
  return {
    commands: {
      ...commandsV2({ bus, sessions, plugins: tui }),
      show: ({ route }) => tui.show(route),
      disconnect: () => tui.disconnect(),
      connect: () => {
        tui.connect()
        bus.publish({ type: "server.connected", data: {} })
      },
      hold: ({ kind, sessionID, requests }) => tui.holdOnServer(kind, sessionID, requests),
      list: ({ kind, sessionID, requests }) => tui.list(kind, sessionID, requests),
    },
    close: () => tui.unloadAll(),
  }
}

function commandsV2({ bus, sessions, plugins }) {
  const admit = (type) => (command) =>
    record({ rec: "admitted", row: sessions.admit(command.sessionID, type, command) })
  return {
    emit: ({ event }) => bus.publish(event),
    prompt: async (command) =>
      record({ rec: "admitted", row: await sessions.prompt(command.sessionID, command) }),
    switch: ({ sessionID, agent }) => sessions.switchAgent(sessionID, agent),
    revert: ({ sessionID }) => sessions.revert(sessionID),
    synthetic: admit("synthetic"),
    interrupt: ({ sessionID }) => record({ rec: "interrupted", value: sessions.interrupt(sessionID) }),
    create: ({ sessionID, parentID }) => void sessions.create(sessionID, parentID),
    finish: ({ sessionID }) => record({ rec: "finished", value: sessions.finish(sessionID) }),
    cancel: ({ sessionID, inboxID }) => {
      sessions.cancel(sessionID, inboxID)
      record({ rec: "cancelled" })
    },
    active: () => record({ rec: "active", data: sessions.running() }),
    reload: async () => {
      await plugins.activate()
      record({ rec: "reloaded" })
    },
    dispose: async () => {
      await sessions.shutDown()
      await plugins.unloadAll()
      record({ rec: "disposed" })
    },
  }
}
