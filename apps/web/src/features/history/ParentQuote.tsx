import { Icon } from '../../shared/components/Icon'
import { Poster, PosterAvatar } from '../../shared/components/Poster'
import { OneLine } from '../../shared/components/Text'
import { excerptOf } from '../../shared/markdown/excerpt'
import type { Names } from '../../shared/query/names'
import { useEvent } from '../../shared/query/thread'
import styles from './ParentQuote.module.css'
import { historyTexts } from './texts'

interface ParentQuoteProps {
  readonly spaceId: string
  readonly eventId: string
  readonly names: Pick<Names, 'find'>
  readonly onGo: (eventId: string) => void
}

/** The start of the event that another one replies to, as a link. */
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
        <OneLine className={styles.words}>{historyTexts.parentGone}</OneLine>
      )}
    </button>
  )
}
