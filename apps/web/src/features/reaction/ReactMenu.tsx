import type { Event } from '@collab-spaces/client'
import { Suspense, useRef, useState } from 'react'
import { IconButton } from '../../shared/components/Button'
import { Menu, MenuItem } from '../../shared/components/Menu'
import { useCanReact, useReact } from '../../shared/query/reaction'
import { lazyPreload } from '../../shared/session/lazy-preload'
import { toastError } from '../../shared/toast'
import styles from './ReactMenu.module.css'
import { reactionTexts } from './texts'

const EmojiDialog = lazyPreload(async () => (await import('./EmojiDialog')).EmojiDialog)

/** The emoji that are offered at once. */
const OFFERED = ['👍', '❤️', '😂', '🎉', '👀', '✅', '🙏', '🚀', '💯', '🤔', '😢', '👎']

interface ReactMenuProps {
  readonly event: Event
  readonly onOpenChange: (isOpen: boolean) => void
}

/**
 * A button with the reactions to choose from; nothing where the account cannot react. It is within a toolbar, whose first
 * button the Tab key reaches, and arrows the rest.
 */
export function ReactMenu({ event, onOpenChange }: ReactMenuProps) {
  const canReact = useCanReact(event.space_id)
  const { mutate } = useReact(event)
  const [isSearching, setIsSearching] = useState(false)
  /** The menu closes when its item has opened the search, which needs the button as long. */
  const keepsOpen = useRef(false)
  const react = (emoji: string) => mutate({ emoji, isOn: true }, { onError: toastError })
  const search = (isOpen: boolean) => {
    keepsOpen.current = isOpen
    setIsSearching(isOpen)
    onOpenChange(isOpen)
  }
  if (!canReact || event.redacted_at) return null
  return (
    <>
      <Menu
        trigger={<IconButton size="small" icon="smile" label={reactionTexts.react} tabIndex={-1} />}
        onOpenChange={(isOpen) => onOpenChange(isOpen || keepsOpen.current)}
      >
        <div className={styles.emojis}>
          {OFFERED.map((emoji) => (
            <MenuItem key={emoji} onSelect={() => react(emoji)}>
              {emoji}
            </MenuItem>
          ))}
        </div>
        <MenuItem icon="search" onSelect={() => search(true)}>
          {reactionTexts.more}
        </MenuItem>
      </Menu>
      {isSearching && (
        <Suspense>
          <EmojiDialog onChoose={react} onClose={() => search(false)} />
        </Suspense>
      )}
    </>
  )
}
