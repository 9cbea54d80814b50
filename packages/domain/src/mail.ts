declare const verified: unique symbol

/** Whether a text may be an address: only a message to it tells. */
export const isEmailAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

/** An e-mail address whose owner has followed a link sent there. Only a store that has checked this returns one. */
export type VerifiedAddress = string & { readonly [verified]: true }

/**
 * How many messages unverified addresses get: to one mailbox and for one human in a day, and from the whole
 * installation in an hour.
 */
export const UNVERIFIED_MAIL = { toMailbox: 5, byHuman: 20, inAll: 1_000 } as const

/** How many sign-in links may be requested in an hour: for one mailbox, and from one network address. */
export const SIGN_IN_MAILS = { toMailbox: 5, fromAddress: 30 } as const

/** Providers whose mailboxes ignore dots, each with the name of its domain. */
const DOTLESS: Readonly<Record<string, string>> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' }

/**
 * Returns the mailbox that an address most likely leads to, as the subject of a limit: letter case, quotes, a `+tag`, and
 * Gmail's dots lead to no other one.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = domainOf(address.slice(at + 1))
  const [untagged = ''] = unquoted(address.slice(0, at))
    .toLowerCase()
    .normalize('NFKC')
    .split(/(?<=.)\+/)
  const dotless = DOTLESS[domain]
  return dotless === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${dotless}`
}

/** Removes the quotes and backslashes that RFC 5321 allows in another spelling of the same mailbox. */
const unquoted = (local: string): string => (/^".*"$/.test(local) ? local.slice(1, -1) : local).replace(/\\(.)/g, '$1')

/** Spells a domain as DNS has it: in ASCII and lower case, without the final dot. */
function domainOf(text: string): string {
  const domain = URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : text.toLowerCase()
  return domain.replace(/\.$/, '')
}
