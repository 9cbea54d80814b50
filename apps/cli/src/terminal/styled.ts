import { clean } from './clean.js'

/** Text to be shown. A string is foreign and gets cleaned where it is rendered; only `StyledText` may have escapes. */
export type Text = string | StyledText

/** Our own styles around text that is clean. Nothing outside of this class makes one of a string without cleaning it. */
export class StyledText {
  static readonly EMPTY = new StyledText('')
  readonly #ansi: string

  private constructor(ansi: string) {
    this.#ansi = ansi
  }

  /** Returns the text as one line. */
  static line(text: Text): StyledText {
    return text instanceof StyledText ? text : new StyledText(clean(text).replace(/\s+/g, ' '))
  }

  /** Returns the text with its line breaks. */
  static body(text: Text): StyledText {
    return text instanceof StyledText ? text : new StyledText(clean(text))
  }

  /** Joins texts, each of which is one line. The separator is our own. */
  static join(parts: readonly Text[], separator = ''): StyledText {
    return new StyledText(parts.map((part) => StyledText.line(part).#ansi).join(separator))
  }

  /** Implements the tag `styled`. */
  static template(literals: TemplateStringsArray, ...values: readonly (Text | number)[]): StyledText {
    const filled = values.map((value) => (typeof value === 'number' ? String(value) : StyledText.line(value).#ansi))
    return new StyledText(String.raw({ raw: literals }, ...filled))
  }

  /** Changes the layout or the style. Whatever the function adds has to be our own. */
  map(change: (ansi: string) => string): StyledText {
    return new StyledText(change(this.#ansi))
  }

  /** Whether there is nothing to show. */
  get isEmpty(): boolean {
    return this.#ansi === ''
  }

  /** The text with its escapes, to be printed. */
  get ansi(): string {
    return this.#ansi
  }

  /** The text without styles. */
  get plain(): string {
    return this.#ansi.replace(SGR, '')
  }

  /** Loses its style in a plain template string: there, a string with escapes would be taken for foreign text. */
  toString(): string {
    return this.plain
  }
}

/** The escapes of our styles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for escapes
const SGR = /\u001b\[[\d;]*m/g

/** Fills texts into a template of our own, each as one line: ``styled`${style.bold(name)} joined` ``. */
export const styled = StyledText.template

/** Foreign text of several lines. */
export const body = StyledText.body

/** Joins texts with a separator of our own. */
export const joined = StyledText.join

/** Joins texts, one on each line. */
export const lines = (parts: readonly Text[]): StyledText => joined(parts, '\n')

/** Restyles each match in a text of several lines. */
export const replaced = (
  text: string,
  pattern: RegExp,
  replace: (...match: [found: string, ...groups: string[]]) => Text,
): StyledText =>
  body(text).map((ansi) => ansi.replace(pattern, (...match) => StyledText.line(replace(...(match as [string]))).ansi))
