import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Count } from '../shared/components/Badge'
import { IconButton } from '../shared/components/Button'
import { classes } from '../shared/components/classes'
import { Icon } from '../shared/components/Icon'
import { OneLine } from '../shared/components/Text'
import { dialogPath } from '../shared/navigation/dialog-param'
import { HOME, INBOX } from '../shared/navigation/paths'
import { useWaitingInTitle } from '../shared/navigation/title'
import { useAddressed } from '../shared/query/addressed'
import { useMemberRights } from '../shared/query/permission'
import { useMyTenantId, useTenant } from '../shared/query/tenant'
import { texts } from '../shared/texts'
import { AccountMenu } from './menu/AccountMenu'
import { NAVIGATION, SETTINGS } from './menu/navigation'
import { navigationTexts } from './menu/texts'
import { PaletteButton } from './palette/PaletteButton'
import styles from './Sidebar.module.css'
import { SidebarConversations } from './SidebarConversations'
import { Entry, isAt } from './SidebarEntry'
import { SidebarSpaces } from './SidebarSpaces'

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
        <SidebarConversations isOpen={isOpen} />
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
        <SidebarSpaces isOpen={isOpen} />
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
  const { total } = useAddressed()
  useWaitingInTitle(total)
  return <Count count={total} title={texts.waiting(total)} />
}
