import type { Space } from '@collab-spaces/client'
import type { ReactElement } from 'react'
import { PreferenceItems } from '../features/space/PreferenceItems'
import { spaceTexts } from '../features/space/texts'
import { ContextMenu, MenuItem } from '../shared/components/Menu'
import { useHasScope } from '../shared/query/permission'
import { useChangeSeen } from '../shared/query/seen'
import { toastError } from '../shared/toast'

interface SpaceContextMenuProps {
  readonly space: Space
  /** The list item of the space, with its entry. */
  readonly trigger: ReactElement
}

/** The menu of a space in the navigation: read or unread, pinned, muted. */
export function SpaceContextMenu({ space, trigger }: SpaceContextMenuProps) {
  const changeSeen = useChangeSeen(space.space_id)
  const hasWriteScope = useHasScope('write')
  const isUnread = space.unread_count > 0
  return (
    <ContextMenu trigger={trigger}>
      {space.event_count > 0 && (
        <MenuItem
          icon={isUnread ? 'check' : 'inbox'}
          onSelect={() => changeSeen.mutate(isUnread, { onError: toastError })}
        >
          {isUnread ? spaceTexts.markRead : spaceTexts.markUnread}
        </MenuItem>
      )}
      {hasWriteScope && <PreferenceItems space={space} />}
    </ContextMenu>
  )
}
