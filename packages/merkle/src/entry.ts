/** The length of the nonce of an entry. */
export const NONCE_BYTES = 16

export type EntryValue = Readonly<Record<string, unknown>>

/**
 * The input of the leaf hash of an entry, and its line in an exported log. Entries that can be erased have a nonce, in
 * hexadecimal, so that the hash does not reveal the content of an erased entry.
 */
interface SealedEntry {
  /** Empty once the entry is redacted. Absent in the security log, whose entries are never erased. */
  readonly nonce?: string
  readonly entry: EntryValue
}

/** Parses a line of a log; null if it is not the sealed text of an entry. */
export function sealedEntry(line: string): SealedEntry | null {
  try {
    const value = JSON.parse(line) as Partial<SealedEntry> | null
    return isObject(value) && isObject(value.entry) ? (value as SealedEntry) : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
