import type { Space } from '@collab-spaces/client'
import type { Tone } from '../components/Badge'
import type { IconName } from '../components/Icon'
import { useSpaces } from './space'
import { isConversation } from './space-name'

const STATUS_ICONS: Readonly<Record<Exclude<Space['status'], 'active'>, IconName>> = {
  paused: 'pause',
  archived: 'archive',
}

/** Returns the icon of a space: its status, or whether it is a conversation or private. */
export function spaceIcon({
  space_id,
  status,
  visibility,
}: Pick<Space, 'space_id' | 'status' | 'visibility'>): IconName {
  if (status !== 'active') return STATUS_ICONS[status]
  if (isConversation(space_id)) return 'people'
  return visibility === 'private' ? 'lock' : 'space'
}

/** Returns the icon of a space that may be loading, or that this account cannot see. */
export const spaceIconOf = (spaceId: string, space: Parameters<typeof spaceIcon>[0] | undefined): IconName =>
  space ? spaceIcon(space) : isConversation(spaceId) ? 'people' : 'space'

/** Returns the icon of a space by its ID. */
export function useSpaceIcon(spaceId: string): IconName {
  const { data: spaces } = useSpaces()
  return spaceIconOf(
    spaceId,
    spaces?.find(({ space_id }) => space_id === spaceId),
  )
}

export const STATUS_TONES: Readonly<Record<Space['status'], Tone>> = {
  active: 'good',
  paused: 'warn',
  archived: 'plain',
}
