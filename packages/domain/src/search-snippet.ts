import { cutBefore } from './cut.js'
import { HAS_WORD } from './search.js'
import { EVERY_CLUSTER, endOfCluster, headlineForm, MARKED, MAX_FORM_LENGTH, searchForm } from './search-form.js'

const LENGTH = 160
const OPEN = '«'
const CLOSE = '»'

/** A part of a text, by its places. */
interface Range {
  readonly from: number
  readonly to: number
}

/**
 * The part of a text around what was found in it, with all of that marked; the beginning of the text when nothing was.
 * `headline` is that part as PostgreSQL has marked words in it, in a form like that of the text, or empty. PostgreSQL also
 * marks words of a phrase that stand alone, so only rows of at least `inRow` stay marked. Runs, which are unspaced, are
 * marked here.
 */
export function snippetOf(text: string, runs: readonly string[], headline = '', inRow = 1): string {
  const words = partOf(text, headline, inRow)
  if (words === null) return aroundRuns(text, runs) ?? (plainly(headline) || beginningOf(text))
  const marks = [...words.marks, ...runsOf(text, runs, words)]
  const shown = marked(text, words, marks)
  if (runs.length === 0 || marks.length > words.marks.length) return shown
  const others = aroundRuns(text, runs)
  return others === null ? shown : `${shown} … ${others}`
}

/** A part with the words that are marked in it. */
interface Part extends Range {
  readonly marks: readonly Range[]
}

/** The part of a text that a headline shows; null when the headline marks nothing, or is not in the text. */
function partOf(text: string, headline: string, inRow: number): Part | null {
  // Every other piece is marked.
  const pieces = headline.split(EITHER)
  if (pieces.length === 1) return null
  const part = partIn(asItIs(text), pieces) ?? partIn(formed(text, headlineForm), pieces.map(headlineForm))
  return part && { ...part, marks: rowsOf(text, part.marks, inRow) }
}

/** The marks that stand in rows of so many at least; all of them when none do. */
function rowsOf(text: string, marks: readonly Range[], length: number): readonly Range[] {
  const rows: Range[][] = []
  for (const mark of marks) {
    const last = rows.at(-1)?.at(-1)
    if (last && !HAS_WORD.test(text.slice(last.to, mark.from))) rows.at(-1)?.push(mark)
    else rows.push([mark])
  }
  const long = rows.filter((row) => row.length >= length).flat()
  return long.length > 0 ? long : marks
}

function partIn({ form, placeOf }: FormedText, pieces: readonly string[]): Part | null {
  const start = form.indexOf(pieces.join(''))
  if (start < 0) return null
  let end = start
  const marks: Range[] = []
  for (const [index, { length }] of pieces.entries()) {
    if (index % 2 === 1) marks.push({ from: placeOf(end), to: placeOf(end + length) })
    end += length
  }
  return { from: placeOf(start), to: placeOf(end), marks }
}

const EITHER = new RegExp(`[${MARKED.from}${MARKED.to}]`)

/** A headline as it is, for a text that has lost something on the way. */
const plainly = (headline: string) =>
  headline.replaceAll(MARKED.from, OPEN).replaceAll(MARKED.to, CLOSE).replaceAll(MARKED.apart, '')

/** The surroundings of the first of some runs; null when there is none. */
function aroundRuns(text: string, runs: readonly string[]): string | null {
  const [first] = runsOf(text, runs, { from: 0, to: text.length })
  if (first === undefined) return null
  const from = cutBefore(text, Math.max(0, first.from - LENGTH / 4))
  const part = { from, to: cutBefore(text, Math.min(text.length, from + LENGTH)) }
  const shown = marked(text, part, runsOf(text, runs, part))
  return `${from > 0 ? '… ' : ''}${shown.replace(/\s+/g, ' ').trim()}${part.to < text.length ? ' …' : ''}`
}

function beginningOf(text: string): string {
  const beginning = text.slice(0, cutBefore(text, Math.min(text.length, LENGTH)))
  return `${beginning.trim()}${beginning.length < text.length ? ' …' : ''}`
}

/** The places of runs in a part of a text. */
function runsOf(text: string, runs: readonly string[], { from, to }: Range): Range[] {
  if (runs.length === 0) return []
  const { form, placeOf } = formed(text.slice(from, to), searchForm)
  const longestFirst = [...runs].sort((a, b) => b.length - a.length).join('|')
  const everyRun = new RegExp(`(?:${longestFirst.replaceAll('+', '\\+')})\\p{Emoji_Modifier}?`, 'gu')
  return Array.from(form.matchAll(everyRun), ({ 0: run, index }) => ({
    from: from + placeOf(index),
    to: from + placeOf(index + run.length),
  }))
}

/** A text in another form, and the places in the text of those in the form. */
interface FormedText {
  readonly form: string
  placeOf(index: number): number
}

const asItIs = (text: string): FormedText => ({ form: text, placeOf: (index) => index })

/** How much of a text is formed at a time. Places are looked for only in the sections that they are in. */
const SECTION = 1_000

interface Section {
  readonly text: string
  readonly form: string
  /** The places where the text and the form begin. */
  readonly from: number
  readonly start: number
}

function formed(text: string, formOf: (text: string) => string): FormedText {
  const sections: Section[] = []
  let [from, start] = [0, 0]
  while (from < text.length && start < MAX_FORM_LENGTH) {
    const section = text.slice(from, endOfCluster(text, from + SECTION))
    const form = formOf(section)
    sections.push({ text: section, form, from, start })
    from += section.length
    start += form.length
  }
  const placesOf = new Map<Section, (index: number) => number>()
  return {
    form: sections.map(({ form }) => form).join(''),
    placeOf(index) {
      const section = sections.findLast(({ start }) => start <= index)
      if (section === undefined) return 0
      const placeIn = placesOf.get(section) ?? placesIn(section, formOf)
      placesOf.set(section, placeIn)
      return section.from + placeIn(index - section.start)
    },
  }
}

/** The places in a section of those in its form. */
function placesIn({ text, form }: Section, formOf: (text: string) => string): (index: number) => number {
  // A form that only differs in case, or in what is set apart, has the same places.
  if (form.length === text.length && headlineForm(form).toLowerCase() === headlineForm(text).toLowerCase()) {
    return (index) => index
  }
  const places: number[] = []
  for (const { 0: cluster, index } of text.matchAll(EVERY_CLUSTER)) {
    for (let i = formOf(cluster).length; i > 0; i--) places.push(index)
  }
  return (index) => places[index] ?? text.length
}

/** A part of a text with marks in it, which may overlap. */
function marked(text: string, { from, to }: Range, marks: readonly Range[]): string {
  let shown = ''
  let next = from
  for (const mark of joined(text, marks)) {
    shown += `${text.slice(next, mark.from)}${OPEN}${text.slice(mark.from, mark.to)}${CLOSE}`
    next = mark.to
  }
  return shown + text.slice(next, to)
}

/** Between the parts of one written word, such as a version, a path or an address. */
const WITHIN_WORD = /^[-._/@:'’\u02bb\u02bc]?$/

/** Marks in their order, of which those in one written word are one. */
function joined(text: string, marks: readonly Range[]): readonly Range[] {
  const all: Range[] = []
  for (const mark of [...marks].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && mark.from < last.to) continue
    if (last && WITHIN_WORD.test(text.slice(last.to, mark.from).normalize('NFKC')))
      all[all.length - 1] = { from: last.from, to: mark.to }
    else all.push(mark)
  }
  return all
}
