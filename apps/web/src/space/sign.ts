import type { Space } from '@collab-spaces/client'
import type { IconName } from '../components/Icon'
import { isConversation } from './conversation'

/** The icon before the name of a space. */
export const SPACE_SIGNS: Readonly<Record<Space['status'], IconName>> = {
  active: 'space',
  paused: 'pause',
  archived: 'archive',
}

/** The same, where conversations are among others. */
export const signOf = ({ space_id, status }: Pick<Space, 'space_id' | 'status'>): IconName =>
  isConversation(space_id) && status === 'active' ? 'people' : SPACE_SIGNS[status]
