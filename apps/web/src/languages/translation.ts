import type { english } from './en'

/** The form of a translation: English with any wording. A missing text is a type error. */
type Translated<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof Text]: Translated<Text[Name]> }

export type Texts = Translated<typeof english>
