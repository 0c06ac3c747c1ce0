/** Errors of a turn, as both hosts word them, in the words of the wire: {kind, message, reset_at}. */

import { clip, number, record, seconds, string } from "./values.js"

const FAULT_TEXT_LIMIT = 500
/** Too many requests; and what providers answer when the credit or the quota is spent. */
const LIMIT_STATUSES = [429, 402]

/** OpenCode 1: `{name, data: {message, statusCode?, responseHeaders?}}`. */
export function faultOfHost1(error, now) {
  const { name, data } = record(error)
  const { message, statusCode, responseHeaders } = record(data)
  return fault(kindOfHost1(name, statusCode), string(message) ?? string(name), resetAt(responseHeaders, now))
}

function kindOfHost1(name, status) {
  if (name === "ProviderAuthError" || status === 401 || status === 403) return "auth"
  if (LIMIT_STATUSES.includes(status)) return "rate_limit"
  return name === "APIError" ? "api" : "other"
}

/** OpenCode 2: `{type: "provider.auth", message, status?}`. */
export function faultOfHost2(error) {
  const { type, message, status } = record(error)
  return fault(kindOfHost2(string(type) ?? "", status), string(message) ?? string(type), null)
}

function kindOfHost2(type, status) {
  if (/auth/.test(type) || status === 401 || status === 403) return "auth"
  if (/rate|quota/.test(type) || LIMIT_STATUSES.includes(status)) return "rate_limit"
  return type.startsWith("provider.") ? "api" : "other"
}

function fault(kind, message, reset_at) {
  return { error: { kind, message: clip(message, FAULT_TEXT_LIMIT) ?? "", reset_at } }
}

/**
 * `retry-after` is a number of seconds or a date (RFC 9110, 10.2.3); some providers also give the exact
 * `retry-after-ms`. Anything else says nothing.
 */
function resetAt(headers, now) {
  const exact = string(record(headers)["retry-after-ms"])
  if (exact !== null && number(Number(exact)) !== null) return seconds(now + Number(exact))
  const value = string(record(headers)["retry-after"])
  if (value === null) return null
  const wait = number(Number(value))
  const date = number(Date.parse(value))
  if (wait !== null) return seconds(now + wait * 1000)
  return date === null ? null : seconds(date)
}
