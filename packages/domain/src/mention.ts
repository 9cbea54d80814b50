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
/** Characters that a name goes on with. A dot or hyphen belongs to it only if more follows: `@ci-bot`, but `@Ada.` */
const GOES_ON = /^(?:[\p{L}\p{M}\p{N}_]|[.-]+[\p{L}\p{N}_])/u
/** Scripts without spaces, or with endings right behind a name. */
const NEVER_ENDS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]$/u
const WORD = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_]|[.-]+(?=[\p{L}\p{N}_]))*/u

export const callsSomebody = (text: string): boolean => withoutCode(text).search(AT) !== -1

/** Of the same length. */
const withoutCode = (text: string) => text.replace(CODE, (code) => ' '.repeat(code.length))

/**
 * Every name that a text calls as `@Name` outside of code, once each, in any case. Whoever has the longest name that fits is meant; if no
 * whole name fits, those whose first name does. An id is a name, too.
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

interface Name {
  readonly folded: string
  readonly person: Callable
  readonly isWhole: boolean
}

/** Names by their first character, so that a call is compared with few of them. */
export type NameIndex = ReadonlyMap<string, readonly Name[]>

export function nameIndex(people: readonly Callable[]): NameIndex {
  const index = new Map<string, Name[]>()
  for (const name of people.flatMap(namesOf)) {
    const key = name.folded.slice(0, 1)
    const names = index.get(key)
    if (names) names.push(name)
    else index.set(key, [name])
  }
  return index
}

function namesOf(person: Callable): Name[] {
  const whole = folded(person.name)
  const [first = ''] = whole.split(/\s/u)
  const names = [
    { folded: whole, person, isWhole: true },
    { folded: folded(person.id), person, isWhole: true },
  ]
  return first === whole ? names : [...names, { folded: first, person, isWhole: false }]
}

const folded = (text: string) => text.trim().normalize('NFC').toLowerCase()

function callOf(rest: string, names: NameIndex): Call | null {
  const after = rest.toLowerCase()
  const fitting = (names.get(after.slice(0, 1)) ?? []).filter(({ folded }) => begins(after, folded))
  const best = longestOf(fitting.filter(({ isWhole }) => isWhole)) ?? longestOf(fitting)
  const [one] = best ?? []
  if (best && one) return { name: startOf(rest, one.folded), people: best.map(({ person }) => person) }
  const [word] = WORD.exec(rest) ?? []
  return word === undefined ? null : { name: word, people: [] }
}

/** What is written for a name: some letters are longer in lower case. */
function startOf(text: string, name: string): string {
  let end = name.length
  while (text.slice(0, end).toLowerCase().length > name.length) end--
  return text.slice(0, end)
}

const begins = (text: string, name: string) =>
  name !== '' && text.startsWith(name) && (NEVER_ENDS.test(name) || !GOES_ON.test(text.slice(name.length)))

function longestOf(names: readonly Name[]): readonly Name[] | null {
  if (names.length === 0) return null
  const longest = Math.max(...names.map(({ folded }) => folded.length))
  return names.filter(({ folded }) => folded.length === longest)
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
