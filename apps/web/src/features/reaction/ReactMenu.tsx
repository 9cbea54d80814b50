import type { Event } from '@collab-spaces/client'
import { IconButton } from '../../shared/components/Button'
import { Menu, MenuItem } from '../../shared/components/Menu'
import { useCanReact, useReact } from '../../shared/query/reaction'
import { toastError } from '../../shared/toast'
import styles from './ReactMenu.module.css'
import { reactionTexts } from './texts'

/** The emoji that are offered. The API takes any. */
const OFFERED = ['👍', '❤️', '😂', '🎉', '👀', '✅', '🙏', '🚀', '💯', '🤔', '😢', '👎']

interface ReactMenuProps {
  readonly event: Event
  readonly onOpenChange: (isOpen: boolean) => void
}

/** A button with the reactions to choose from; nothing where the account cannot react. */
export function ReactMenu({ event, onOpenChange }: ReactMenuProps) {
  const canReact = useCanReact(event.space_id)
  const react = useReact(event)
  if (!canReact || event.redacted_at) return null
  return (
    <Menu trigger={<IconButton size="small" icon="smile" label={reactionTexts.react} />} onOpenChange={onOpenChange}>
      <div className={styles.emojis}>
        {OFFERED.map((emoji) => (
          <MenuItem key={emoji} onSelect={() => react.mutate({ emoji, isOn: true }, { onError: toastError })}>
            {emoji}
          </MenuItem>
        ))}
      </div>
    </Menu>
  )
}
