import { crc32 } from 'node:zlib'
import { notSignedIn } from '../failure.js'

const PAT = /^svc_pat_[0-9a-f]{60}$/
const API_KEY = /^svc_[0-9a-f]{64}$/
const CHECKSUM_LENGTH = 8

/** How much of a personal access token the service shows in its lists. */
const SHOWN_LENGTH = 16

export const isPersonalAccessToken = (token: string) => PAT.test(token)

/** By which the service's list of tokens tells this one from others. */
export const shownPart = (token: string) => token.slice(0, SHOWN_LENGTH)

/**
 * The token, when it can be one: a personal access token ends with the checksum of what stands before it, so that one
 * that was cut off or mistyped is found out without asking a server. `from` names where it was given.
 */
export function possibleToken(token: string, from: string): string {
  if (API_KEY.test(token)) return token
  const trouble = !token.startsWith('svc_')
    ? 'does not look like one: they begin with svc_'
    : !PAT.test(token) || !hasItsChecksum(token)
      ? 'is damaged: a character is wrong, missing or too many'
      : null
  if (trouble !== null) throw notSignedIn(`${from}: the token ${trouble}`, 'Copy it again, or make a new one')
  return token
}

/** The last characters are the CRC-32 of the others, in hexadecimal. */
function hasItsChecksum(token: string): boolean {
  const checksum = crc32(token.slice(0, -CHECKSUM_LENGTH)).toString(16).padStart(CHECKSUM_LENGTH, '0')
  return token.endsWith(checksum)
}
