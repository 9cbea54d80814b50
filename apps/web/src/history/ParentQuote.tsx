import { Icon } from '../components/Icon'
import { Poster, PosterAvatar } from '../components/Poster'
import { plainText } from '../markdown/plain'
import { useEvent } from '../query/thread'
import { texts } from '../texts'
import styles from './ParentQuote.module.css'

interface ParentQuoteProps {
  readonly spaceId: string
  readonly eventId: string
  readonly onGo: (eventId: string) => void
}

/** The first words of what an event replies to, and the way there. */
export function ParentQuote({ spaceId, eventId, onGo }: ParentQuoteProps) {
  const { data: parent } = useEvent(spaceId, eventId)
  return (
    <button type="button" className={styles.quote} onClick={() => onGo(eventId)}>
      <Icon name="reply" size={13} />
      {parent ? (
        <>
          <PosterAvatar of={parent} size="tiny" />
          <Poster of={parent} isInLine />
          <bdi className={styles.words}>{parent.redacted_at ? texts.history.erased : plainText(parent.text)}</bdi>
        </>
      ) : (
        <span className={styles.words}>{texts.history.parentGone}</span>
      )}
    </button>
  )
}
