import type { Space } from '@collab-spaces/client'
import { MenuChoice, MenuItem, MenuSeparator } from '../../shared/components/Menu'
import { useChangePreferences } from '../../shared/query/preference'
import { spaceTexts } from './texts'

interface PreferenceItemsProps {
  readonly space: Pick<Space, 'space_id' | 'preferences'>
}

/** The menu items for the account's own preferences in a space. */
export function PreferenceItems({ space: { space_id, preferences } }: PreferenceItemsProps) {
  const change = useChangePreferences(space_id)
  const words = spaceTexts
  const { pinned, notices } = preferences
  return (
    <>
      <MenuSeparator />
      <MenuItem icon="pin" onSelect={() => change.mutate({ pinned: !pinned })}>
        {pinned ? words.unpin : words.pin}
      </MenuItem>
      <MenuChoice
        label={words.notices}
        value={notices}
        options={words.noticeLevels}
        onChange={(value) => change.mutate({ notices: value })}
      />
    </>
  )
}
