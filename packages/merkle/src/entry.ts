/** The length of the nonce of an entry. */
export const NONCE_BYTES = 16

export type EntryValue = Readonly<Record<string, unknown>>

/**
 * The sealed text of an entry: what its leaf is the hash of, and its line in an exported log. Entries that can be erased
 * have a nonce, in hexadecimal. Without it, the hash does not reveal what an erased entry said.
 */
interface SealedEntry {
  /** Empty once the entry is redacted. The security log has none, as nothing of it is erased. */
  readonly nonce?: string
  readonly entry: EntryValue
}

/** Returns what a line of a log says; null if it is not the sealed text of an entry. */
export function sealedEntry(line: string): SealedEntry | null {
  try {
    const value = JSON.parse(line) as Partial<SealedEntry> | null
    return isObject(value) && isObject(value.entry) ? (value as SealedEntry) : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
