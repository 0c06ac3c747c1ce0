/**
 * Another plugin beside ours in OpenCode 1: one call of what ours offers it, told as a line of JSON.
 *
 *   node plugin_client.mjs PLUGIN-FILE OPERATION INPUT       such as `inbox.cancel '{"id":"n1"}'`
 */
import { pathToFileURL } from "node:url"

const [file, operation, input] = process.argv.slice(2)
const { default: plugin } = await import(pathToFileURL(file))
const hooks = await plugin.server({ client: {} })
const call = operation.split(".").reduce((domain, name) => domain[name], globalThis.orcaTui.session)
try {
  console.log(JSON.stringify({ value: await call(JSON.parse(input)) }))
} catch ({ message, ...facts }) {
  console.log(JSON.stringify({ error: { message, ...facts } }))
}
await hooks.dispose()
