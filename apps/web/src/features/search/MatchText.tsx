import styles from './MatchText.module.css'

/** A part of a snippet, and whether it matched. */
export interface SnippetPart {
  readonly text: string
  readonly isMatch: boolean
}

/** Splits a snippet at « and », between which the server puts matches. Removes Markdown marks. */
export const partsOf = (snippet: string): readonly SnippetPart[] =>
  snippet
    .replace(/\*\*|`+/g, '')
    .split(/(«[^«»]*»)/)
    .filter((text) => text !== '')
    .map((text) => (/^«.*»$/s.test(text) ? { text: text.slice(1, -1), isMatch: true } : { text, isMatch: false }))

/** A match of a search, with the words marked. */
export function MatchText({ snippet }: { readonly snippet: string }) {
  return (
    <bdi className={styles.text}>
      {partsOf(snippet).map(({ text, isMatch }, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: a snippet never changes
        isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
      )}
    </bdi>
  )
}
