import { locale } from './language'

/** Where the server stops counting: `LIMITS.unread` of the client, which loads later than the texts. */
export const MAX_UNREAD = 100

const numbers = new Intl.NumberFormat(locale)
const lists = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })
const rules = new Intl.PluralRules(locale)

export const number = (value: number): string => numbers.format(value)

export const list = (names: readonly string[]): string => lists.format(names)

export const unreadCount = (count: number): string => (count < MAX_UNREAD ? number(count) : `${number(MAX_UNREAD)}+`)

/** The forms of a counted text, in which `#` is the number. Arabic has all six. */
type PluralForms = { readonly other: string } & { readonly [Rule in Intl.LDMLPluralRule]?: string }

/** Returns the form of a text for a count by the rules of the language. */
export const plural = (count: number, forms: PluralForms): string =>
  (forms[rules.select(count)] ?? forms.other).replaceAll('#', number(count))
