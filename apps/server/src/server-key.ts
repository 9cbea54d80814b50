import { hkdfSync } from 'node:crypto'

/** The length of a key and of a derived secret. */
export const BYTES = 32

/** The purpose of the signing key of histories. */
export const LOG_SIGNATURES = 'log signatures'

/**
 * The root secret of the installation. One secret per purpose is derived from it, so that none is in the database. The same on
 * all instances of a database.
 */
export class ServerKey {
  readonly #bytes: Buffer

  private constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Parses a key: 64 hexadecimal digits, or 43 characters of base64url. Undefined for anything else. */
  static parse(text: string): ServerKey | undefined {
    if (/^[0-9a-f]{64}$/i.test(text)) return new ServerKey(Buffer.from(text, 'hex'))
    const bytes = Buffer.from(text, 'base64url')
    return bytes.length === BYTES && bytes.toString('base64url') === text ? new ServerKey(bytes) : undefined
  }

  /** Derives a secret of 32 bytes for one purpose by HKDF with SHA-256. It reveals neither the key nor other secrets. */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#bytes, '', `collaboration-spaces ${purpose}`, BYTES))
  }

  /** Returns a fingerprint of the key. */
  get fingerprint(): string {
    return this.derive('fingerprint').toString('hex', 0, 8)
  }
}
