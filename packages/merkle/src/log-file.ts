import type { RedactionRecord } from './redacted.js'

/**
 * The lines of an exported log that are not the log itself, whose entries stand between them as they are sealed:
 *
 * - at the beginning, what the log is, with its checkpoint;
 * - before an entry that was redacted, its hash as it was;
 * - after each tile of 256 entries, the hash of the tile, and the first bytes of the hashes of its entries;
 * - after the last entry, the same bytes of those that are in no full tile;
 * - at the end, a signature over all that stands before.
 */
export const LOG_FORMAT = 'collaboration-spaces-log'
export const LOG_VERSION = 1

export interface LogHeader {
  /** The position before the first entry, and the frontier of the tree there, in base64. */
  readonly after: number
  readonly frontier: readonly string[]
  /** A signed note. */
  readonly checkpoint: string
  readonly key: string
}

const line = (value: object) => `${JSON.stringify(value)}\n`

export const headerLine = ({ after, frontier, checkpoint, key }: LogHeader): string =>
  line({ format: LOG_FORMAT, version: LOG_VERSION, after, frontier, checkpoint, key })

export const redactedLine = (redacted: RedactionRecord): string => line({ redacted })

/** `tile` counts from 0. */
export const tileLine = (tile: number, hash: Buffer, marks: Buffer): string =>
  line({ tile, hash: hash.toString('base64'), marks: marks.toString('base64') })

export const tailLine = (marks: Buffer): string => line({ tail: marks.toString('base64') })

export const endLine = (end: string): string => line({ end })
