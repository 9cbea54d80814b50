import type * as english from './en'

/** The form of a translation: English with any wording. A missing text is a type error. */
type TranslationOf<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof Text]: TranslationOf<Text[Name]> }

export type Texts = TranslationOf<typeof english>
