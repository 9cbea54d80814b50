import type { Language } from './language'
import type { Texts } from './translation'

/** Each language is a file of its own, so that the first view loads only one. */
const LOADERS: { readonly [Name in Language]: () => Promise<Texts> } = {
  en: () => import('./en'),
  de: () => import('./de'),
  ar: () => import('./ar'),
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
