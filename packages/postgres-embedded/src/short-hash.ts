import { createHash } from 'node:crypto'

/** Sixteen hexadecimal characters, to tell paths apart in a name. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
