/** The languages of the page, each with its own name. Its texts are in the folder of the same name. */
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
} as const

export type Language = keyof typeof LANGUAGES

/** The setting of this browser, for all accounts. */
const LANGUAGE_KEY = 'spaces.language'

/** Returns the stored language, or the first of the browser's languages that the page has. */
export function chooseLanguage(stored: string | null, preferred: readonly string[]): Language {
  return [stored ?? '', ...preferred].map(baseOf).find(isLanguage) ?? 'en'
}

/**
 * Returns the locale of numbers and times: the browser's region with the language, if it has one. Digits are those of
 * positions and IDs.
 */
export function localeOf(language: Language, preferred: readonly string[]): string {
  const locale = preferred.find((tag) => baseOf(tag) === language) ?? language
  return new Intl.Locale(locale, { numberingSystem: 'latn' }).toString()
}

/** The languages to choose from. Each is named in itself, so that its readers find it. */
export const languageNames = Object.entries(LANGUAGES).map(([value, { name }]) => ({
  value: value as Language,
  label: name,
}))

const baseOf = (tag: string) => tag.toLowerCase().split('-')[0] ?? ''
const isLanguage = (base: string): base is Language => Object.hasOwn(LANGUAGES, base)

const browsers = () => (typeof window === 'undefined' ? [] : window.navigator.languages)

/** The language of the page. It changes only by a reload. */
export const language = chooseLanguage(
  typeof window === 'undefined' ? null : window.localStorage.getItem(LANGUAGE_KEY),
  browsers(),
)

/** The locale of all formats of `Intl`. */
export const locale = localeOf(language, browsers())

/** Stores another language and reloads the page in it. Drafts and unsent messages are stored, too. */
export function changeLanguage(next: Language): void {
  window.localStorage.setItem(LANGUAGE_KEY, next)
  window.location.reload()
}
