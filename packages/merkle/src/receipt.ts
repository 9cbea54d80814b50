import { BadLog } from './bad-log.js'
import { type Checkpoint, type Origin, requireCheckpoint } from './checkpoint.js'
import { type EntryValue, sealedEntry } from './entry.js'
import { leafHash } from './hash.js'
import type { Signer } from './note.js'
import { rootByInclusion } from './proof.js'
import { isContentErased, type RedactionRecord } from './redacted.js'
import { canonical, digestOf, isSealed, seal } from './seal.js'

const RECEIPT_FORMAT = 'collaboration-spaces-receipt'
const RECEIPT_VERSION = 1

/** An entry of a log, with its inclusion proof. Hashes are in base64. */
export interface ProvenEntry {
  readonly position: number
  /** Its sealed text, as in an exported log. The leaf hash is computed from it unless the entry is redacted. */
  readonly line: string
  readonly redacted: RedactionRecord | null
  readonly proof: string[]
}

/** The subject of a receipt. */
export type ReceiptSubject = 'event' | 'decision' | 'audit_entry'

/** A self-contained proof of some entries of a log. */
export interface Receipt {
  readonly format: typeof RECEIPT_FORMAT
  readonly version: typeof RECEIPT_VERSION
  readonly subject: ReceiptSubject
  readonly subject_id: string
  readonly entries: ProvenEntry[]
  readonly checkpoint: string
  readonly key: string
  /** A signature over all fields above. */
  readonly seal: string
}

export type NewReceipt = Pick<Receipt, 'subject' | 'subject_id' | 'entries' | 'checkpoint'>

export function makeReceipt(signer: Signer, { subject, subject_id, entries, checkpoint }: NewReceipt): Receipt {
  const content = {
    format: RECEIPT_FORMAT,
    version: RECEIPT_VERSION,
    subject,
    subject_id,
    entries,
    checkpoint,
    key: signer.key,
  } as const
  return { ...content, seal: seal(signer, digestOf(JSON.stringify(content))) }
}

/** The result of reading a receipt. */
export type ReadReceipt = ReturnType<typeof readReceipt>

/** The field of an entry that holds the id of its subject. */
const ID_FIELDS: Readonly<Record<ReceiptSubject, string>> = {
  event: 'event_id',
  decision: 'decision_id',
  audit_entry: 'entry_id',
}

/** Returns whether a text claims to be a receipt. */
export const isReceipt = (text: string): boolean => text.startsWith(`{"format":"${RECEIPT_FORMAT}"`)

/** Verifies a receipt. Throws a `BadLog` for the first problem. */
export function readReceipt(text: string, key: string) {
  const receipt = canonical(text.replace(/\n$/, '')) as Receipt | undefined
  if (receipt?.format !== RECEIPT_FORMAT) throw new BadLog('it is no receipt, or was changed')
  if (receipt.version !== RECEIPT_VERSION)
    throw new BadLog(`its version is ${receipt.version}: a newer verifier reads it`)
  const { checkpoint, origin } = requireCheckpoint(receipt, key)
  const { seal: signature, ...content } = receipt
  const entries = receipt.entries.map((entry) => provenEntry(entry, receipt, checkpoint, origin))
  if (!isSealed(signature, digestOf(JSON.stringify(content)), key)) throw new BadLog('it was changed')
  if (entries.length === 0) throw new BadLog('it has no entries')
  return {
    subject: receipt.subject,
    subjectId: receipt.subject_id,
    checkpoint,
    origin,
    note: receipt.checkpoint,
    entries,
  }
}

function provenEntry(entry: ProvenEntry, { subject, subject_id }: Receipt, { size, root }: Checkpoint, origin: Origin) {
  const { position, line, redacted, proof } = entry
  const leaf = redacted ? Buffer.from(redacted.leaf_hash, 'base64') : leafHash(Buffer.from(line))
  const hashes = proof.map((hash) => Buffer.from(hash, 'base64'))
  const found = rootByInclusion(leaf, position - 1, size, hashes)
  if (!found?.equals(root)) throw new BadLog(`position ${position} is not what was sealed`, position)
  if (redacted && !isContentErased(origin.tree, line)) {
    throw new BadLog(`position ${position} should be redacted, and still says something`, position)
  }
  const value: EntryValue = sealedEntry(line)?.entry ?? {}
  const isOfSpace = origin.spaceId === null || value.space_id === origin.spaceId
  if (value[ID_FIELDS[subject]] !== subject_id || !isOfSpace) {
    throw new BadLog(`position ${position} is about something else`, position)
  }
  return { position, redacted, value }
}
