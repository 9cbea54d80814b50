import { here, newVerifier } from './pending-sign-in'

/** What a link in an e-mail is for. */
export type EmailPurpose = 'signIn' | 'confirm'

/** A link that this browser has requested. */
export interface PendingEmail {
  /** The server has its SHA-256, so that the link works in this browser only. */
  readonly verifier: string
  readonly challenge: string
  /** The path, query and fragment to return to. */
  readonly from: string
  readonly isRemembered: boolean
  readonly expiresAt: number
}

/** The lifetime of a link. */
const LIFETIME_MS = 600_000

const keyOf = (purpose: EmailPurpose) => `spaces.pending-email.${purpose}`

/** Returns the pending request of this browser; null for none. */
export function pendingEmail(purpose: EmailPurpose): PendingEmail | null {
  try {
    const stored = JSON.parse(window.localStorage.getItem(keyOf(purpose)) ?? 'null') as PendingEmail | null
    return stored && stored.expiresAt > Date.now() ? stored : null
  } catch {
    return null
  }
}

/**
 * Stores a request and returns its challenge. In local storage, as mail programs open links in a new tab. A repeated request
 * has the same verifier, so that the earlier links still work.
 */
export async function startEmail(purpose: EmailPurpose, isRemembered = false): Promise<string> {
  const { verifier, challenge } = pendingEmail(purpose) ?? (await newVerifier())
  const stored: PendingEmail = { verifier, challenge, from: here(), isRemembered, expiresAt: Date.now() + LIFETIME_MS }
  window.localStorage.setItem(keyOf(purpose), JSON.stringify(stored))
  return challenge
}

export const endEmail = (purpose: EmailPurpose): void => window.localStorage.removeItem(keyOf(purpose))
