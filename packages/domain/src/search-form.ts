/**
 * The form in which texts and queries meet, whatever they look like. PostgreSQL makes the like of it of a text in which it
 * marks words (`db/search/headline.ts`), which is why characters are listed here.
 */

/** A class of characters, for regular expressions of JavaScript and of PostgreSQL. */
type Characters = string

/** Nobody sees them: soft hyphens, breaks of no width, marks of direction, selectors of a variant. */
export const INVISIBLE: Characters =
  '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f' +
  '\ufeff\uffa0\ufff0-\ufff8\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}'

/** Of Hebrew and Arabic, whose writers leave them out mostly. */
export const VOWEL_MARKS: Characters =
  '\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\ufb1e' +
  '\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08ca-\u08e1\u08e3-\u08ff'

const EVERY_INVISIBLE = new RegExp(`[${INVISIBLE}]`, 'gu')
const EVERY_VOWEL_MARK = new RegExp(`[${VOWEL_MARKS}]`, 'gu')

/** The one character that stands for eighteen. Left to `normalize`, a long text of it takes a fifth of a second. */
const LONGEST_LIGATURE = '\u{fdfa}'
const LIGATURE_FORM = LONGEST_LIGATURE.normalize('NFKC')

/** More marks on a letter than any script has. Sorting a hundred thousand of them takes `normalize` seconds. */
const MARKS = /(\p{M}{32})/u

/** Makes full-width and half-width forms of a character equal. */
function compatibleForm(text: string): string {
  const form = text.replaceAll(LONGEST_LIGATURE, LIGATURE_FORM)
  if (!MARKS.test(form)) return form.normalize('NFKC')
  return form
    .split(MARKS)
    .map((part) => part.normalize('NFKC'))
    .join('')
}

/** Makes equal what is one for readers: forms of a width, a sigma wherever it stands, with vowel marks or without. */
export const readableForm = (text: string): string =>
  compatibleForm(text.replace(EVERY_INVISIBLE, '')).replace(EVERY_VOWEL_MARK, '').replaceAll('ς', 'σ')

/** Characters that become one, or are left out, in any form, after the character that it begins with. */
const REST_OF_CLUSTER = '[\\p{M}\\p{Default_Ignorable_Code_Point}\\u1160-\\u11ff\\uff9e\\uff9f\\ufdd0-\\ufdd2]*'
export const EVERY_CLUSTER = new RegExp(`.${REST_OF_CLUSTER}`, 'gsu')
const TO_END_OF_CLUSTER = new RegExp(REST_OF_CLUSTER, 'uy')

/** The first place from there on where a text can be divided, and each part be formed by itself. */
export function endOfCluster(text: string, from: number): number {
  if (from >= text.length) return text.length
  TO_END_OF_CLUSTER.lastIndex = /[\udc00-\udfff]/.test(text.charAt(from)) ? from + 1 : from
  TO_END_OF_CLUSTER.test(text)
  return TO_END_OF_CLUSTER.lastIndex
}

/**
 * How long a form may get. Some characters stand for up to eighteen others, and to form a long text of those holds up
 * everybody for a fifth of a second: what comes after this is left out. No other text gets as long.
 */
export const LONGEST_FORM = 250_000

/** How much of a text is formed at a time. */
const SECTION = 10_000

/** The readable form of a text of any length. */
export function readableText(text: string): string {
  if (text.length <= SECTION) return readableForm(text)
  let form = ''
  let from = 0
  while (from < text.length && form.length < LONGEST_FORM) {
    const to = endOfCluster(text, from + SECTION)
    form += readableForm(text.slice(from, to))
    from = to
  }
  return form
}

/** Makes upper and lower case equal, too. */
export const searchForm = (text: string): string => readableForm(text).toLowerCase().replaceAll('ς', 'σ')

/**
 * Marks that PostgreSQL's parser would take for a part of something longer, and lose the words in it: tags, entities, paths,
 * hosts and signs. `letter` and `digit` are classes, to be used within brackets. Numbers stay whole ("3.14"), and so do
 * letters of an abbreviation ("A.I.", "I/O"), most of which are no words by themselves.
 */
export function separators(letter: Characters, digit: Characters): string {
  const single = `(?<=(?<![${letter}${digit}])[${letter}].)[${letter}](?![${letter}${digit}])`
  return [
    '[<>&~]',
    `[+-](?=[${digit}])`,
    `([.](?=[${letter}_])|/)(?!${single})`,
    `(?<=[${letter}_])[.](?=[${digit}])`,
  ].join('|')
}

const SEPARATOR = new RegExp(separators('\\p{L}', '\\p{Nd}'), 'gu')

/** Sets words apart that PostgreSQL's parser would not. Keeps the length. */
export const setApart = (words: string): string => words.replace(SEPARATOR, ' ')

/** Around a word that PostgreSQL has marked, and around unspaced text while it does. No text means anything by them. */
export const MARKED = { from: '\ufdd0', to: '\ufdd1', apart: '\ufdd2' } as const
export const EVERY_MARK: Characters = Object.values(MARKED).join('')

const MARK = new RegExp(`[${EVERY_MARK}]`, 'g')
/** The characters that separate words in some places. */
const SEPARATORS = /[<>&~+\-./]/g

/** The form that a text and its headline, which PostgreSQL has marked, have in common. Never longer, often as long. */
export const headlineForm = (text: string): string =>
  text
    .replace(EVERY_INVISIBLE, '')
    .replace(EVERY_VOWEL_MARK, '')
    .replace(MARK, '')
    .replace(SEPARATORS, ' ')
    .replaceAll('ς', 'σ')
