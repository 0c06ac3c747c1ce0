/**
 * Which notices went out in which message, until the host shows that its model was given that message. They
 * hang on the process's shared state: the factory that hears of an answer may be another one than sent.
 *
 * Rule 1: an answer to a message proves that message, and every one that the host told of before it, since a
 *         request holds the whole conversation.
 * Rule 2: a message of ours that is still on its way into the conversation is proven by no other one's answer.
 */

import { sharedState } from "./shared.js"

/** Messages that are remembered per session, and of ours those without a receipt. */
const CONVERSATION_LIMIT = 256
/** Sessions of which messages are remembered. */
const CARRYING_SESSION_LIMIT = 64

/** `notices` go out in `message`; to be called before they do. */
export function expectReceipt(session, message, notices) {
  const { awaited } = ofSession(session)
  awaited.set(message, [...(awaited.get(message) ?? []), ...notices])
  if (awaited.size > CONVERSATION_LIMIT) awaited.delete(awaited.keys().next().value)
}

/** They did not go out after all. */
export function forgetReceipt(session, message) {
  ofSession(session).awaited.delete(message)
}

/** Whether a message is one of ours, or has notices of ours in it. */
export function carriesNotices(session, message) {
  return ofSession(session).awaited.has(message)
}

/** The host tells of a message of the conversation. */
export function messageSeen(session, message) {
  const { messages } = ofSession(session)
  if (!messages.includes(message)) messages.push(message)
  if (messages.length > CONVERSATION_LIMIT) messages.shift()
}

/** The model answers a message: the notices that it was given with it. */
export function receiptsBy(session, message) {
  const { messages, awaited } = ofSession(session)
  const proven = [...messages.slice(0, messages.indexOf(message) + 1), message]
  const notices = proven.flatMap((one) => awaited.get(one) ?? [])
  for (const one of proven) awaited.delete(one)
  return notices
}

function ofSession(session) {
  const { receipts } = sharedState()
  if (!receipts.has(session)) {
    receipts.set(session, { messages: [], awaited: new Map() })
    if (receipts.size > CARRYING_SESSION_LIMIT) receipts.delete(receipts.keys().next().value)
  }
  return receipts.get(session)
}
