import type { InboxItem, Space } from '@collab-spaces/client'
import { useMemo } from 'react'
import { type Inbox, useInbox } from './inbox'
import { useMySpaces } from './space'
import { isMuted } from './space-cache'

type Cursor = Pick<Space, 'preferences' | 'seen_event_id' | 'unread_count'>

/** Returns whether an inbox item is unread. IDs of events begin with their time. */
const isUnread = ({ event }: InboxItem, { seen_event_id, unread_count }: Cursor): boolean =>
  unread_count > 0 && (seen_event_id === null || event.event_id > seen_event_id)

/** Returns whether an item asks for attention: unread, not muted, and more than a message in a followed thread. */
function isCounted(item: InboxItem, space: Cursor | undefined): boolean {
  if (item.kinds.every((kind) => kind === 'thread')) return false
  return space === undefined || (!isMuted(space) && isUnread(item, space))
}

/** What badges count: unread items that address the account, open decisions and notices, without muted spaces. */
export interface AddressedCounts {
  readonly total: number
  /** The items and decisions of each space, by its ID. */
  readonly bySpace: ReadonlyMap<string, number>
  /** Returns whether an item is unread. */
  isUnread(item: InboxItem): boolean
}

const NOTHING: AddressedCounts = { total: 0, bySpace: new Map(), isUnread: () => true }

export function addressedIn(inbox: Inbox, spaces: readonly Space[]): AddressedCounts {
  const { items, decisions, notices, counts } = inbox
  const known = new Map(spaces.map((space) => [space.space_id, space]))
  const isHeard = (spaceId: string | null) => {
    const space = spaceId === null ? undefined : known.get(spaceId)
    return space === undefined || !isMuted(space)
  }
  const counted = [
    ...items.filter((item) => isCounted(item, known.get(item.space_id))),
    ...decisions.filter(({ space_id }) => isHeard(space_id)),
  ]
  const bySpace = new Map<string, number>()
  for (const { space_id } of counted) bySpace.set(space_id, (bySpace.get(space_id) ?? 0) + 1)
  // Of items that are not loaded, only the number is known.
  const total = counted.length + counts.unread - items.length + notices.filter((one) => isHeard(one.space_id)).length
  const isItemUnread = (item: InboxItem) => {
    const space = known.get(item.space_id)
    return space === undefined || isUnread(item, space)
  }
  return { total, bySpace, isUnread: isItemUnread }
}

/** Returns what badges count. */
export function useAddressed(): AddressedCounts {
  const { data: inbox } = useInbox()
  const { data: spaces } = useMySpaces()
  return useMemo(() => (inbox && spaces ? addressedIn(inbox, spaces) : NOTHING), [inbox, spaces])
}
