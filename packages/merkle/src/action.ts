import canonicalize from 'canonicalize'
import { sha256 } from './hash.js'

/** The part of an action that its digest covers. */
export interface DigestedAction {
  readonly type: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** Returns the digest of an action: SHA-256 of its canonical form (RFC 8785). */
export function actionDigest({ type, arguments: sent }: DigestedAction): string {
  const canonical = canonicalize({ type, arguments: sent })
  if (canonical === undefined) throw new TypeError('an action is an object')
  return `sha-256:${sha256(Buffer.from(canonical)).toString('hex')}`
}
