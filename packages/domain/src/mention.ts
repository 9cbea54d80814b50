import { invalid } from './errors.js'
import { mentionsIn } from './event.js'
import type { JsonObject } from './json.js'
import { LIMITS } from './limits.js'

/** Somebody whom a text can call by name. */
export interface Callable {
  readonly id: string
  readonly name: string
}

/** A name that a text calls, without its @, and whom it fits: nobody, one, or several. */
export interface Call {
  readonly name: string
  readonly people: readonly Callable[]
}

/** Code, and the scopes of packages, have an @ of their own. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`|@[\w.-]+\/\S*/g
/** An @ that begins a name: not one within an address such as ada@example.org. */
const AT = /(?<![\p{L}\p{M}\p{N}_.+-])@(?=[^\s@])/gu
/** More of them than these are a list of something else. */
const MOST_CALLS = 100
/**
 * The places where a name can end: where it does not go on, or anywhere in scripts without spaces, or with endings
 * right behind a name. A dot or hyphen belongs to the name only if more follows: `@ci-bot`, but `@Ada.`
 */
const ENDS =
  /(?!^)(?:(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])|(?![\p{L}\p{M}\p{N}_]|[.-]+[\p{L}\p{N}_]))/gu
const WORD = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_]|[.-]+(?=[\p{L}\p{N}_]))*/u

export const callsSomebody = (text: string): boolean => withoutCode(text).search(AT) !== -1

/** Blanks out code, and keeps the length. */
const withoutCode = (text: string) => text.replace(CODE, (code) => ' '.repeat(code.length))

/**
 * Every name that a text calls as `@Name` outside of code, once each, in any case. Actors with the longest name that
 * fits are meant; if no whole name fits, those whose first name does. An id is a name, too.
 */
export function callsIn(text: string, names: NameIndex): Call[] {
  const calls = new Map<string, Call>()
  const said = withoutCode(text.normalize('NFC'))
  for (const { index } of [...said.matchAll(AT)].slice(0, MOST_CALLS)) {
    const rest = said.slice(index + 1, index + 1 + 2 * LIMITS.displayName)
    const call = callOf(rest, names)
    if (call) calls.set(folded(call.name), call)
  }
  return [...calls.values()]
}

/** The people whose whole name something is, and whose first. */
interface Named {
  readonly folded: string
  readonly whole: Callable[]
  readonly first: Callable[]
}

/** Names are found in folded form, so that what a call costs follows from its length, however many people there are. */
export class NameIndex {
  readonly #named = new Map<string, Named>()
  #longest = 0

  add(people: readonly Callable[]): this {
    for (const person of people) {
      const whole = folded(person.name)
      const [first = ''] = whole.split(/\s/u, 1)
      this.#of(whole).whole.push(person)
      this.#of(folded(person.id)).whole.push(person)
      if (first !== whole) this.#of(first).first.push(person)
    }
    return this
  }

  get(name: string): Named | undefined {
    return name.length > this.#longest ? undefined : this.#named.get(name)
  }

  #of(name: string): Named {
    const named = this.#named.get(name) ?? { folded: name, whole: [], first: [] }
    this.#named.set(name, named)
    this.#longest = Math.max(this.#longest, name.length)
    return named
  }
}

const folded = (text: string) => text.trim().normalize('NFC').toLowerCase()

function callOf(rest: string, names: NameIndex): Call | null {
  const after = rest.toLowerCase()
  const ends = [...after.matchAll(ENDS)].map(({ index }) => index)
  const fitting = ends.flatMap((end) => names.get(after.slice(0, end)) ?? [])
  const best = fitting.findLast(({ whole }) => whole.length > 0) ?? fitting.at(-1)
  if (best) return { name: startOf(rest, best.folded), people: best.whole.length > 0 ? best.whole : best.first }
  const [word] = WORD.exec(rest) ?? []
  return word === undefined ? null : { name: word, people: [] }
}

/** The part of the text that stands for a name: some letters are longer in lower case. */
function startOf(text: string, name: string): string {
  let end = 0
  let length = 0
  for (const letter of text) {
    length += letter.toLowerCase().length
    if (length > name.length) break
    end += letter.length
  }
  return text.slice(0, end)
}

/**
 * The metadata of an event whose text calls people by name: whoever is the only one that a call fits is mentioned, after
 * those whom the metadata mentions already. 400 if that is too many, or if its `mentions` are something else.
 */
export function withMentionsFrom(metadata: JsonObject | null, text: string, names: NameIndex): JsonObject | null {
  const called = callsIn(text, names).flatMap(({ people: [one, another] }) => (one && !another ? one.id : []))
  if (called.length === 0) return metadata
  if (metadata !== null && Object.hasOwn(metadata, 'mentions') && !isListOfStrings(metadata.mentions)) {
    throw invalid('metadata.mentions', 'must be an array of strings, as mentions are added from the text')
  }
  const mentions = [...new Set([...mentionsIn(metadata), ...called])]
  if (mentions.length > LIMITS.mentions) {
    throw invalid('metadata.mentions', `must name at most ${LIMITS.mentions} participants, with those in the text`)
  }
  return { ...metadata, mentions }
}

const isListOfStrings = (value: unknown) => Array.isArray(value) && value.every((entry) => typeof entry === 'string')
