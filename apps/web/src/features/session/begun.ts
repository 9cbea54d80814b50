/** A sign-in with the provider, as the page that began it keeps it: for this tab alone, until it comes back. */
export interface Begun {
  /** Of its SHA-256 the server knows: nobody else can finish it. */
  readonly verifier: string
  /** Where somebody was, with what stands behind `#`. */
  readonly from: string
  readonly isRemembered: boolean
  /** The account that the identity is to be bound to; null to sign in. */
  readonly bindTo: string | null
}

const KEPT = 'spaces.begun'

const inBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')

/** Keeps it, and returns the challenge for the server. */
export async function begin(begun: Omit<Begun, 'verifier' | 'from'>): Promise<string> {
  const verifier = inBase64Url(crypto.getRandomValues(new Uint8Array(32)))
  const { pathname, search, hash } = window.location
  const kept: Begun = { ...begun, verifier, from: `${pathname}${search}${hash}` }
  window.sessionStorage.setItem(KEPT, JSON.stringify(kept))
  return inBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

/** Takes the sign-in that was begun in this tab, once. Null if none was: then somebody was sent here. */
export function takeBegun(): Begun | null {
  const text = window.sessionStorage.getItem(KEPT)
  window.sessionStorage.removeItem(KEPT)
  try {
    return text === null ? null : (JSON.parse(text) as Begun)
  } catch {
    return null
  }
}
