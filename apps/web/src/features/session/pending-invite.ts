import { Cell } from '../../shared/cell'
import { HOME, JOIN } from '../../shared/navigation/paths'

const STORAGE_KEY = 'spaces.pending-invite'

/** The code of the invite link that this tab has opened, until it is redeemed or dismissed. */
export const pendingInvite = new Cell<string | null>(window.sessionStorage.getItem(STORAGE_KEY))

export function setPendingInvite(code: string | null): void {
  if (code === null) window.sessionStorage.removeItem(STORAGE_KEY)
  else window.sessionStorage.setItem(STORAGE_KEY, code)
  pendingInvite.set(code)
}

/** Takes the code out of the address and the browser's history. A sign-in elsewhere returns to this tab. */
export function takeInviteLink(): void {
  const { pathname, hash } = window.location
  if (pathname !== JOIN) return
  window.history.replaceState(null, '', HOME)
  if (hash !== '') setPendingInvite(inviteCodeIn(hash))
}

/** The code in an invite link; any other text as it is. */
export const inviteCodeIn = (text: string): string => text.replace(/^.*#/, '').trim()
