import { Cell } from '../../shared/cell'
import { HOME, JOIN } from '../../shared/navigation/paths'

const STORAGE_KEY = 'spaces.pending-invite'

/** The code of the invite link that this tab has opened, until it is redeemed or dismissed. */
export const pendingInvite = new Cell<string | null>(null)

export function setPendingInvite(code: string | null): void {
  if (code === null) window.sessionStorage.removeItem(STORAGE_KEY)
  else window.sessionStorage.setItem(STORAGE_KEY, code)
  pendingInvite.set(code)
}

/** Takes the code out of the address and the browser's history, or restores it after a sign-in elsewhere. */
export function takeInviteLink(): void {
  const { pathname, hash } = window.location
  if (pathname === JOIN) {
    window.history.replaceState(null, '', HOME)
    if (hash !== '') setPendingInvite(inviteCodeIn(hash))
  } else pendingInvite.set(window.sessionStorage.getItem(STORAGE_KEY))
}

/** The code in an invite link; any other text as it is. */
export const inviteCodeIn = (text: string): string => text.replace(/^.*#/, '').trim()
