import { attributionInWords, type Spoken } from '@collab-spaces/client'
import { texts } from '../texts'
import { ActorName } from './ActorName'
import { Avatar, type AvatarSize, kindOf } from './Avatar'
import { Badge } from './Badge'
import { classes } from './classes'
import styles from './Poster.module.css'

interface PosterProps {
  readonly of: Spoken
  /** Whether it has to make do with the line in which it stands. */
  readonly isInLine?: boolean
  /** Whether its name opens the card of the poster: not within a link or an option. */
  readonly hasCard?: boolean
}

/** The poster of something, as the server has checked, and only then as whom: that is a claim, and looks like one. */
export function Poster({ of: event, isInLine = false, hasCard = false }: PosterProps) {
  const { posted_by_name } = event
  const kind = kindOf(event.posted_by_type)
  const attribution = attributionInWords(event)
  // Each stands apart, so that no name can turn the direction of what is beside it.
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
