import { UNSPACED } from './unspaced.js'

/** A node of the inline Markdown of a paragraph. The indices are those of the paragraph. */
export type Inline = InlineText | InlineCode | InlineBreak | InlineEmphasis | InlineLink | InlineImage

interface Range {
  readonly from: number
  readonly to: number
}

export interface InlineText extends Range {
  readonly type: 'text'
  readonly text: string
}

export interface InlineCode extends Range {
  readonly type: 'codespan'
  readonly text: string
}

export interface InlineBreak extends Range {
  readonly type: 'br'
}

export interface InlineEmphasis extends Range {
  readonly type: 'em' | 'strong' | 'del'
  readonly tokens: readonly Inline[]
}

export interface InlineLink extends Range {
  readonly type: 'link'
  readonly href: string
  readonly tokens: readonly Inline[]
  /** Whether it is an address in the text, not words with a destination. */
  readonly isBare: boolean
}

export interface InlineImage extends Range {
  readonly type: 'image'
  readonly href: string
  readonly text: string
}

/**
 * Parses the inline Markdown of a paragraph. Follows CommonMark and GitHub's strikethrough and addresses, except that
 *
 * - tags, entities and references are text;
 * - every line break is a break;
 * - strikethrough takes two tildes: one means "about" or a range;
 * - scripts without spaces need none around emphasis (the CommonMark CJK-friendly amendments);
 * - an address ends before full-width punctuation;
 * - a backslash stays where the character after it would not be markup, as in the path of a file.
 */
export function parseInline(paragraph: string): readonly Inline[] {
  const { text, offsets, inert } = withoutEscapes(paragraph)
  return new InlineParser(text, inert).parse().map((node) => movedTo(node, offsets))
}

function movedTo<Node extends Inline>(node: Node, offsets: Offsets): Node {
  if (offsets === null) return node
  const moved = { ...node, from: offsets[node.from] as number, to: (offsets[node.to - 1] as number) + 1 }
  return 'tokens' in node ? { ...moved, tokens: node.tokens.map((inner) => movedTo(inner, offsets)) } : moved
}

/** The index in a paragraph of each character that is left of it; null if all are. */
type Offsets = readonly number[] | null

interface Unescaped {
  readonly text: string
  readonly offsets: Offsets
  /** The indices of characters that are text whatever they are. */
  readonly inert: ReadonlySet<number>
}

const NONE: ReadonlySet<number> = new Set()
const ESCAPES = /(\\+)[`*_~[\]<#]/g

/**
 * Removes the backslashes that escape: those before a character that would be markup without them. Of a run of them, each
 * two are one, and an odd one escapes the character.
 */
function withoutEscapes(paragraph: string): Unescaped {
  const runs = backslashesIn(paragraph)
  if (runs.length === 0) return { text: paragraph, offsets: null, inert: NONE }
  const bare = removed(paragraph, runs, () => true)
  const isOdd = (at: number) => (runs[at] as BackslashRun).length % 2 === 1
  const escapes = new Set<number>()
  for (let look = 0; look < MAX_LOOKS; look++) {
    const inert = [...escapes].filter(isOdd).map((at) => bare.escaped[at] as number)
    const parser = new InlineParser(bare.text, new Set(inert))
    parser.parse()
    const markup = markupAtLineStarts(bare.text, parser.markup)
    const before = escapes.size
    for (const [at, index] of bare.escaped.entries()) if (markup.has(index)) escapes.add(at)
    if (escapes.size === before) break
  }
  const { text, offsets, escaped } = removed(paragraph, runs, (at) => escapes.has(at))
  const inert = escaped.filter((_, at) => !escapes.has(at) || isOdd(at))
  return { text, offsets, inert: new Set(inert) }
}

/** A character that is escaped may leave others to be markup, as in `\\*\\_\\*\\_`. Text for which that goes on is rare. */
const MAX_LOOKS = 4

interface BackslashRun {
  readonly index: number
  readonly length: number
}

/** Lists the runs of backslashes outside of code that may escape. */
function backslashesIn(paragraph: string): BackslashRun[] {
  const runs = Array.from(paragraph.matchAll(ESCAPES), ({ 1: run = '', index }) => ({ index, length: run.length }))
  if (runs.length === 0) return runs
  const code = codeIn(paragraph)
  let at = 0
  return runs.filter(({ index }) => {
    while (at < code.length && (code[at] as Range).to <= index) at++
    return index < (code[at]?.from ?? Number.POSITIVE_INFINITY)
  })
}

/** Finds code spans, in which backslashes are text: they escape only a backtick that would begin one. */
function codeIn(paragraph: string): Range[] {
  const code: Range[] = []
  const ends = new CodeEnds(paragraph, NONE)
  const opener = /(\\*)(`+)/g
  for (let found = opener.exec(paragraph); found; found = opener.exec(paragraph)) {
    const [{ length }, backslashes = '', backticks = ''] = found
    const size = backticks.length - (backslashes.length % 2)
    const after = found.index + length
    const end = size === 0 ? null : ends.after(after, size)
    if (end === null) continue
    opener.lastIndex = end + size
    code.push({ from: after - size, to: end + size })
  }
  return code
}

/** Removes the backslashes of those runs that escape. `escaped` has the new index of the character after each run. */
function removed(paragraph: string, runs: readonly BackslashRun[], isEscape: (at: number) => boolean) {
  const pieces: string[] = []
  const offsets: number[] = []
  const escaped: number[] = []
  const keep = (from: number, to: number) => {
    pieces.push(paragraph.slice(from, to))
    for (let offset = from; offset < to; offset++) offsets.push(offset)
  }
  let from = 0
  for (const [at, { index, length }] of runs.entries()) {
    keep(from, index + (isEscape(at) ? Math.floor(length / 2) : length))
    escaped.push(offsets.length)
    from = index + length
  }
  keep(from, paragraph.length)
  return { text: pieces.join(''), offsets, escaped }
}

/** What would begin a block at the start of a line, or be the box of a task. */
const BLOCK_MARKUP =
  /^ {0,3}(?:#{1,6}(?=\s|$)|\*(?=\s|$)|(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$|`{3,}(?=[^`\n]*$)|\[[ xX]\](?=[ \t]))/gm

function markupAtLineStarts(text: string, markup: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(markup)
  for (const { 0: found, index } of text.matchAll(BLOCK_MARKUP)) {
    for (let i = 0; i < found.length; i++) all.add(index + i)
  }
  return all
}

/** A run of `*`, `_` or `~` that can begin or end emphasis. What is left of it shrinks from within. */
interface Delimiter {
  readonly type: 'delimiter'
  readonly character: string
  readonly length: number
  readonly canOpen: boolean
  readonly canClose: boolean
  from: number
  to: number
}

type Piece = Inline | Delimiter

/** A bracket that may begin a link or an image. */
interface Bracket {
  readonly isImage: boolean
  readonly from: number
  /** The index of its piece of text. */
  readonly piece: number
}

const SPECIAL = /[`*_~![\]<\n]/g
const PUNCTUATION = String.raw`!-/:-@[-\x60{-~`
const IN_DESTINATION = String.raw`(?:[^\s()\\<]|\\[${PUNCTUATION}]|\\(?![${PUNCTUATION}])|(?<!\()<)`
/** The rest of a link after its words: a destination, and perhaps a title. */
const DESTINATION = new RegExp(
  String.raw`\(\s*(?:<((?:[^<>\\\n]|\\[^\n])*)>|(${IN_DESTINATION}*(?:\(${IN_DESTINATION}*\)${IN_DESTINATION}*)*))` +
    String.raw`(?:\s+(?:"(?:[^"\\]|\\[^]){0,500}"|'(?:[^'\\]|\\[^]){0,500}'|\((?:[^()\\]|\\[^]){0,500}\)))?\s*\)`,
  'uy',
)
const ESCAPED = new RegExp(String.raw`\\([${PUNCTUATION}])`, 'g')

const HOST = String.raw`[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+`
const MAILBOX = String.raw`[A-Za-z0-9._+-]+@(?:[a-zA-Z0-9-]+\.)+[a-zA-Z][a-zA-Z0-9-]*[a-zA-Z0-9]`
const ANGLE_ADDRESS = new RegExp(
  String.raw`<(?:([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>\x00-\x1f]*)|([A-Za-z0-9.!#$%&'*+/=?^_\x60{|}~-]+@${HOST}))>`,
  'y',
)

/** Punctuation that ends an address, as no address has it unescaped: of scripts without spaces, and quotation marks. */
export const ENDS_ADDRESS = String.raw`“”‘’«»…—\u3000-\u3004\u3008-\u3020\u3030\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65`
const BARE_ADDRESS = new RegExp(
  [
    String.raw`(?<![A-Za-z0-9+.-])(?:https?|ftp):\/\/(?=[\p{L}\p{N}[])[^\s<>"\x60${ENDS_ADDRESS}]*`,
    String.raw`(?<![\p{L}\p{N}_./@-])www\.(?=[\p{L}\p{N}])[^\s<>"\x60${ENDS_ADDRESS}]*`,
    String.raw`(?<![A-Za-z0-9._+-])(?:mailto:)?${MAILBOX}(?![\w-])`,
  ].join('|'),
  'giu',
)
/** The end of a sentence rather than of an address. */
const AFTER_ADDRESS = /(?:[?!.,:;*_'"~]|(?![\0-\x7f])\p{P}|&[A-Za-z0-9]{1,31};)$/u
const MAX_ENTITY_LENGTH = 33
/** A name of a host ends where letters of another script follow the ASCII letters of its last part. */
const HOST_BEFORE_WORDS = /^(?:\w+:\/\/)?(?:[^\s/?#]*\.)?[A-Za-z]{2,}(?=(?![\0-\x7f])\p{L}[^./?#]*$)/u

/** Reads a text from which escaping backslashes have been removed. */
class InlineParser {
  readonly #pieces: Piece[] = []
  readonly #brackets: Bracket[] = []
  /** The number of the first brackets that can only begin an image: they have a link after them. */
  #aroundLinks = 0
  readonly #codeEnds: CodeEnds
  #special = -1
  #nextAddress: RegExpExecArray | null | undefined
  /** Where the text begins that is not in a piece yet. */
  #textFrom = 0
  /** The indices of characters that turned out to be markup. */
  readonly markup = new Set<number>()

  constructor(
    private readonly text: string,
    private readonly inert: ReadonlySet<number>,
  ) {
    this.#codeEnds = new CodeEnds(text, inert)
  }

  parse(): Inline[] {
    let index = 0
    while (index < this.text.length) {
      const special = this.#nextSpecial(index)
      const address = this.#addressFrom(index)
      if (address !== null && address.from <= special) index = this.#addBare(address)
      else if (special === this.text.length) break
      else index = this.#read(special)
    }
    this.#endText(this.text.length)
    return this.#emphasized(this.#pieces)
  }

  /** The index of the next special character from an index on. It is looked for once. */
  #nextSpecial(index: number): number {
    if (this.#special < index) this.#special = this.#findSpecial(index)
    return this.#special
  }

  #findSpecial(index: number): number {
    SPECIAL.lastIndex = index
    for (let found = SPECIAL.exec(this.text); found; found = SPECIAL.exec(this.text)) {
      if (!this.inert.has(found.index)) return found.index
    }
    return this.text.length
  }

  /** Reads what a special character begins. Returns the index after it. */
  #read(index: number): number {
    switch (this.text[index]) {
      case '`':
        return this.#readCode(index)
      case '<':
        return this.#readAngleAddress(index)
      case '\n':
        return this.#readBreak(index)
      case '!':
        return this.text[index + 1] === '[' && !this.inert.has(index + 1) ? this.#openBracket(index, true) : index + 1
      case '[':
        return this.#openBracket(index, false)
      case ']':
        return this.#closeBracket(index)
      default:
        return this.#readDelimiter(index)
    }
  }

  /** Ends the current text piece at an index and starts the next one at another. */
  #endText(to: number, next = to): void {
    const { text } = this
    if (to > this.#textFrom) {
      this.#pieces.push({ type: 'text', from: this.#textFrom, to, text: text.slice(this.#textFrom, to) })
    }
    this.#textFrom = next
  }

  #add(node: Inline): number {
    this.#endText(node.from, node.to)
    this.#pieces.push(node)
    return node.to
  }

  #readCode(from: number): number {
    const length = this.#runAt(from)
    const end = this.#codeEnds.after(from + length, length)
    if (end === null) return from + length
    const content = this.text.slice(from + length, end).replaceAll('\n', ' ')
    const isPadded = content.startsWith(' ') && content.endsWith(' ') && content.trim() !== ''
    this.#mark(from, from + length)
    this.#mark(end, end + length)
    return this.#add({ type: 'codespan', from, to: end + length, text: isPadded ? content.slice(1, -1) : content })
  }

  #readAngleAddress(from: number): number {
    ANGLE_ADDRESS.lastIndex = from
    const found = ANGLE_ADDRESS.exec(this.text)
    if (!found) return from + 1
    const [{ length }, address, mailbox] = found
    this.#mark(from, from + 1)
    return this.#add(bareLink(from, from + length, address ?? `mailto:${mailbox}`, address ?? mailbox ?? '', from + 1))
  }

  #readBreak(index: number): number {
    let from = index
    while (from > this.#textFrom && /[ \t]/.test(this.text.charAt(from - 1))) from--
    let to = index + 1
    while (/[ \t]/.test(this.text.charAt(to))) to++
    return this.#add({ type: 'br', from, to })
  }

  #openBracket(from: number, isImage: boolean): number {
    const to = from + (isImage ? 2 : 1)
    this.#endText(from)
    this.#endText(to)
    this.#brackets.push({ isImage, from, piece: this.#pieces.length - 1 })
    return to
  }

  #closeBracket(index: number): number {
    const opener = this.#brackets.pop()
    const isAroundLink = this.#brackets.length < this.#aroundLinks
    this.#aroundLinks = Math.min(this.#aroundLinks, this.#brackets.length)
    if (!opener || (isAroundLink && !opener.isImage)) return index + 1
    DESTINATION.lastIndex = index + 1
    const found = DESTINATION.exec(this.text)
    if (!found) return index + 1
    this.#endText(index)
    const href = (found[1] ?? found[2] ?? '').replace(ESCAPED, '$1')
    const words = this.#pieces.splice(opener.piece).slice(1)
    const tokens = this.#emphasized(words).flatMap((node) => (node.type === 'link' ? node.tokens : node))
    const range = { from: opener.from, to: index + 1 + found[0].length }
    this.#mark(opener.from, opener.from + (opener.isImage ? 2 : 1))
    this.#mark(index, index + 1)
    this.#textFrom = range.to
    if (opener.isImage) this.#pieces.push({ type: 'image', ...range, href, text: tokens.map(wordsOf).join('') })
    else {
      this.#pieces.push({ type: 'link', ...range, href, tokens, isBare: false })
      this.#aroundLinks = this.#brackets.length
    }
    return range.to
  }

  #readDelimiter(from: number): number {
    const character = this.text.charAt(from)
    const length = this.#runAt(from)
    const to = from + length
    if (character === '~' && length !== 2) return to
    const [before, after] = [this.#kindBefore(from), kindOf(characterAt(this.text, to))]
    const isLeft = after !== 'space' && (after !== 'punctuation' || before !== 'other')
    const isRight = before !== 'space' && (before !== 'punctuation' || after !== 'other')
    const isWord = character === '_'
    const canOpen = isLeft && (!isWord || !isRight || isPunctuation(characterBefore(this.text, from)))
    const canClose = isRight && (!isWord || !isLeft || isPunctuation(characterAt(this.text, to)))
    if (canOpen || canClose) {
      this.#endText(from, to)
      this.#pieces.push({ type: 'delimiter', character, length, canOpen, canClose, from, to })
    }
    return to
  }

  #kindBefore(index: number): Kind {
    const character = characterBefore(this.text, index)
    const isSelector = /^[\ufe00-\ufe0e\u{e0100}-\u{e01ef}]/u.test(character)
    return kindOf(isSelector ? characterBefore(this.text, index - character.length) : character)
  }

  /** The length of the run of one character from an index on. */
  #runAt(from: number): number {
    let to = from + 1
    while (this.text[to] === this.text[from] && !this.inert.has(to)) to++
    return to - from
  }

  #mark(from: number, to: number): void {
    for (let index = from; index < to; index++) this.markup.add(index)
  }

  #addressFrom(index: number): Range | null {
    if (this.#nextAddress === null) return null
    if (this.#nextAddress === undefined || this.#nextAddress.index < index) {
      BARE_ADDRESS.lastIndex = index
      this.#nextAddress = BARE_ADDRESS.exec(this.text)
    }
    const found = this.#nextAddress
    return found && { from: found.index, to: found.index + found[0].length }
  }

  #addBare({ from, to }: Range): number {
    const address = wholeAddress(this.text.slice(from, to), this.#brackets.length > 0)
    const isMailbox = !/^(?:\w+:|www\.)/i.test(address)
    const scheme = isMailbox ? 'mailto:' : /^www\./i.test(address) ? 'http://' : ''
    return this.#add(bareLink(from, from + address.length, scheme + address, address))
  }

  /** Turns delimiters that belong together into emphasis, and the others into text. */
  #emphasized(pieces: readonly Piece[]): Inline[] {
    const emphasis = new EmphasisStack()
    for (const piece of pieces) {
      if (piece.type !== 'delimiter') emphasis.add(piece)
      else for (const [from, to] of emphasis.addDelimiter(piece)) this.#mark(from, to)
    }
    return emphasis.end()
  }
}

/** The most emphasis within emphasis. What parses deeper text must not run out of stack. */
const MAX_DEPTH = 50

/** A delimiter that can open emphasis, and what follows it. */
interface Level {
  readonly delimiter: Delimiter | null
  readonly nodes: Inline[]
  depth: number
}

/** Matches delimiters as CommonMark does: each that can close, with the nearest before it that it fits. */
class EmphasisStack {
  readonly #levels: Level[] = [{ delimiter: null, nodes: [], depth: 0 }]
  /** The number of levels in which a kind of closing delimiter found none, so that matching takes linear time. */
  readonly #searched = new Map<string, number>()

  add(node: Inline): void {
    this.#top.nodes.push(node)
  }

  /** Adds a delimiter. Returns the ranges of the characters that it made markup. */
  addDelimiter(delimiter: Delimiter): [number, number][] {
    const markup: [number, number][] = []
    while (delimiter.canClose && delimiter.from < delimiter.to) {
      const at = this.#openerOf(delimiter)
      if (at === 0 || (this.#levels[at] as Level).depth >= MAX_DEPTH) break
      markup.push(...this.#close(at, delimiter))
    }
    if (delimiter.from < delimiter.to) this.#levels.push({ delimiter, nodes: [], depth: 0 })
    return markup
  }

  /** Returns all nodes. Delimiters without a match are text. */
  end(): Inline[] {
    this.#flatten(1)
    return joined(this.#top.nodes)
  }

  get #top(): Level {
    return this.#levels.at(-1) as Level
  }

  /** The level of the opening delimiter for a closing one; 0 for none. */
  #openerOf(closer: Delimiter): number {
    const kind = `${closer.character}${closer.canOpen}${closer.length % 3}`
    const end = this.#searched.get(kind) ?? 0
    for (let at = this.#levels.length - 1; at > end; at--) {
      if (fits((this.#levels[at] as Level).delimiter as Delimiter, closer)) return at
    }
    this.#searched.set(kind, this.#levels.length - 1)
    return 0
  }

  #close(at: number, closer: Delimiter): [number, number][] {
    this.#flatten(at + 1)
    const { delimiter, nodes, depth } = this.#top
    const opener = delimiter as Delimiter
    const isDouble = sizeOf(opener) >= 2 && sizeOf(closer) >= 2
    const size = isDouble ? 2 : 1
    const [from, to] = [opener.to - size, closer.from + size]
    const markup: [number, number][] = [
      [from, opener.to],
      [closer.from, to],
    ]
    const type = opener.character === '~' ? 'del' : isDouble ? 'strong' : 'em'
    const node: Inline = { type, from, to, tokens: joined(nodes) }
    opener.to = from
    closer.from = to
    if (sizeOf(opener) === 0) this.#levels.pop()
    else nodes.length = 0
    this.#top.nodes.push(node)
    this.#top.depth = Math.max(this.#top.depth, depth + 1)
    this.#limitSearched()
    return markup
  }

  /** Turns the delimiters from a level on into text. */
  #flatten(from: number): void {
    for (const { delimiter, nodes, depth } of this.#levels.splice(from)) {
      const { character, from, to } = delimiter as Delimiter
      this.#top.nodes.push({ type: 'text', from, to, text: character.repeat(to - from) })
      for (const node of nodes) this.#top.nodes.push(node)
      this.#top.depth = Math.max(this.#top.depth, depth)
    }
    this.#limitSearched()
  }

  #limitSearched(): void {
    for (const [kind, levels] of this.#searched) {
      if (levels > this.#levels.length - 1) this.#searched.set(kind, this.#levels.length - 1)
    }
  }
}

const sizeOf = ({ from, to }: Range) => to - from

/** Whether two delimiters are a pair, by the rule of three of CommonMark. */
function fits(opener: Delimiter, closer: Delimiter): boolean {
  if (opener.character !== closer.character || !opener.canOpen) return false
  const isInWord = (opener.canClose || closer.canOpen) && opener.character !== '~'
  return !isInWord || (opener.length + closer.length) % 3 !== 0 || (opener.length % 3 === 0 && closer.length % 3 === 0)
}

/** Joins neighbouring texts. */
function joined(nodes: readonly Inline[]): Inline[] {
  const all: Inline[] = []
  for (const node of nodes) {
    const last = all.at(-1)
    if (node.type === 'text' && last?.type === 'text') {
      all[all.length - 1] = { type: 'text', from: last.from, to: node.to, text: last.text + node.text }
    } else all.push(node)
  }
  return all
}

/** The ends of code spans: the runs of backticks of each length, the first one last. */
class CodeEnds {
  readonly #runs = new Map<number, number[]>()

  constructor(text: string, inert: ReadonlySet<number>) {
    const runs: Range[] = []
    for (let from = text.indexOf('`'); from !== -1; from = text.indexOf('`', from)) {
      let to = from + 1
      while (text[to] === '`' && !inert.has(to) && !inert.has(from)) to++
      if (!inert.has(from)) runs.push({ from, to })
      from = to
    }
    for (const { from, to } of runs.reverse()) {
      const ofLength = this.#runs.get(to - from)
      if (ofLength) ofLength.push(from)
      else this.#runs.set(to - from, [from])
    }
  }

  /** Finds the next run of a length, from an index on. Indices only grow. */
  after(index: number, length: number): number | null {
    const runs = this.#runs.get(length)
    while (runs?.length && (runs.at(-1) as number) < index) runs.pop()
    return runs?.at(-1) ?? null
  }
}

function bareLink(from: number, to: number, href: string, address: string, wordsFrom = from): InlineLink {
  const words: InlineText = { type: 'text', from: wordsFrom, to: wordsFrom + address.length, text: address }
  return { type: 'link', from, to, href, tokens: [words], isBare: true }
}

/** Returns an address without what ends the sentence or the brackets around it. */
function wholeAddress(found: string, isInBrackets: boolean): string {
  let address = HOST_BEFORE_WORDS.exec(found)?.[0] ?? found
  if (isInBrackets) address = address.slice(0, endInBrackets(address))
  let closing = address.split(')').length - address.split('(').length
  for (;;) {
    const [end] = AFTER_ADDRESS.exec(address.slice(-MAX_ENTITY_LENGTH)) ?? []
    if (end !== undefined) address = address.slice(0, -end.length)
    else if (closing > 0 && address.endsWith(')')) {
      address = address.slice(0, -1)
      closing--
    } else return address
  }
}

/** The index of the first bracket in an address that ends what is around it. */
function endInBrackets(address: string): number {
  let open = 0
  for (const { 0: bracket, index } of address.matchAll(/[[\]]/g)) {
    open += bracket === '[' ? 1 : -1
    if (open < 0) return index
  }
  return address.length
}

/** What a character is for a delimiter next to it. */
type Kind = 'space' | 'unspaced' | 'punctuation' | 'other'

const UNSPACED_CHARACTER = new RegExp(`^${UNSPACED}`, 'u')

const isPunctuation = (character: string) => /^[\p{P}\p{S}]/u.test(character)

function kindOf(character: string): Kind {
  if (character === '' || /^\s/.test(character)) return 'space'
  if (UNSPACED_CHARACTER.test(character)) return 'unspaced'
  return isPunctuation(character) ? 'punctuation' : 'other'
}

const characterAt = (text: string, index: number) => {
  const point = text.codePointAt(index)
  return point === undefined ? '' : String.fromCodePoint(point)
}

function characterBefore(text: string, index: number): string {
  const isPair = /[\udc00-\udfff]/.test(text.charAt(index - 1)) && /[\ud800-\udbff]/.test(text.charAt(index - 2))
  return text.slice(isPair ? index - 2 : index - 1, index)
}

/** Returns the words of a node, without its Markdown. */
export function wordsOf(node: Inline): string {
  if (node.type === 'br') return '\n'
  return 'tokens' in node ? node.tokens.map(wordsOf).join('') : node.text
}

/** Lists the ranges that say nothing: code, addresses, and the delimiters of emphasis. */
export function unspokenIn(nodes: readonly Inline[]): Range[] {
  return nodes.flatMap((node) => {
    if (node.type === 'codespan' || node.type === 'image' || (node.type === 'link' && node.isBare)) return node
    if (!('tokens' in node)) return []
    const { from, to, tokens } = node
    const words = { from: tokens[0]?.from ?? from + 1, to: tokens.at(-1)?.to ?? from + 1 }
    return [{ from, to: words.from }, ...unspokenIn(tokens), { from: words.to, to }]
  })
}
