import type { Space } from '@collab-spaces/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { spacePath } from '../app/paths'
import { Badge } from '../components/Badge'
import { Button } from '../components/Button'
import { Icon } from '../components/Icon'
import { List } from '../components/List'
import list from '../components/List.module.css'
import { Section } from '../components/PageFrame'
import { Time } from '../components/Time'
import { spaceName } from '../query/space-name'
import { shownUnread } from '../space/sections'
import { texts } from '../texts'
import styles from './SpaceList.module.css'

/** As many as are shown at first: those with the latest activity. */
const FEW = 10

/** The conversations of this account, by those whom they are with. */
export function ConversationList({ conversations }: { readonly conversations: readonly Space[] }) {
  const [showsAll, setShowsAll] = useState(false)
  const words = texts.conversations
  if (conversations.length === 0) return null
  const shown = showsAll ? conversations : conversations.slice(0, FEW)
  return (
    <Section title={words.title}>
      <List label={words.title}>
        {shown.map((space) => (
          <li key={space.space_id}>
            <Row space={space} />
          </li>
        ))}
      </List>
      {shown.length < conversations.length && (
        <Button size="small" onClick={() => setShowsAll(true)}>
          {words.all(conversations.length)}
        </Button>
      )}
    </Section>
  )
}

function Row({ space }: { readonly space: Space }) {
  const unread = shownUnread(space)
  const { home } = texts
  return (
    <Link href={spacePath(space.space_id)} className={styles.row}>
      <span className={list.icon}>
        <Icon name="lock" />
      </span>
      <span className={styles.words}>
        <span className={list.title}>
          <bdi>{spaceName(space)}</bdi>
          {unread > 0 && (
            <Badge tone="accent" title={home.unreadHint(unread)}>
              {home.unread(unread)}
            </Badge>
          )}
        </span>
      </span>
      <span className={styles.facts}>
        <span>{space.last_event_at === null ? home.quiet : <Time at={space.last_event_at} />}</span>
      </span>
    </Link>
  )
}
