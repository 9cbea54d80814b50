import { plainText } from '../../shared/markdown/plain'
import styles from './MatchText.module.css'

/** A part of a snippet, and whether it matched. */
export interface SnippetPart {
  readonly text: string
  readonly isMatch: boolean
}

/** Splits a snippet at the « » that the server puts around matches, and removes Markdown syntax, also where it was cut. */
export const partsOf = (snippet: string): readonly SnippetPart[] =>
  plainText(snippet)
    .replace(/!?\[([^\][]*)\]\([^)\s]*$/, '$1')
    .replace(/\*\*|~~|`+|\]\([^)\s]*\)?/g, '')
    .split(/(«[^«»]*»)/)
    .filter((text) => text !== '')
    .map((text) => (/^«.*»$/s.test(text) ? { text: text.slice(1, -1), isMatch: true } : { text, isMatch: false }))

/** The snippet of a search result, with the matches highlighted. */
export function MatchText({ snippet }: { readonly snippet: string }) {
  return (
    <bdi className={styles.text}>
      {partsOf(snippet).map(({ text, isMatch }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: a snippet never changes
        isMatch ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
      )}
    </bdi>
  )
}
