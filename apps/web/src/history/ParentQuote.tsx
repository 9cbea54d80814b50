import { Icon } from '../components/Icon'
import { OneLine } from '../components/OneLine'
import { Poster, PosterAvatar } from '../components/Poster'
import type { Names } from '../query/names'
import { useEvent } from '../query/thread'
import { texts } from '../texts'
import { excerptOf } from './excerpt'
import styles from './ParentQuote.module.css'

interface ParentQuoteProps {
  readonly spaceId: string
  readonly eventId: string
  readonly names: Pick<Names, 'find'>
  readonly onGo: (eventId: string) => void
}

/** The first words of what an event replies to, and the way there. */
export function ParentQuote({ spaceId, eventId, names, onGo }: ParentQuoteProps) {
  const { data: parent } = useEvent(spaceId, eventId)
  return (
    <button type="button" className={styles.quote} data-reach onClick={() => onGo(eventId)}>
      <Icon name="reply" size={13} />
      {parent ? (
        <>
          <PosterAvatar of={parent} size="tiny" />
          <Poster of={parent} isInLine />
          <OneLine className={styles.words}>{excerptOf(parent, names)}</OneLine>
        </>
      ) : (
        <OneLine className={styles.words}>{texts.history.parentGone}</OneLine>
      )}
    </button>
  )
}
