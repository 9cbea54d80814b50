/** A piece of a snippet, and whether it is what was searched for. */
export interface SnippetPart {
  readonly text: string
  readonly isMatch: boolean
}

/** The service puts what matched between « and ». Marks of Markdown would only be in the way among so few words. */
export const partsOf = (snippet: string): readonly SnippetPart[] =>
  snippet
    .replace(/\*\*|`+/g, '')
    .split(/(«[^«»]*»)/)
    .filter((text) => text !== '')
    .map((text) => (/^«.*»$/s.test(text) ? { text: text.slice(1, -1), isMatch: true } : { text, isMatch: false }))
