/** Identifiers: what they look like, and how they are made from random bytes that the caller supplies. */

import { LIMITS } from './limits.js'
import { type Random, randomHex } from './random.js'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE62_LENGTH = 24
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const SPACE_ID = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._:@~-]{0,${LIMITS.spaceId - 1}}$`)
const API_KEY = /^svc_[0-9a-f]{64}$/
const IDEMPOTENCY_KEY = new RegExp(`^[\\x20-\\x7e]{1,${LIMITS.idempotencyKey}}$`)

export type IdPrefix = 'usr' | 'agt' | 'pat' | 'lnk' | 'inv' | 'cod' | 'whk' | 'pky' | 'idn' | 'fil'

/**
 * `usr_` and 24 base62 characters: 142 bits. Bytes from 248 up are dropped, so that all characters are equally likely.
 */
export function prefixedId(prefix: IdPrefix, random: Random): string {
  let id = ''
  while (id.length < BASE62_LENGTH) {
    for (const byte of random(32)) {
      if (byte < 248 && id.length < BASE62_LENGTH) id += BASE62[byte % 62]
    }
  }
  return `${prefix}_${id}`
}

/** `svc_` and 64 hexadecimal characters. */
export function apiKey(random: Random): string {
  return `svc_${randomHex(random, 32)}`
}

/** A malformed id is simply unknown. Checking first keeps it away from the database. */
export const isUuid = (id: string) => UUID.test(id)
export const isSpaceId = (id: string) => SPACE_ID.test(id)
export const isApiKey = (token: string) => API_KEY.test(token)
export const isIdempotencyKey = (key: string) => IDEMPOTENCY_KEY.test(key)

const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** The id as the database spells it. A malformed one becomes the nil UUID, which nothing has. */
export const asUuid = (id: string) => (isUuid(id) ? id.toLowerCase() : NIL_UUID)

/** The pattern of space ids, for the OpenAPI document. */
export const SPACE_ID_PATTERN = SPACE_ID.source
