import type { Client } from '@collab-spaces/client'
import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { forgetUnsent } from '../../features/composer/unsent'
import { notificationsTexts } from '../../features/notification/texts'
import { RedeemInvite } from '../../features/session/RedeemInvite'
import { redeemTexts } from '../../features/session/texts'
import { changeLanguage, language, languageNames } from '../../languages/language'
import { density, sendKey, theme } from '../../shared/browser/look'
import { HAS_KEYBOARD } from '../../shared/browser/media'
import { useCell } from '../../shared/cell'
import { Avatar } from '../../shared/components/Avatar'
import { Icon } from '../../shared/components/Icon'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../shared/components/Menu'
import { OneLine, VisuallyHidden } from '../../shared/components/Text'
import { ADD_ACCOUNT, HOME, NOTIFICATIONS } from '../../shared/navigation/paths'
import { forgetDone } from '../../shared/query/done-queues'
import { useHasScope } from '../../shared/query/permission'
import { lazyPreload } from '../../shared/session/lazy-preload'
import { accounts, useAccounts, useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import styles from './AccountMenu.module.css'
import { shortcutsShown } from './Shortcuts'
import { accountTexts, shortcutsTexts } from './texts'

const EditProfile = lazyPreload(async () => (await import('../../features/actor/EditProfile')).EditProfile)

/** How long the end of the session on the server may delay the one at the identity provider. */
const SIGN_OUT_TIMEOUT_MS = 3_000

interface SignOut {
  readonly actorId: string
  /** Whether this is the only account in this browser. */
  readonly isLast: boolean
  readonly isSession: boolean | undefined
}

/** Ends push notifications of this browser for the account, and its session on the server. */
async function endOnServer(client: Client, { actorId, isLast, isSession }: SignOut): Promise<void> {
  const { forbidHere, unsubscribeHere } = await import('../../shared/browser/push')
  forbidHere(actorId)
  await unsubscribeHere(client, isLast).catch(() => {})
  if (isSession) await client.signIn.out.mutate({})
}

/** The menu of signed-in accounts and of the settings of this browser. */
export function AccountMenu() {
  const { account, client } = useSession()
  const all = useAccounts().accounts
  const [, navigate] = useLocation()
  const [isRedeeming, setIsRedeeming] = useState(false)
  const [isEditing, setIsEditing] = useState(false)
  const canChange = useHasScope('account')
  const words = accountTexts

  const signOut = async () => {
    const { actorId, isSession, logoutUrl } = account
    forgetDone(actorId)
    // Without an answer, the session ends on the server when it expires.
    const ended = endOnServer(client, { actorId, isLast: all.length === 1, isSession }).catch(() => {})
    accounts.signOut(actorId)
    forgetUnsent(actorId)
    navigate(HOME)
    if (!logoutUrl) return
    // Leaving the page cancels its requests.
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, SIGN_OUT_TIMEOUT_MS))])
    window.location.assign(logoutUrl)
  }
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button type="button" className={styles.trigger}>
            <Avatar id={account.actorId} name={account.name} kind={account.kind} size="small" />
            <VisuallyHidden>{words.menu}</VisuallyHidden>
            <OneLine className={styles.name}>{account.name}</OneLine>
            <Icon name="chevron" size={16} />
          </button>
        }
      >
        {all.length > 1 && (
          <>
            <MenuChoice
              label={words.switchTo}
              value={account.actorId}
              options={all.map(({ actorId, name }) => ({ value: actorId, label: name }))}
              onChange={(actorId) => {
                accounts.activate(actorId)
                navigate(HOME)
              }}
            />
            <MenuSeparator />
          </>
        )}
        <MenuItem icon="plus" onSelect={() => navigate(ADD_ACCOUNT)}>
          {words.add}
        </MenuItem>
        {account.kind === 'human' && (
          <MenuItem icon="tenant" onSelect={() => setIsRedeeming(true)}>
            {redeemTexts.title}
          </MenuItem>
        )}
        {account.kind === 'human' && canChange && (
          <MenuItem icon="people" onSelect={() => setIsEditing(true)}>
            {words.profile}
          </MenuItem>
        )}
        {account.kind === 'human' && (
          <MenuItem icon="bell" onSelect={() => navigate(NOTIFICATIONS)}>
            {notificationsTexts.title}
          </MenuItem>
        )}
        <MenuSeparator />
        <BrowserSettings />
        <MenuItem icon="keyboard" onSelect={() => shortcutsShown.set(true)} aside={<kbd>?</kbd>}>
          {shortcutsTexts.title}
        </MenuItem>
        <MenuItem icon="summary" onSelect={() => window.open('/docs', '_blank', 'noopener')}>
          {words.apiDocs}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="signOut" onSelect={() => void signOut()}>
          {words.signOut}
        </MenuItem>
      </Menu>
      <Suspense>{isEditing && <EditProfile onClose={() => setIsEditing(false)} />}</Suspense>
      <RedeemInvite isOpen={isRedeeming} onClose={() => setIsRedeeming(false)} />
    </>
  )
}

/** The settings of this browser. On a touch screen, only the button sends. */
function BrowserSettings() {
  const words = accountTexts
  const sendChoice = { label: words.sendKey, value: useCell(sendKey), options: words.sendKeys }
  return (
    <>
      <MenuChoice
        label={words.theme}
        value={useCell(theme)}
        options={words.themes}
        onChange={(value) => theme.set(value)}
      />
      <MenuSeparator />
      <MenuChoice
        label={words.density}
        value={useCell(density)}
        options={words.densities}
        onChange={(value) => density.set(value)}
      />
      <MenuSeparator />
      {HAS_KEYBOARD && <MenuChoice {...sendChoice} onChange={(value) => sendKey.set(value)} />}
      {HAS_KEYBOARD && <MenuSeparator />}
      <MenuChoice label={texts.language} value={language} options={languageNames} onChange={changeLanguage} />
      <MenuSeparator />
    </>
  )
}
