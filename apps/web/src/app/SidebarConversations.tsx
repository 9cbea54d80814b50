import type { Space } from '@collab-spaces/client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { StartConversation } from '../features/actor/StartConversation'
import { inHeldOrder, orderOf, shownUnread } from '../features/space/sections'
import { Count } from '../shared/components/Badge'
import { IconButton } from '../shared/components/Button'
import { classes } from '../shared/components/classes'
import { Faces } from '../shared/components/Faces'
import { Icon } from '../shared/components/Icon'
import { Presence } from '../shared/components/Presence'
import { OneLine } from '../shared/components/Text'
import { spacePath } from '../shared/navigation/paths'
import { useMySpaces } from '../shared/query/space'
import { isMuted } from '../shared/query/space-cache'
import { isConversation, spaceName } from '../shared/query/space-name'
import { texts } from '../shared/texts'
import { navigationTexts } from './menu/texts'
import styles from './Sidebar.module.css'
import { Entry, isAt } from './SidebarEntry'
import { SpaceContextMenu } from './SpaceContextMenu'
import { useHeld } from './useHeld'

/** The number shown at first, by latest activity. Unread ones and the open one are always shown. */
const MAX_SHOWN = 6

/** The conversations of this account, with the faces of the partners. */
export function SidebarConversations({ isOpen }: { readonly isOpen: boolean }) {
  const { data: spaces } = useMySpaces()
  const [location] = useLocation()
  const [isWriting, setIsWriting] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
  const words = texts.conversations
  const current = [
    { name: 'others' as const, spaces: spaces?.filter(({ space_id }) => isConversation(space_id)) ?? [] },
  ]
  const [held, handlers] = useHeld(orderOf(current), isOpen)
  const all = inHeldOrder(current, held).flatMap(({ spaces }) => spaces)
  const shown = all.filter(
    (space, at) => showsAll || at < MAX_SHOWN || shownUnread(space) > 0 || isAt(spacePath(space.space_id), location),
  )
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.title}>{words.title}</h2>
        <IconButton size="small" icon="plus" label={words.create} onClick={() => setIsWriting(true)} />
      </div>
      {spaces && all.length === 0 && <p className={styles.hint}>{navigationTexts.noConversations}</p>}
      {shown.length > 0 && (
        <ul className={classes(styles.list, styles.conversations)} aria-label={words.title} {...handlers}>
          {shown.map((space) => (
            <SpaceContextMenu
              key={space.space_id}
              space={space}
              trigger={
                <li>
                  <ConversationEntry space={space} />
                </li>
              }
            />
          ))}
          {all.length > MAX_SHOWN && (
            <li>
              <button
                type="button"
                className={classes(styles.entry, styles.settings)}
                aria-expanded={showsAll}
                onClick={() => setShowsAll(!showsAll)}
              >
                <span className={styles.name}>{showsAll ? words.fewer : words.all(all.length)}</span>
                <Icon name="chevron" size={14} />
              </button>
            </li>
          )}
        </ul>
      )}
      {isWriting && <StartConversation onClose={() => setIsWriting(false)} />}
    </>
  )
}

function ConversationEntry({ space }: { readonly space: Space }) {
  const unread = shownUnread(space)
  return (
    <Entry path={spacePath(space.space_id)} isStrong={unread > 0} isFaint={isMuted(space)}>
      <Faces actors={space.partners} size="small" />
      <OneLine className={styles.name}>{spaceName(space)}</OneLine>
      <Presence of={space.partners} />
      {/* Every message in a conversation addresses its members. */}
      <Count count={unread} title={texts.addressed(unread)} />
    </Entry>
  )
}
