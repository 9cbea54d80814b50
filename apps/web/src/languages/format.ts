import { LANGUAGES, language, locale } from './language'

/** Where the server stops counting: `LIMITS.unread` of the client, which loads later than the texts. */
export const MAX_UNREAD = 100

const numbers = new Intl.NumberFormat(locale)
const lists = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })
const rules = new Intl.PluralRules(locale)

export const number = (value: number): string => numbers.format(value)

const isRightToLeft = LANGUAGES[language].direction === 'rtl'
const STARTS_FROM_THE_RIGHT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/** Lists names. They are isolated if any is of the other direction than the page: it would reverse what is next to it. */
export const list = (names: readonly string[]): string => isolated(names, 0)

/** Lists names in the direction of the first one: a title that is too long is truncated at its end. */
export const titleOf = (names: readonly string[]): string => isolated(names, 1)

function isolated(names: readonly string[], from: number): string {
  const isForeign = (name: string) => STARTS_FROM_THE_RIGHT.test(name) !== isRightToLeft
  if (!names.some(isForeign)) return lists.format(names)
  return lists.format(names.map((name, at) => (at < from ? name : `\u2068${name}\u2069`)))
}

export const unreadCount = (count: number): string => (count < MAX_UNREAD ? number(count) : `${number(MAX_UNREAD)}+`)

/** The forms of a counted text, in which `#` is the number. Arabic has all six. */
type PluralForms = { readonly other: string } & { readonly [Rule in Intl.LDMLPluralRule]?: string }

/** Returns the form of a text for a count by the rules of the language. */
export const plural = (count: number, forms: PluralForms): string =>
  (forms[rules.select(count)] ?? forms.other).replaceAll('#', number(count))
