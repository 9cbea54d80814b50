import type { Origin } from './checkpoint.js'

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

/** The field of an act that holds what people have written, by the kind of the act. */
const WRITTEN: Readonly<Record<string, string>> = { proposed: 'text', reviewed: 'note', settled: 'resolution' }

/**
 * Whether an entry says nothing, as one that was redacted. Of such a one only the place is proved, so whatever else it
 * says would pass for what was sealed.
 */
export function saysNothing(tree: Origin['tree'], wire: string): boolean {
  const entry = objectIn(wire)
  if (tree === 'events') return entry !== null && isRedactedEvent(entry)
  return tree === 'decisions' && entry?.[WRITTEN[String(entry.kind)] ?? ''] === TEXT
}

function isRedactedEvent({ text, references, metadata, redacted_at }: Readonly<Record<string, unknown>>): boolean {
  const isEmpty = Array.isArray(references) && references.length === 0
  return text === TEXT && isEmpty && typeof redacted_at === 'string' && (metadata === null || namesOnly(metadata))
}

/** Whether all that it says is whom it mentions. */
function namesOnly(metadata: unknown): boolean {
  const { mentions, ...others } = metadata as Readonly<Record<string, unknown>>
  const isName = (mention: unknown) => typeof mention === 'string' && /^\S+$/.test(mention)
  return Array.isArray(mentions) && mentions.every(isName) && Object.keys(others).length === 0
}

function objectIn(wire: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(wire)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
