import type { Space } from '@collab-spaces/client'
import type { Tone } from '../../shared/components/Badge'
import type { IconName } from '../../shared/components/Icon'
import { isConversation } from '../../shared/query/space-name'

/** The icon before the name of a space. */
export const STATUS_ICONS: Readonly<Record<Space['status'], IconName>> = {
  active: 'space',
  paused: 'pause',
  archived: 'archive',
}

/** Returns the icon of a space or conversation. */
export const spaceIcon = ({ space_id, status }: Pick<Space, 'space_id' | 'status'>): IconName =>
  isConversation(space_id) && status === 'active' ? 'people' : STATUS_ICONS[status]

export const STATUS_TONES: Readonly<Record<Space['status'], Tone>> = {
  active: 'good',
  paused: 'warn',
  archived: 'plain',
}
