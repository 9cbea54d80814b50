import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { OneTimeCode } from '@collab-spaces/db'
import type { JsonObject } from '@collab-spaces/domain'
import { hashOf } from '../procedure/credential.js'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** No sealed value is longer, in characters. */
const MAX_LENGTH = 4_096

/** Each is good for one thing only. */
export type Purpose =
  | 'oidc'
  | 'passkey sign-in'
  | 'passkey'
  | 'session code'
  | 'notifications verify'
  | 'notifications unsubscribe'

/** The sealed value, and the key by which its use is remembered. */
export interface Opened<T> extends OneTimeCode {
  readonly value: T
}

/**
 * Values that go through hands which may neither read nor change them, and come back: so nothing is kept for strangers who
 * begin a sign-in, and any server of the installation can finish it. In base64url: a nonce (12 bytes), the encrypted JSON,
 * and the tag of AES-256-GCM (16), which also covers the purpose.
 */
export class Seals {
  constructor(
    /** The secret is the same on all servers: 32 bytes. */
    private readonly secret: Buffer,
  ) {}

  seal(purpose: Purpose, value: JsonObject, expiresAt: Date): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.secret, iv).setAAD(Buffer.from(purpose))
    const text = JSON.stringify({ value, expires_at: expiresAt.getTime() })
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return sealed.toString('base64url')
  }

  /** Null for what was not sealed here for this purpose, and for what is over. */
  open<T>(purpose: Purpose, sealed: string, now: Date): Opened<T> | null {
    if (sealed.length > MAX_LENGTH) return null
    const bytes = Buffer.from(sealed, 'base64url')
    // Node skips over what is not base64url: one value must not have two forms, as it is used once.
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
