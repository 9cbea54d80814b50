import type { AttributedSpeaker } from '@collab-spaces/client'
import { attributionInWords } from '../poster'
import { texts } from '../texts'
import { ActorName } from './ActorName'
import { Avatar, type AvatarSize, kindOf } from './Avatar'
import { Badge } from './Badge'
import { classes } from './classes'
import styles from './Poster.module.css'

interface PosterProps {
  readonly of: AttributedSpeaker
  /** Whether it must fit into a line of text. */
  readonly isInLine?: boolean
  /** Whether the name opens the poster's card: not inside a link or an option. */
  readonly hasCard?: boolean
}

/** The authenticated poster, then the attributed speaker, marked as unverified. */
export function Poster({ of: event, isInLine = false, hasCard = false }: PosterProps) {
  const { posted_by_name } = event
  const kind = kindOf(event.posted_by_type)
  const attribution = attributionInWords(event)
  // Isolates each name, so that none affects the text direction of its neighbours.
  return (
    <span className={classes(styles.poster, isInLine && styles.inLine)}>
      {hasCard ? (
        <ActorName id={event.posted_by} name={posted_by_name} className={styles.name} />
      ) : (
        <bdi className={styles.name}>{posted_by_name}</bdi>
      )}{' '}
      {(kind === 'agent' || attribution !== null) && (
        <>
          <Badge tone={kind}>{texts.speakers[kind]}</Badge>{' '}
        </>
      )}
      {attribution !== null && (
        <bdi className={styles.claim} title={texts.attribution(posted_by_name)}>
          {attribution}
        </bdi>
      )}
    </span>
  )
}

interface PosterAvatarProps extends Pick<PosterProps, 'of'> {
  readonly size?: AvatarSize
  readonly isStopped?: boolean | undefined
}

export const PosterAvatar = ({ of: event, size, isStopped }: PosterAvatarProps) => (
  <Avatar
    id={event.posted_by}
    name={event.posted_by_name}
    kind={kindOf(event.posted_by_type)}
    size={size}
    isStopped={isStopped}
  />
)
