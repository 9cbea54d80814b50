import type { Origin } from './checkpoint.js'
import { type EntryValue, sealedEntry } from './entry.js'

/** A placeholder for an entry whose content was erased. Its place in the tree stays. */
export interface Redacted {
  /** Of the entry as it was, in base64. */
  readonly leaf_hash: string
  /** The operator's record of it. */
  readonly erasure_id: string
  readonly erased_at: string
}

/** The placeholder of a text that was erased. */
const TEXT = '[redacted]'

/** The fields of an act that people have written, by the kind of the act. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  proposed: ['text', 'proposed_by'],
  reviewed: ['note'],
  settled: ['resolution', 'resolved_by'],
}

const SPEAKER_TYPES: readonly unknown[] = ['human', 'agent', 'transcript', 'system', TEXT]

/**
 * Returns whether the line of an entry says nothing, as one that was redacted. Of such an entry only the place is proved,
 * so whatever else it says would pass for what was sealed.
 */
export function isContentErased(tree: Origin['tree'], line: string): boolean {
  const sealed = sealedEntry(line)
  if (sealed?.nonce !== '') return false
  if (tree === 'events') return isRedactedEvent(sealed.entry)
  return tree === 'decisions' && isRedactedAct(sealed.entry)
}

const isRedactedAct = (act: EntryValue): boolean =>
  WRITTEN[String(act.kind)]?.every((field) => act[field] === TEXT) ?? false

function isRedactedEvent(event: EntryValue): boolean {
  const { text, references, metadata, redacted_at } = event
  const isEmpty = Array.isArray(references) && references.length === 0
  const isSilent = text === TEXT && isEmpty && typeof redacted_at === 'string'
  return isSilent && hasNoClaimedSpeaker(event) && (metadata === null || namesOnly(metadata))
}

/** Returns whether an event names its speaker only by the id of an actor, or by the name that its poster had. */
const hasNoClaimedSpeaker = ({ speaker_id, speaker_name, speaker_type, posted_by_name }: EntryValue): boolean =>
  isId(speaker_id) && (speaker_name === TEXT || speaker_name === posted_by_name) && SPEAKER_TYPES.includes(speaker_type)

/** Returns whether metadata consists of mentions alone. */
function namesOnly(metadata: unknown): boolean {
  const { mentions, ...others } = metadata as EntryValue
  return Array.isArray(mentions) && mentions.every(isId) && Object.keys(others).length === 0
}

const isId = (value: unknown): boolean => typeof value === 'string' && /^\S+$/.test(value)
