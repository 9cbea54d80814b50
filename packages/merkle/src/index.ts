export { actionDigest, type DigestedAction } from './action.js'
export { BadLog } from './bad-log.js'
export {
  type Checkpoint,
  checkpointText,
  openCheckpoint,
  originOf,
  parseCheckpoint,
  parseOrigin,
} from './checkpoint.js'
export { type EntryValue, NONCE_BYTES, sealedEntry } from './entry.js'
export { Frontier } from './frontier.js'
export { EMPTY_ROOT, HASH_BYTES, leafHash } from './hash.js'
export { endLine, headerLine, tailLine, tileLine } from './log-file.js'
export { LogReader, type ReadLog, type ReadLogOptions, type RedactedEntry } from './log-reader.js'
export { isKey, openNote, Signer } from './note.js'
export {
  consistencyRanges,
  inclusionRanges,
  isConsistent,
  type Range,
  rangeHash,
  type Subtree,
  subtreesOf,
} from './proof.js'
export {
  isReceipt,
  makeReceipt,
  type ProvenEntry,
  type ReadReceipt,
  type Receipt,
  type ReceiptSubject,
  readReceipt,
} from './receipt.js'
export { isContentErased, type RedactionRecord } from './redacted.js'
export { isSealed, seal } from './seal.js'
export { firstDifference, MARK_BYTES, markOf, TILE, TILE_HEIGHT } from './tile.js'
