import type { Space } from '@collab-spaces/client'
import { Link } from 'wouter'
import { Badge } from '../../shared/components/Badge'
import { Faces } from '../../shared/components/Faces'
import { Icon } from '../../shared/components/Icon'
import list from '../../shared/components/List.module.css'
import { Presence } from '../../shared/components/Presence'
import { OneLine } from '../../shared/components/Text'
import { Time } from '../../shared/components/Time'
import { spacePath } from '../../shared/navigation/paths'
import { useAddressed } from '../../shared/query/addressed'
import { STATUS_TONES, spaceIcon } from '../../shared/query/space-icon'
import { isConversation, spaceName } from '../../shared/query/space-name'
import { texts } from '../../shared/texts'
import { shownUnread } from '../space/sections'
import styles from './SpaceRow.module.css'
import { homeTexts } from './texts'

/** A space in a list: its status and, unless it is a conversation, its description and counts. */
export function SpaceRow({ space }: { readonly space: Space }) {
  const home = homeTexts
  const spaceStatus = texts.spaceStatus
  const { space_id, description, status, visibility, event_count, participant_count, last_event_at } = space
  const { bySpace } = useAddressed()
  const isNamed = !isConversation(space_id)
  const addressed = isNamed ? (bySpace.get(space_id) ?? 0) : shownUnread(space)
  const unread = isNamed ? shownUnread(space) : 0
  return (
    <li>
      <Link href={spacePath(space_id)} className={styles.row}>
        {isNamed ? (
          <span className={list.icon}>
            <Icon name={spaceIcon(space)} />
          </span>
        ) : (
          <Faces actors={space.partners} />
        )}
        <span className={styles.words}>
          <span className={list.title}>
            <bdi>{spaceName(space)}</bdi>
            <Presence of={space.partners} />
            {isNamed && status !== 'active' && <Badge tone={STATUS_TONES[status]}>{spaceStatus[status]}</Badge>}
            {isNamed && visibility === 'private' && <Badge>{texts.visibility.private}</Badge>}
            {unread > 0 && <Badge title={home.unreadHint(unread)}>{texts.counts.unread(unread)}</Badge>}
            {addressed > 0 && <Badge tone="accent">{texts.addressed(addressed)}</Badge>}
          </span>
          {isNamed && <OneLine className={styles.description}>{description}</OneLine>}
        </span>
        <span className={styles.facts}>
          <span>{last_event_at === null ? home.quiet : <Time at={last_event_at} />}</span>
          {isNamed && (
            <span>
              {event_count > 0 && `${texts.counts.events(event_count)} · `}
              {texts.counts.participants(participant_count)}
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}
