import type { PersonalView } from '@collab-spaces/db'

export const presentSeen = ({ seenEventId, unread }: Pick<PersonalView, 'seenEventId' | 'unread'>) => ({
  seen_event_id: seenEventId,
  unread_count: unread,
})
