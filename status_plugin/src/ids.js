/** Ids in the form of the host's own, which sort by time: a prefix, 12 hexadecimal digits, and chance. */

import crypto from "node:crypto"

const COUNTER_BITS = 12n
const TIME_BITS = 48n

/** `prefix` is "msg" or "prt". Later ids sort after earlier ones, the host's of the same moment included. */
export function hostId(prefix) {
  const time = (BigInt(Date.now()) << COUNTER_BITS) | 0xfffn
  const digits = BigInt.asUintN(Number(TIME_BITS), time).toString(16).padStart(12, "0")
  return `${prefix}_${digits}${crypto.randomBytes(7).toString("hex")}`
}
