import type { Space } from '@collab-spaces/client'
import type { IconName } from '../components/Icon'

/** The icon before the name of a space. */
export const SPACE_SIGNS: Readonly<Record<Space['status'], IconName>> = {
  active: 'space',
  paused: 'pause',
  archived: 'archive',
}
