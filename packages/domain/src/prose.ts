import { ENDS_ADDRESS, parseInline, unspokenIn } from './inline.js'

/**
 * Finds the prose in a Markdown text: what its writer says, without code, quotations and addresses. Block structure
 * follows CommonMark, except that a quotation is only the lines that begin with `>`: a line below it is the writer's own.
 */

/** A line with its line break. */
const LINES = /[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g

const TAB_WIDTH = 4
/** The indentation that makes a line code. */
const CODE_INDENT = 4

const FENCE = /^(?:`{3,}(?=[^`]*$)|~{3,})/
const LIST_MARKER = /^(?:[-*+]|\d{1,9}[.)])(?=\s|$)/
/** A list within a paragraph would mostly be a number at the start of a line. */
const INTERRUPTING_MARKER = /^(?:[-*+]|1[.)])(?=[ \t]+\S)/
const HEADING = /^#{1,6}(?=\s|$)/
const THEMATIC_BREAK = /^(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})\s*$/
/** Turns the paragraph above it into a heading, or is a thematic break. */
const UNDERLINE = /^(?:=+|-+)\s*$/
const BLOCK_START = new RegExp(`^>|${[FENCE, LIST_MARKER, HEADING].map(({ source }) => source).join('|')}`)

/** Replaces code, quotations and addresses with spaces. Keeps the length and the line breaks. */
export function proseOf(text: string): string {
  const blocks = new BlockReader()
  let prose = ''
  let paragraph = ''
  const endParagraph = () => {
    if (paragraph === '') return
    prose += withoutUnspoken(paragraph)
    paragraph = ''
  }
  for (const [line] of text.matchAll(LINES)) {
    const kind = blocks.read(line)
    if (kind !== 'continuation') endParagraph()
    if (kind === 'other') prose += blank(line)
    else paragraph += line
  }
  endParagraph()
  return prose
}

/** Whether a fenced code block is open at the end of a text. */
export function isInFence(text: string): boolean {
  const blocks = new BlockReader()
  for (const [line] of text.matchAll(LINES)) blocks.read(line)
  return blocks.isInFence
}

const blank = (text: string) => text.replace(/[^\r\n]/g, ' ')

/** The first line of a block of prose, a further line of it, or anything else: code, a quotation, an empty line. */
type LineKind = 'start' | 'continuation' | 'other'

interface Fence {
  readonly marker: string
  /** Where the content of the list item around it begins. */
  readonly base: number
}

/** A place in a line. A tab takes several columns. */
interface LinePosition {
  readonly index: number
  readonly column: number
}

/** Separates prose from code and quotations, line by line. */
class BlockReader {
  /** The columns where the contents of the open list items begin. */
  #items: number[] = []
  #fence: Fence | null = null
  #isParagraph = false
  /** Whether the last line is nothing but the marker of an item. */
  #isEmptyItem = false

  get isInFence(): boolean {
    return this.#fence !== null
  }

  read(line: string): LineKind {
    const place = afterSpaces(line, { index: 0, column: 0 })
    const rest = line.slice(place.index)
    if (rest === '') {
      // An item cannot begin with two empty lines.
      if (this.#isEmptyItem) this.#items.pop()
      this.#isEmptyItem = false
      this.#isParagraph = false
      return 'other'
    }
    this.#isEmptyItem = false
    if (this.#fence && place.column >= this.#fence.base) {
      if (closes(rest, this.#fence) && place.column < this.#fence.base + CODE_INDENT) this.#fence = null
      return 'other'
    }
    // Its list item has ended.
    this.#fence = null
    const depth = this.#items.length
    if (!this.#isParagraph || BLOCK_START.test(rest))
      this.#items = this.#items.filter((column) => column <= place.column)
    const isInParagraph = this.#isParagraph && this.#items.length === depth
    return this.#readContent(line, place, isInParagraph ? INTERRUPTING_MARKER : LIST_MARKER)
  }

  /** Reads what follows the indentation: any number of list markers, then a block. */
  #readContent(line: string, start: LinePosition, firstMarker: RegExp): LineKind {
    let place = start
    for (let markers = firstMarker; ; markers = LIST_MARKER) {
      const base = this.#items.at(-1) ?? 0
      const rest = line.slice(place.index)
      const isIndented = place.column >= base + CODE_INDENT
      if (isIndented) return this.#isParagraph ? 'continuation' : 'other'
      const [marker] = markers.exec(rest) ?? []
      if (marker === undefined || THEMATIC_BREAK.test(rest)) return this.#readBlock(rest, base)
      this.#isParagraph = false
      const end = { index: place.index + marker.length, column: place.column + marker.length }
      place = afterSpaces(line, end)
      const isCode = place.column > end.column + CODE_INDENT || place.index === line.length
      this.#items.push(isCode ? end.column + 1 : place.column)
      this.#isEmptyItem = place.index === line.length
    }
  }

  #readBlock(rest: string, base: number): LineKind {
    const [fence] = FENCE.exec(rest) ?? []
    const wasParagraph = this.#isParagraph
    const isBreak = THEMATIC_BREAK.test(rest) && !(wasParagraph && UNDERLINE.test(rest))
    this.#isParagraph = false
    if (fence !== undefined) {
      this.#fence = { marker: fence, base }
      return 'other'
    }
    if (rest === '' || rest.startsWith('>') || isBreak) return 'other'
    if (HEADING.test(rest)) return 'start'
    this.#isParagraph = !(wasParagraph && UNDERLINE.test(rest))
    return wasParagraph ? 'continuation' : 'start'
  }
}

/** The place after the spaces and tabs from a place on; the end of the line, break included, if nothing else follows. */
function afterSpaces(line: string, start: LinePosition): LinePosition {
  let { index, column } = start
  for (; index < line.length; index++) {
    const character = line[index] as string
    if (character === '\t') column += TAB_WIDTH - (column % TAB_WIDTH)
    else if (/\s/.test(character)) column++
    else break
  }
  return { index, column }
}

const closes = (rest: string, { marker }: Fence) =>
  rest.startsWith(marker) && rest.trimEnd() === (marker[0] as string).repeat(rest.trimEnd().length)

/** Blanks code, addresses and the delimiters of emphasis. A paragraph without an @ needs no closer look. */
function withoutUnspoken(paragraph: string): string {
  if (!/[@＠]/.test(paragraph)) return paragraph
  let prose = ''
  let end = 0
  for (const { from, to } of unspokenIn(parseInline(paragraph))) {
    prose += paragraph.slice(end, from) + blank(paragraph.slice(from, to))
    end = to
  }
  return withoutAddresses(prose + paragraph.slice(end))
}

/** A character of an address. A border of a cell ends one, too. */
const IN_ADDRESS = `[^\\s<>"|[\\]\`'${ENDS_ADDRESS}]`

/** Each begins where no longer one could have begun before it, which keeps the search linear. */
const ADDRESS = new RegExp(
  [
    // With a scheme.
    `(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*://${IN_ADDRESS}*`,
    `(?<![A-Za-z0-9])(?:mailto|xmpp|acct|sips?|matrix):${IN_ADDRESS}+`,
    // A host and a path: social.example/@Grace.
    String.raw`(?<![\p{L}\p{N}_.@-])(?:[\p{L}\p{N}-]+\.)+[a-z]{2,}(?::\d+)?/${IN_ADDRESS}*`,
    // A package with a scope: @types/node.
    String.raw`@[a-z0-9~][a-z0-9._~-]*/[a-z0-9~][\w.~/@-]*`,
    // An e-mail address, or an account on another server: @grace@social.example.
    String.raw`(?<![A-Za-z0-9._%+-])[@＠]?[A-Za-z0-9._%+-]+[@＠](?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}{2,}`,
  ].join('|'),
  'gu',
)

/** Replaces addresses within a paragraph with spaces. Keeps the length. */
export const withoutAddresses = (paragraph: string): string => paragraph.replace(ADDRESS, blank)
