/** A sign-in at the identity provider that this tab has started. */
export interface PendingSignIn {
  /** The PKCE verifier. The server has its SHA-256, so that only this tab can finish the sign-in. */
  readonly verifier: string
  /** The path, query and fragment to return to. */
  readonly from: string
  readonly isRemembered: boolean
  /** The account to bind the identity to; null to sign in. */
  readonly bindTo: string | null
}

const STORAGE_KEY = 'spaces.pending-sign-in'

const inBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')

/** Returns a verifier for this browser to keep, and its challenge for the server. */
export async function newVerifier(): Promise<{ readonly verifier: string; readonly challenge: string }> {
  const verifier = inBase64Url(crypto.getRandomValues(new Uint8Array(32)))
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return { verifier, challenge: inBase64Url(new Uint8Array(hash)) }
}

/** Returns the path, query and fragment of this page. */
export const here = (): string => {
  const { pathname, search, hash } = window.location
  return `${pathname}${search}${hash}`
}

/** Stores a pending sign-in, and returns the challenge for the server. */
export async function startSignIn(pending: Omit<PendingSignIn, 'verifier' | 'from'>): Promise<string> {
  const { verifier, challenge } = await newVerifier()
  const stored: PendingSignIn = { ...pending, verifier, from: here() }
  window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(stored))
  return challenge
}

/** Removes and returns the pending sign-in of this tab; null if it started none, such as after a forged redirect. */
export function takePendingSignIn(): PendingSignIn | null {
  const text = window.sessionStorage.getItem(STORAGE_KEY)
  window.sessionStorage.removeItem(STORAGE_KEY)
  try {
    return text === null ? null : (JSON.parse(text) as PendingSignIn)
  } catch {
    return null
  }
}
