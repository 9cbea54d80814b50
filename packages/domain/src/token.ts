import type { AuditAction } from './audit.js'
import { type Random, randomHex } from './random.js'

/**
 * The kinds of token credentials: personal access tokens, sessions of signed-in humans, and grants to programs. All are
 * looked up, limited and revoked alike.
 */
export const TOKEN_KINDS = ['token', 'session', 'grant'] as const
export type TokenKind = (typeof TOKEN_KINDS)[number]

/** The names that the security log has for the beginning and the end of a token. */
export const TOKEN_ACTS = {
  token: { created: 'token.created', revoked: 'token.revoked' },
  session: { created: 'session.created', revoked: 'session.ended' },
  grant: { created: 'grant.created', revoked: 'grant.revoked' },
} as const satisfies Readonly<Record<TokenKind, Readonly<Record<'created' | 'revoked', AuditAction>>>>

/** Their text: `svc_pat_`, 52 random hexadecimal characters, and 8 more for a checksum of all that. */

const PREFIX = 'svc_pat_'
const TOKEN = /^svc_pat_[0-9a-f]{60}$/
const RANDOM_BYTES = 26
const CHECKSUM_LENGTH = 8
const SHOWN_LENGTH = 16

/** `crc32` is the CRC-32 of ISO 3309, as zlib computes it. */
export type Checksum = (text: string) => number

const checksumOf = (text: string, crc32: Checksum) => (crc32(text) >>> 0).toString(16).padStart(CHECKSUM_LENGTH, '0')

export function personalAccessToken(random: Random, crc32: Checksum): string {
  const body = PREFIX + randomHex(random, RANDOM_BYTES)
  return body + checksumOf(body, crc32)
}

/** Whether a text can be a real token, which a secret scanner can tell too. Saves a look into the database. */
export function isPersonalAccessToken(token: string, crc32: Checksum): boolean {
  return TOKEN.test(token) && token.slice(-CHECKSUM_LENGTH) === checksumOf(token.slice(0, -CHECKSUM_LENGTH), crc32)
}

/** Returns the part of a token that is shown to identify it. */
export const tokenPrefix = (token: string) => token.slice(0, SHOWN_LENGTH)

/** How old `last_used_at` may be before another use is recorded. It is accurate to a minute. */
export const LAST_USE_PRECISION_MS = 60_000
