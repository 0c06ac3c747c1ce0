/** What an ask says, in one line, from the pieces that both hosts give. */

import { list, record, string } from "./values.js"

/** "bash: git push, git pull". */
export function permissionText(action, resources) {
  return joined([string(action), joined(list(resources), ", ")], ": ")
}

/** The questions, each by the first of `keys` that it has. */
export function questionText(questions, ...keys) {
  return joined(
    list(questions).map((question) => keys.map((key) => record(question)[key]).find(string)),
    " / ",
  )
}

function joined(parts, separator) {
  return parts.filter(string).join(separator)
}
