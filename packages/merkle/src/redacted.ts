import type { Origin } from './checkpoint.js'
import { type EntryValue, sealedEntry } from './entry.js'

/** The record of an entry whose content was erased. Its position in the tree stays. */
export interface RedactionRecord {
  /** The hash of the original entry, in base64. */
  readonly leaf_hash: string
  /** The operator's record of the erasure. */
  readonly erasure_id: string
  readonly erased_at: string
}

/** The placeholder for an erased text. */
const TEXT = '[redacted]'

/** The fields with user-written text, by the kind of the act. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  proposed: ['text', 'proposed_by'],
  reviewed: ['note'],
  settled: ['resolution', 'resolved_by'],
  used: ['digest'],
}

/** The replacements of the further fields that only some acts have. */
const REPLACEMENTS: Readonly<Record<string, unknown>> = {
  options: [],
  action: { type: TEXT, title: null, arguments: {}, digest: TEXT, editable: false, used_by: [] },
  option: TEXT,
  edit: { arguments: {}, digest: TEXT },
}

const SPEAKER_TYPES: readonly unknown[] = ['human', 'agent', 'transcript', 'system', TEXT]

/**
 * Returns whether an entry holds no content, as after a redaction. The tree proves only its position, so any content in
 * it would pass for sealed text.
 */
export function isContentErased(tree: Origin['tree'], line: string): boolean {
  const sealed = sealedEntry(line)
  if (sealed?.nonce !== '') return false
  if (tree === 'events') return isRedactedEvent(sealed.entry)
  return tree === 'decisions' && isRedactedAct(sealed.entry)
}

function isRedactedAct(act: EntryValue): boolean {
  const isReplaced = ([field, value]: [string, unknown]) =>
    !(field in act) || JSON.stringify(act[field]) === JSON.stringify(value)
  const written = WRITTEN[String(act.kind)]
  return written?.every((field) => act[field] === TEXT) === true && Object.entries(REPLACEMENTS).every(isReplaced)
}

function isRedactedEvent(event: EntryValue): boolean {
  const { text, references, metadata, files, redacted_at } = event
  const isEmpty = Array.isArray(references) && references.length === 0
  const isSilent = text === TEXT && isEmpty && files === undefined && typeof redacted_at === 'string'
  return isSilent && hasNoClaimedSpeaker(event) && (metadata === null || namesOnly(metadata))
}

/** Returns whether the speaker of an event is only the id of an actor, or the name of its poster. */
const hasNoClaimedSpeaker = ({ speaker_id, speaker_name, speaker_type, posted_by_name }: EntryValue): boolean =>
  isId(speaker_id) && (speaker_name === TEXT || speaker_name === posted_by_name) && SPEAKER_TYPES.includes(speaker_type)

/** Returns whether metadata consists of mentions alone. */
function namesOnly(metadata: unknown): boolean {
  const { mentions, ...others } = metadata as EntryValue
  return Array.isArray(mentions) && mentions.every(isId) && Object.keys(others).length === 0
}

const isId = (value: unknown): boolean => typeof value === 'string' && /^\S+$/.test(value)
