import type { Space } from '@collab-spaces/client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { homeTexts } from '../features/home/texts'
import { type HeldOrder, inHeldOrder, orderOf, sectionsOf, shownUnread } from '../features/space/sections'
import { Count } from '../shared/components/Badge'
import { IconButton } from '../shared/components/Button'
import { classes } from '../shared/components/classes'
import { Icon } from '../shared/components/Icon'
import { OneLine } from '../shared/components/Text'
import { dialogPath } from '../shared/navigation/dialog-param'
import { HOME, INBOX, spacePath } from '../shared/navigation/paths'
import { useWaitingInTitle } from '../shared/navigation/title'
import { useWaitingCount } from '../shared/query/inbox'
import { useMemberRights } from '../shared/query/permission'
import { useMySpaces } from '../shared/query/space'
import { spaceIcon } from '../shared/query/space-icon'
import { spaceName } from '../shared/query/space-name'
import { useMyTenantId, useTenant } from '../shared/query/tenant'
import { texts } from '../shared/texts'
import { AccountMenu } from './menu/AccountMenu'
import { NAVIGATION, SETTINGS } from './menu/navigation'
import { navigationTexts } from './menu/texts'
import { PaletteButton } from './palette/PaletteButton'
import styles from './Sidebar.module.css'

interface SidebarProps {
  /** On narrow screens, where the navigation opens over the page. */
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function Sidebar({ isOpen, onClose }: SidebarProps) {
  const nav = useRef<HTMLElement>(null)
  const [, navigate] = useLocation()
  const { canCreateSpaces } = useMemberRights()
  useEffect(() => {
    if (!isOpen) return
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && onClose()
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOpen, onClose])
  // Moves the focus into the navigation, and back when it closes.
  useEffect(() => {
    if (!isOpen) return
    const opener = document.activeElement
    // It takes focus only once it is visible.
    const frame = requestAnimationFrame(() => nav.current?.querySelector('button')?.focus())
    return () => {
      cancelAnimationFrame(frame)
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [isOpen])

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Escape does the same */}
      {isOpen && <div className={styles.backdrop} onClick={onClose} />}
      <nav
        ref={nav}
        className={classes(styles.sidebar, isOpen && styles.open)}
        aria-label={navigationTexts.label}
        data-unprinted
      >
        <TenantName />
        <AccountMenu />
        <PaletteButton />
        <ul className={styles.list}>
          {NAVIGATION.map(({ path, icon, label }) => (
            <li key={path}>
              <Entry path={path}>
                <Icon name={icon} />
                <span className={styles.name}>{label}</span>
                {path === INBOX && <WaitingCount />}
              </Entry>
            </li>
          ))}
          <SettingsEntry />
        </ul>
        <div className={styles.head}>
          <h2 className={styles.title}>{navigationTexts.spaces}</h2>
          {canCreateSpaces && (
            <IconButton
              size="small"
              icon="plus"
              label={navigationTexts.createSpace}
              onClick={() => navigate(dialogPath(HOME, 'new'))}
            />
          )}
        </div>
        <Spaces />
      </nav>
    </>
  )
}

/** The entry that holds the pages of the settings. It is open on these pages. */
function SettingsEntry() {
  const [location] = useLocation()
  const [isToggled, setIsToggled] = useState(false)
  const isHere = SETTINGS.some(({ path }) => isAt(path, location))
  const isOpen = isHere || isToggled
  return (
    <li>
      <button
        type="button"
        className={classes(styles.entry, styles.settings)}
        aria-expanded={isOpen}
        disabled={isHere}
        onClick={() => setIsToggled(!isToggled)}
      >
        <Icon name="settings" />
        <span className={styles.name}>{navigationTexts.settings}</span>
        <Icon name="chevron" size={14} />
      </button>
      {isOpen && (
        <ul className={classes(styles.list, styles.nested)}>
          {SETTINGS.map(({ path, icon, label }) => (
            <li key={path}>
              <Entry path={path}>
                <Icon name={icon} />
                <span className={styles.name}>{label}</span>
              </Entry>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** The name of the tenant. The line takes its height before the name loads, to avoid a layout shift. */
function TenantName() {
  const tenantId = useMyTenantId()
  return (
    <p className={styles.tenant}>
      {tenantId ? <NameOf tenantId={tenantId} /> : tenantId === null ? texts.product : NOTHING_YET}
    </p>
  )
}

const NOTHING_YET = '\u00a0'

function NameOf({ tenantId }: { readonly tenantId: string }) {
  const { data: tenant } = useTenant(tenantId)
  return <OneLine>{tenant?.name ?? NOTHING_YET}</OneLine>
}

function WaitingCount() {
  const count = useWaitingCount()
  useWaitingInTitle(count)
  return <Count count={count} title={texts.waitingForYou} />
}

/** All sections are one list, so that a space that changes its section stays the same element and keeps the focus. */
function Spaces() {
  const { data: spaces } = useMySpaces()
  const [location] = useLocation()
  const [showsMuted, setShowsMuted] = useState(false)
  /** The order while a pointer is over the list, so that no entry moves from under it. */
  const [held, setHeld] = useState<HeldOrder | null>(null)
  const words = navigationTexts
  if (!spaces) return null
  if (spaces.length === 0) return <p className={styles.hint}>{words.noSpaces}</p>
  const sections = inHeldOrder(sectionsOf(spaces), held)
  return (
    <ul
      className={classes(styles.list, styles.spaces)}
      aria-label={words.spaces}
      // A touch ends without a pointer that stays.
      onPointerEnter={({ pointerType }) => pointerType !== 'touch' && setHeld(orderOf(sections))}
      onPointerLeave={() => setHeld(null)}
    >
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
            <li key={`space ${space.space_id}`}>
              <SpaceEntry space={space} />
            </li>
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

function SpaceEntry({ space }: { readonly space: Space }) {
  const unread = shownUnread(space)
  return (
    <Entry path={spacePath(space.space_id)} isStrong={unread > 0} isFaint={space.status !== 'active'}>
      <Icon name={spaceIcon(space)} size={16} />
      <OneLine className={styles.name}>{spaceName(space)}</OneLine>
      <Count count={unread} title={homeTexts.unreadHint(unread)} />
    </Entry>
  )
}

interface EntryProps {
  readonly path: string
  readonly isStrong?: boolean
  readonly isFaint?: boolean
  readonly children: ReactNode
}

function Entry({ path, isStrong, isFaint, children }: EntryProps) {
  const [location] = useLocation()
  const isHere = isAt(path, location)
  const entry = useRef<HTMLAnchorElement>(null)
  // A space opened by a link may be outside the visible part of the list.
  useEffect(() => {
    if (isHere && entry.current) scrollListTo(entry.current)
  }, [isHere])
  return (
    <Link
      ref={entry}
      href={path}
      className={classes(styles.entry, isStrong && styles.strong, isFaint && styles.faint)}
      aria-current={isHere ? 'page' : undefined}
    >
      {children}
    </Link>
  )
}

const isAt = (path: string, location: string): boolean =>
  path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)

/** Scrolls only the list. `scrollIntoView` would also scroll the page to a closed navigation beside it. */
function scrollListTo(entry: HTMLElement): void {
  const list = entry.closest('ul')
  if (!list) return
  const { top, bottom } = entry.getBoundingClientRect()
  const frame = list.getBoundingClientRect()
  if (top < frame.top || bottom > frame.bottom) list.scrollTop += top - frame.top - frame.height / 2
}
