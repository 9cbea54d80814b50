import { createHash } from 'node:crypto'

/** Returns sixteen hexadecimal characters that distinguish paths in a name. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
