import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { OneTimeCode } from '@collab-spaces/db'
import type { JsonObject } from '@collab-spaces/domain'
import { hashOf } from '../procedure/credential.js'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** The maximum length of a sealed value, in characters. */
const MAX_LENGTH = 4_096

/** A sealed value opens for its purpose only. */
export type Purpose =
  | 'oidc'
  | 'passkey sign-in'
  | 'passkey'
  | 'session code'
  | 'email sign-in'
  | 'email identity'
  | 'notifications verify'
  | 'notifications unsubscribe'

/** The sealed value, and the key by which its use is remembered. */
export interface OpenedSeal<T> extends OneTimeCode {
  readonly value: T
}

/**
 * Encrypted and authenticated values that clients return, so that an unfinished sign-in stores nothing and any instance can
 * finish it. In base64url: a nonce (12 bytes), the encrypted JSON, and the tag of AES-256-GCM (16), which also covers the
 * purpose.
 */
export class Seals {
  constructor(
    /** The secret is the same on all instances: 32 bytes. */
    private readonly secret: Buffer,
  ) {}

  seal(purpose: Purpose, value: JsonObject, expiresAt: Date): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.secret, iv).setAAD(Buffer.from(purpose))
    const text = JSON.stringify({ value, expires_at: expiresAt.getTime() })
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return sealed.toString('base64url')
  }

  /** Opens a value. Null unless this installation sealed it for this purpose and it is not expired. */
  open<T>(purpose: Purpose, sealed: string, now: Date): OpenedSeal<T> | null {
    if (sealed.length > MAX_LENGTH) return null
    const bytes = Buffer.from(sealed, 'base64url')
    // Node ignores characters outside base64url, but a one-time value must have one form only.
    if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return null
    const text = this.#decrypted(purpose, bytes)
    if (text === null) return null
    const { value, expires_at } = JSON.parse(text) as { readonly value: T; readonly expires_at: number }
    const expiresAt = new Date(expires_at)
    return expiresAt > now ? { value, hash: hashOf(sealed), expiresAt } : null
  }

  #decrypted(purpose: Purpose, bytes: Buffer): string | null {
    const decipher = createDecipheriv(CIPHER, this.secret, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      const start = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
      return Buffer.concat([start, decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  }
}
