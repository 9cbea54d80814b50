import type { Space } from '@collab-spaces/client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { homeTexts } from '../features/home/texts'
import { inHeldOrder, orderOf, sectionsOf, shownUnread } from '../features/space/sections'
import { Count } from '../shared/components/Badge'
import { classes } from '../shared/components/classes'
import { Icon } from '../shared/components/Icon'
import { OneLine, VisuallyHidden } from '../shared/components/Text'
import { spacePath } from '../shared/navigation/paths'
import { useAddressed } from '../shared/query/addressed'
import { useMySpaces } from '../shared/query/space'
import { spaceIcon } from '../shared/query/space-icon'
import { isConversation, spaceName } from '../shared/query/space-name'
import { texts } from '../shared/texts'
import { navigationTexts } from './menu/texts'
import styles from './Sidebar.module.css'
import { Entry, isAt } from './SidebarEntry'
import { SpaceContextMenu } from './SpaceContextMenu'
import { useHeld } from './useHeld'

/** All sections are one list, so that a space that changes its section stays the same element and keeps the focus. */
export function SidebarSpaces({ isOpen }: { readonly isOpen: boolean }) {
  const { data } = useMySpaces()
  const { bySpace } = useAddressed()
  const [location] = useLocation()
  const [showsMuted, setShowsMuted] = useState(false)
  const spaces = data?.filter(({ space_id }) => !isConversation(space_id))
  const current = sectionsOf(spaces ?? [])
  const [held, handlers] = useHeld(orderOf(current), isOpen)
  const words = navigationTexts
  if (!spaces) return null
  if (spaces.length === 0) return <p className={styles.hint}>{words.noSpaces}</p>
  const sections = inHeldOrder(current, held)
  return (
    <ul className={classes(styles.list, styles.spaces)} aria-label={words.spaces} {...handlers}>
      {sections.flatMap(({ name, spaces }) => {
        const isFolded = name === 'muted' && !showsMuted
        const shown = isFolded ? spaces.filter(({ space_id }) => isAt(spacePath(space_id), location)) : spaces
        return [
          name === 'muted' ? (
            <li key={name}>
              <MutedHead count={spaces.length} isOpen={showsMuted} onToggle={() => setShowsMuted(!showsMuted)} />
            </li>
          ) : (
            sections.length > 1 && (
              <li key={name}>
                <h3 className={styles.section}>{words.sections[name]}</h3>
              </li>
            )
          ),
          ...shown.map((space) => (
            <SpaceContextMenu
              key={`space ${space.space_id}`}
              space={space}
              trigger={
                <li>
                  <SpaceEntry space={space} addressed={bySpace.get(space.space_id) ?? 0} />
                </li>
              }
            />
          )),
        ]
      })}
    </ul>
  )
}

interface MutedHeadProps {
  readonly count: number
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function MutedHead({ count, isOpen, onToggle }: MutedHeadProps) {
  return (
    <h3 className={styles.section}>
      <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={onToggle}>
        {navigationTexts.sections.muted} ({count}) <Icon name="chevron" size={14} />
      </button>
    </h3>
  )
}

interface SpaceEntryProps {
  readonly space: Space
  /** The number of unread items that address the account. */
  readonly addressed: number
}

/** Unread messages make the name bold. Only those that address the account have a filled badge. */
function SpaceEntry({ space, addressed }: SpaceEntryProps) {
  const unread = shownUnread(space)
  return (
    <Entry path={spacePath(space.space_id)} isStrong={unread > 0} isFaint={space.status !== 'active'}>
      <Icon name={spaceIcon(space)} size={16} />
      <OneLine className={styles.name}>{spaceName(space)}</OneLine>
      {addressed === 0 ? (
        <Count isQuiet count={unread} title={homeTexts.unreadHint(unread)} />
      ) : (
        unread > 0 && <VisuallyHidden>{texts.counts.unread(unread)}</VisuallyHidden>
      )}
      <Count count={addressed} title={texts.addressed(addressed)} />
    </Entry>
  )
}
