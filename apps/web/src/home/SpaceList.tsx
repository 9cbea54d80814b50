import type { Space } from '@collab-spaces/client'
import { Link } from 'wouter'
import { spacePath } from '../app/paths'
import { Badge, type Tone } from '../components/Badge'
import { EmptyState } from '../components/EmptyState'
import { Icon } from '../components/Icon'
import { List } from '../components/List'
import list from '../components/List.module.css'
import { OneLine } from '../components/OneLine'
import { Time } from '../components/Time'
import { spaceName } from '../query/space-name'
import { shownUnread } from '../space/sections'
import { SPACE_SIGNS } from '../space/sign'
import { texts } from '../texts'
import { isWished, type SpaceWish } from './SpaceFilter'
import styles from './SpaceList.module.css'

export const STATUS_TONES: Readonly<Record<Space['status'], Tone>> = {
  active: 'good',
  paused: 'warn',
  archived: 'plain',
}

interface SpaceListProps {
  readonly spaces: readonly Space[]
  readonly wish: SpaceWish
}

export function SpaceList({ spaces, wish }: SpaceListProps) {
  const shown = spaces.filter((space) => isWished(wish, space))
  const { home } = texts
  if (shown.length === 0) {
    return (
      <EmptyState icon="search" title={home.noMatchTitle}>
        {home.noMatchText}
      </EmptyState>
    )
  }
  return (
    <List label={home.spaces}>
      {shown.map((space) => (
        <li key={space.space_id}>
          <Row space={space} />
        </li>
      ))}
    </List>
  )
}

function Row({ space }: { readonly space: Space }) {
  const { home, spaceStatus } = texts
  const { space_id, description, status, visibility, event_count, participant_count, last_event_at } = space
  const unread = shownUnread(space)
  return (
    <Link href={spacePath(space_id)} className={styles.row}>
      <span className={list.icon}>
        <Icon name={visibility === 'private' && status === 'active' ? 'lock' : SPACE_SIGNS[status]} />
      </span>
      <span className={styles.words}>
        <span className={list.title}>
          <bdi>{spaceName(space)}</bdi>
          {status !== 'active' && <Badge tone={STATUS_TONES[status]}>{spaceStatus[status]}</Badge>}
          {visibility === 'private' && <Badge>{texts.space.visibility.private}</Badge>}
          {unread > 0 && (
            <Badge tone="accent" title={home.unreadHint(unread)}>
              {home.unread(unread)}
            </Badge>
          )}
        </span>
        <OneLine className={styles.description}>{description}</OneLine>
      </span>
      <span className={styles.facts}>
        <span>{last_event_at === null ? home.quiet : <Time at={last_event_at} />}</span>
        <span>
          {event_count > 0 && `${home.events(event_count)} · `}
          {home.participants(participant_count)}
        </span>
      </span>
    </Link>
  )
}
