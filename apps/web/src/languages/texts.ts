import type { english } from './en'
import type { Language } from './language'

/** The form of a translation: English with any wording. A missing text is a type error. */
type Translated<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof Text]: Translated<Text[Name]> }

export type Texts = Translated<typeof english>

/** Each language is a file of its own, so that the first view loads only one. */
const LOADERS: { readonly [Name in Language]: () => Promise<Texts> } = {
  en: async () => (await import('./en')).english,
}

let loaded: Texts | undefined

/** Loads the texts of a language. The modules of the app are imported afterwards, since they read texts at once. */
export async function loadTexts(language: Language): Promise<void> {
  loaded = await LOADERS[language]()
}

/** Returns the texts of a feature in the language of the page. */
export function textsOf<Feature extends keyof Texts>(feature: Feature): Texts[Feature] {
  if (!loaded) throw new Error('The texts are not loaded')
  return loaded[feature]
}
