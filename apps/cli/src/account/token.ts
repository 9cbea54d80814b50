import { crc32 } from 'node:zlib'
import { notSignedIn } from '../failure.js'

const PAT = /^svc_pat_[0-9a-f]{60}$/
const API_KEY = /^svc_[0-9a-f]{64}$/
const CHECKSUM_LENGTH = 8

/** How many characters of a personal access token the service shows in lists. */
const PREFIX_LENGTH = 16

export const isPersonalAccessToken = (token: string) => PAT.test(token)

/** The part of a token that the service shows in lists. */
export const prefixOf = (token: string) => token.slice(0, PREFIX_LENGTH)

/**
 * A token, if it is well-formed: a personal access token ends with a checksum, so one that is incomplete or mistyped is
 * noticed without asking a server. `from` says where it was given.
 */
export function checkedToken(token: string, from: string): string {
  if (API_KEY.test(token)) return token
  const problem = !token.startsWith('svc_')
    ? 'does not begin with svc_'
    : !PAT.test(token) || !hasItsChecksum(token)
      ? 'is incomplete or mistyped'
      : null
  if (problem !== null) throw notSignedIn(`${from}: the token ${problem}`, 'Copy it again, or create a new one')
  return token
}

/** The last characters are the CRC-32 of the others in hexadecimal. */
function hasItsChecksum(token: string): boolean {
  const checksum = crc32(token.slice(0, -CHECKSUM_LENGTH)).toString(16).padStart(CHECKSUM_LENGTH, '0')
  return token.endsWith(checksum)
}
