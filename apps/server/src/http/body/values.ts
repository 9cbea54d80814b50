import { invalid, LIMITS } from '@collab-spaces/domain'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const BEGIN_OF_LIST = 0x5b
const BEGIN_OF_OBJECT = 0x7b

/**
 * Refuses a JSON text with too many values, before anything is made of it: what is sent as few bytes is large in memory,
 * and a text of nothing but names takes so long to parse that nobody else is answered meanwhile.
 */
export function requireFewValues(json: Uint8Array): void {
  // As each takes a byte, most texts need no look.
  if (json.length > LIMITS.bodyValues && hasMoreValues(json, LIMITS.bodyValues)) {
    throw invalid('body', `must have at most ${LIMITS.bodyValues.toLocaleString('en')} values`)
  }
}

/** Before each value there is a comma, or what it is the first of begins. Whether the text is valid shows later. */
function hasMoreValues(json: Uint8Array, most: number): boolean {
  let values = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at)
    else if ((byte === COMMA || byte === BEGIN_OF_LIST || byte === BEGIN_OF_OBJECT) && ++values > most) return true
  }
  return false
}

function endOfString(json: Uint8Array, begin: number): number {
  let at = begin + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}
