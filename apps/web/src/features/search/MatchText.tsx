import styles from './MatchText.module.css'
import { partsOf } from './snippet'

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
