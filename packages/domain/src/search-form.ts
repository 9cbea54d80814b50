/**
 * The form in which texts and queries meet, whatever they look like. PostgreSQL makes the like of it of a text in which it
 * marks words (`db/search/headline.ts`), which is why characters are listed here.
 */

/** A class of characters, for regular expressions of JavaScript and of PostgreSQL. */
type Characters = string

/** Invisible characters: soft hyphens, zero-width breaks, direction marks, variation selectors. */
export const INVISIBLE: Characters =
  '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f' +
  '\ufeff\uffa0\ufff0-\ufff8\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}'

/**
 * Of Hebrew and Arabic, whose writers leave them out mostly; the stroke that lengthens an Arabic word; and the frame that
 * makes a key of a digit.
 */
export const VOWEL_MARKS: Characters =
  '\u20e3\u0640\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\ufb1e' +
  '\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08ca-\u08e1\u08e3-\u08ff'

/** Characters of a base form and those that count as it, one for one. */
const VARIANTS: readonly (readonly [base: string, variants: Characters])[] = [
  ['\u03c3', '\u03c2'],
  // Arabic, Persian and Urdu keyboards have other letters for the same: alef, waw, yeh, kaf, heh.
  ['\u0627', '\u0622\u0623\u0625\u0671\u0672\u0673'],
  ['\u0648', '\u0624'],
  ['\u064a', '\u0626\u0649\u06cc\u06d0\u06d2\u06d3'],
  ['\u0643', '\u06a9\u06aa'],
  ['\u0647', '\u0629\u06be\u06c0\u06c1\u06c2\u06c3\u06d5'],
]

/** The zeros of the decimal digits of other scripts, which their other digits follow. */
const ZEROS =
  '\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50\u0ed0\u0f20\u1040\u17e0\u1810\uff10'

const BASES: ReadonlyMap<string, string> = new Map([
  ...VARIANTS.flatMap(([base, variants]) => [...variants].map((variant) => [variant, base] as const)),
  ...[...ZEROS].flatMap((zero) =>
    Array.from('0123456789', (digit, n) => [String.fromCharCode(zero.charCodeAt(0) + n), digit] as const),
  ),
])

/** Characters, and at the same places what they count as. */
export const FOLDED: { readonly from: Characters; readonly to: Characters } = {
  from: [...BASES.keys()].join(''),
  to: [...BASES.values()].join(''),
}

const EVERY_VARIANT = new RegExp(`[${FOLDED.from}]`, 'g')

/** Puts the base for each variant of a letter or digit. Keeps the length. */
const folded = (text: string) => text.replace(EVERY_VARIANT, (variant) => BASES.get(variant) as string)

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

/** Makes equal what is one for readers: forms of a width, variants of a letter or digit, with vowel marks or without. */
export const readableForm = (text: string): string =>
  folded(compatibleForm(text.replace(EVERY_INVISIBLE, '')).replace(EVERY_VOWEL_MARK, ''))

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
 * The maximum length of a form. Some characters expand to eighteen, and normalizing a long text of those blocks the event
 * loop for a fifth of a second, so the rest is cut. No other text gets as long.
 */
export const MAX_FORM_LENGTH = 250_000

/** How much of a text is formed at a time. */
const SECTION = 10_000

/** The readable form of a text of any length. */
export function readableText(text: string): string {
  if (text.length <= SECTION) return readableForm(text)
  let form = ''
  let from = 0
  while (from < text.length && form.length < MAX_FORM_LENGTH) {
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
 * hosts, addresses, numbers and signs. It takes all others for the ends of words; apostrophes are here to be one.
 */
export const SEPARATORS: Characters = "<>&~/.@_+'\u2019\u02bb\u02bc\\-"

const EVERY_SEPARATOR = new RegExp(`[${SEPARATORS}]`, 'g')

/**
 * Letters with a number ("v1", "python3", "3rd", "k8s"). What changes more often between them, as hashes do, stays whole:
 * its parts say nothing. `letter` is a class, to be used within brackets.
 */
export const lettersWithNumber = (letter: Characters): string => {
  const [letters, digits, outside] = [`[${letter}]`, '[0-9]', `[${letter}0-9]`]
  const parts = [`(${letters}+)(${digits}+)(${letters}*)`, `(${digits}+)(${letters}+)(${digits}*)`]
  return `(?<!${outside})(?:${parts.join('|')})(?!${outside})`
}

const EVERY_LETTERS_WITH_NUMBER = new RegExp(lettersWithNumber('\\p{L}\\p{M}'), 'gu')

/** Most texts have no number, and finding that out takes a seventh of looking for letters with one. */
const DIGIT = /[0-9]/

/** Sets words apart that PostgreSQL's parser would not, and letters from the number that they stand with. */
export function setApart(words: string): string {
  const apart = words.replace(EVERY_SEPARATOR, ' ')
  return DIGIT.test(apart) ? apart.replace(EVERY_LETTERS_WITH_NUMBER, '$1$4 $2$5 $3$6') : apart
}

/** Around a word that PostgreSQL has marked, and where words are set apart while it does. No text has a use for them. */
export const MARKED = { from: '\ufdd0', to: '\ufdd1', apart: '\ufdd2' } as const
export const EVERY_MARK: Characters = Object.values(MARKED).join('')

const MARK = new RegExp(`[${EVERY_MARK}]`, 'g')
/** The form that a text and its headline, which PostgreSQL has marked, have in common. Never longer, often as long. */
export const headlineForm = (text: string): string =>
  folded(text.replace(EVERY_INVISIBLE, '').replace(EVERY_VOWEL_MARK, '').replace(MARK, '')).replace(
    EVERY_SEPARATOR,
    ' ',
  )
