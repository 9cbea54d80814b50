import type { SpaceSeen } from '@collab-spaces/db'

export const presentSeen = ({ seenEventId, unread }: SpaceSeen) => ({
  seen_event_id: seenEventId,
  unread_count: unread,
})
