import type { Spoken } from '@collab-spaces/client'
import { texts } from '../texts'
import { Avatar, type AvatarSize, kindOf } from './Avatar'
import { Badge } from './Badge'
import { claimInWords } from './claim'
import { classes } from './classes'
import styles from './Poster.module.css'

interface PosterProps {
  readonly of: Spoken
  /** Whether it has to make do with the line in which it stands. */
  readonly isInLine?: boolean
}

/** Who posted something, as the server has checked, and only then as whom: that is a claim, and looks like one. */
export function Poster({ of: event, isInLine = false }: PosterProps) {
  const { posted_by_name } = event
  const kind = kindOf(event.posted_by_type)
  const claim = claimInWords(event)
  // Each stands apart, so that no name can turn the direction of what is beside it.
  return (
    <span className={classes(styles.poster, isInLine && styles.inLine)}>
      <bdi className={styles.name}>{posted_by_name}</bdi>{' '}
      {(kind === 'agent' || claim !== null) && (
        <>
          <Badge tone={kind}>{texts.speakers[kind]}</Badge>{' '}
        </>
      )}
      {claim !== null && (
        <bdi className={styles.claim} title={texts.claim.title(posted_by_name)}>
          {claim}
        </bdi>
      )}
    </span>
  )
}

export const PosterAvatar = ({ of: event, size }: Pick<PosterProps, 'of'> & { readonly size?: AvatarSize }) => (
  <Avatar id={event.posted_by} name={event.posted_by_name} kind={kindOf(event.posted_by_type)} size={size} />
)
