/** The last look before a notice starts a turn. Whoever looks calls the host before anything else runs. */

/**
 * Why the session is not to be woken, or null. `mode` null: whatever it runs as; `agent` is what the host says
 * that it runs as now, or null.
 */
export function whyNot(table, session, mode, agent) {
  const row = table.has(session) ? table.row(session) : null
  if (row !== null && row.asks.size > 0) return "waiting"
  if (row?.busy) return "busy"
  if (mode !== null && (agent ?? row?.agent) !== mode) return "agent_mismatch"
  return null
}
