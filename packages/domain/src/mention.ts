import { LIMITS } from './limits.js'
import { foldedPart, foldName } from './name.js'
import { proseOf, withoutAddresses } from './prose.js'
import { INVISIBLE } from './search-form.js'
import { UNSPACED_LETTER } from './unspaced.js'

/** An actor that a text can mention by its name or id. */
export interface Mentionable {
  readonly id: string
  readonly name: string
}

/** A name after an @ in a text, and the actors that it fits: none, one, or several. */
export interface Mention {
  /** The index of the @. */
  readonly from: number
  /** The index after the name. */
  readonly to: number
  readonly name: string
  readonly people: readonly Mentionable[]
}

/** A text with more of them is a list of something else. */
const MAX_MENTIONS = 100

/** Marks that belong to the letter before them; not those that make an emoji of a character. */
const MARKS = String.raw`(?:(?![\ufe0f\u20e3])\p{M})*`
/** In Arabic and Hebrew, words such as "and" and "to" are written right before a name. */
const PREFIXED_LETTER = String.raw`[\p{sc=Arab}\p{sc=Hebr}]`
/** The beginning of a word that runs into an @, as in an e-mail address. */
const WORD_BEFORE = String.raw`(?:[\p{Nd}_]|(?!${UNSPACED_LETTER}|${PREFIXED_LETTER})\p{L})${MARKS}`
const STARTS_HERE = new RegExp(`[@＠](?<!${WORD_BEFORE}.)`, 'uy')
const STARTS = new RegExp(String.raw`[@＠](?=[^\s@＠${INVISIBLE}])`, 'gu')

/** Whether a text has an @ that begins a name. */
export const hasMention = (text: string): boolean => mayMention(text) && startsIn(text, proseOf(text)).length > 0

/** Whether a text would have one if all of it were prose: most texts need no closer look. */
const mayMention = (text: string) => /[@＠]/.test(text) && text.search(STARTS) !== -1

/**
 * Finds the names after an @ in a Markdown text, outside of code, quotations and addresses. The longest whole name or id
 * counts; if there is none, the longest word of a name.
 */
export const findMentions = (text: string, names: NameIndex): Mention[] =>
  mayMention(text) ? findIn(text, proseOf(text), names) : []

/** Finds the names after an @ in a piece of a paragraph, as a parser of Markdown gives it. */
export const findInlineMentions = (text: string, names: NameIndex): Mention[] =>
  mayMention(text) ? findIn(text, withoutAddresses(text), names) : []

function findIn(text: string, prose: string, names: NameIndex): Mention[] {
  const mentions: Mention[] = []
  for (const index of startsIn(text, prose)) {
    const after = prose.slice(index + 1, index + 1 + 2 * LIMITS.displayName)
    const { length, people } = nameAt(after, names)
    const to = index + 1 + length
    if (length > 0) mentions.push({ from: index, to, name: text.slice(index + 1, to), people })
  }
  return mentions
}

/** Lists the first @s that begin names. */
function startsIn(text: string, prose: string): number[] {
  const starts: number[] = []
  for (const { index } of prose.matchAll(STARTS)) {
    if (isStart(text, prose, index)) starts.push(index)
    if (starts.length === MAX_MENTIONS) break
  }
  return starts
}

/** Whether no word runs into an @, even one that is no prose. An underscore that is not in the prose begins emphasis. */
function isStart(text: string, prose: string, index: number): boolean {
  if (text[index - 1] === '_' && prose[index - 1] !== '_') return true
  STARTS_HERE.lastIndex = index
  return STARTS_HERE.test(text)
}

/** A mention that is being typed. */
export interface OpenMention {
  /** The index of the @. */
  readonly from: number
  /** What was typed after it. */
  readonly typed: string
}

/** Returns the mention that is being typed at a caret, or null. */
export function openMentionAt(text: string, caret: number): OpenMention | null {
  const before = text.slice(0, caret)
  const from = Math.max(before.lastIndexOf('@'), before.lastIndexOf('＠'))
  if (from === -1 || caret - from > LIMITS.displayName) return null
  const typed = text.slice(from + 1, caret)
  if (/[\n@]|\s\s|^\s/.test(typed)) return null
  // Emphasis that begins there is not complete yet.
  const [delimiter] = /_*$/.exec(text.slice(0, from)) ?? []
  const prose = proseOf(before + delimiter)
  return /[@＠]/.test(prose.charAt(from)) && isStart(text, prose, from) ? { from, typed } : null
}

/** The actors that a folded text names, by their whole name or id, or by a word of their name. */
interface NamedActors {
  readonly whole: Mentionable[]
  readonly word: Mentionable[]
}

/** Actors by the folded forms of their names, so that a look-up costs the same however many there are. */
export class NameIndex {
  readonly #named = new Map<string, NamedActors>()
  /** The length of the longest form. */
  longest = 0

  add(people: readonly Mentionable[]): this {
    for (const person of people) {
      const whole = foldName(person.name)
      this.#of(whole).whole.push(person)
      if (person.id !== person.name) this.#of(foldName(person.id)).whole.push(person)
      for (const word of new Set(whole.split(' '))) if (word !== whole) this.#of(word).word.push(person)
    }
    return this
  }

  get(form: string): NamedActors | undefined {
    return this.#named.get(form)
  }

  #of(form: string): NamedActors {
    const named = this.#named.get(form) ?? { whole: [], word: [] }
    this.#named.set(form, named)
    this.longest = Math.max(this.longest, form.length)
    return named
  }
}

interface NameFound {
  readonly length: number
  readonly people: readonly Mentionable[]
}

/** Finds the name at the beginning of a text; without a match, its first word. */
function nameAt(text: string, names: NameIndex): NameFound {
  let whole: NameFound | undefined
  let word: NameFound | undefined
  let first = 0
  let form = ''
  let from = 0
  for (const { index, isWordEnd } of nameEnds(text)) {
    form += foldedPart(text.slice(from, index))
    from = index
    if (isWordEnd && first === 0) first = index
    if (first > 0 && form.length > names.longest) break
    const named = names.get(form)
    if (named && named.whole.length > 0) whole = { length: index, people: named.whole }
    else if (named && isWordEnd) word = { length: index, people: named.word }
  }
  const found = whole ?? word
  if (found) return { ...found, people: preferExact(found.people, text.slice(0, found.length)) }
  return { length: /^[\p{L}\p{N}_]/u.test(text) ? first : 0, people: [] }
}

interface NameEnd {
  readonly index: number
  /** Whether a word ends here, and not only a letter of a script without spaces, where only a whole name can end. */
  readonly isWordEnd: boolean
}

/** Lists the ends of a name at the beginning of a text: at the end of a word, or where the script changes. */
function* nameEnds(text: string): Generator<NameEnd> {
  let before: Kind = 'space'
  let index = 0
  for (const character of text) {
    if (!CONTINUES_LETTER.test(character)) {
      const kind = kindAt(text, index)
      const isWordEnd = !goesOn(before, kind)
      if (before !== 'space' && (isWordEnd || before === 'unspaced')) yield { index, isWordEnd }
      before = kind
    }
    index += character.length
  }
  if (before !== 'space') yield { index, isWordEnd: true }
}

/** Whether the next character continues the word of the one before. */
function goesOn(before: Kind, next: Kind): boolean {
  if (next === 'space' || next === 'other') return false
  if (next === 'unspaced') return before === 'unspaced'
  return !(isLetter(before) && isLetter(next)) || before === next
}

/** What a character is for a name: of which script, if it is a letter. A joiner belongs to the word after it. */
type Kind = 'space' | 'other' | 'joiner' | 'number' | 'unspaced' | 'letter' | (typeof SCRIPTS)[number]

const isLetter = (kind: Kind) => kind !== 'space' && kind !== 'other' && kind !== 'joiner' && kind !== 'number'

/** Continues the letter before it, in some form of it. */
const CONTINUES_LETTER = /^[\p{M}\u1160-\u11ff\uff9e\uff9f]/u
const SCRIPTS = ['Latn', 'Grek', 'Cyrl', 'Arab', 'Hebr', 'Deva'] as const
/** One dot, hyphen or row of underscores belongs to a name only if more follows: `@ci-bot`, but `@Ada.` */
const JOINER = String.raw`(?:[.-]|_+)(?!${UNSPACED_LETTER})[\p{L}\p{N}]`

const KINDS: readonly (readonly [Kind, RegExp])[] = (
  [
    ...SCRIPTS.map((script) => [script, String.raw`(?=\p{L})\p{sc=${script}}`] as const),
    ['unspaced', UNSPACED_LETTER],
    ['letter', String.raw`\p{L}`],
    ['number', String.raw`\p{N}`],
    ['space', String.raw`\s`],
    ['joiner', JOINER],
  ] as const
).map(([kind, pattern]) => [kind, new RegExp(pattern, 'uy')])

function kindAt(text: string, index: number): Kind {
  const found = KINDS.find(([, pattern]) => {
    pattern.lastIndex = index
    return pattern.test(text)
  })
  return found?.[0] ?? 'other'
}

/** Returns what has a name, whatever its case and accents. */
export const findByName = <Thing extends Mentionable>(things: readonly Thing[], name: string): readonly Thing[] =>
  preferExact(
    things.filter((thing) => foldName(thing.name) === foldName(name)),
    name,
  )

/** Returns, of several that a name fits, those that are spelled so, such as José next to Jose. */
function preferExact<Thing extends Mentionable>(things: readonly Thing[], name: string): readonly Thing[] {
  if (things.length < 2) return things
  const exact = things.filter((thing) => isExact(thing, name))
  return exact.length > 0 ? exact : things
}

const isExact = ({ id, name }: Mentionable, wanted: string) =>
  [id, name, ...name.split(/\s+/u)].some((one) => caseless(one) === caseless(wanted))

const caseless = (text: string) => text.trim().normalize('NFC').toLowerCase().replace(/\s+/gu, ' ')

/** The mentions of a text without repetitions: the last one of each name. */
export function distinctMentions(text: string, names: NameIndex): Mention[] {
  const byName = new Map(findMentions(text, names).map((mention) => [foldName(mention.name), mention]))
  return [...byName.values()]
}
