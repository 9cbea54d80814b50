import type { ActorType } from '@collab-spaces/domain'
import { quoted } from './markdown.js'
import type { SummaryTexts } from './texts.js'

/** A poster by name, with the attribution if it named another speaker. */
export interface NamedPoster {
  readonly name: string
  readonly as: string | null
}

/** A speaker: a poster, alone or as one of the names that it speaks under. */
export interface Voice extends NamedPoster {
  readonly key: string
  readonly type: ActorType
}

/** The sender of an event, and the speaker it claims. */
export interface VoicedEvent {
  readonly posted_by: string
  readonly posted_by_name: string
  readonly posted_by_type: ActorType
  /** Null where the poster speaks for itself. */
  readonly claim: { readonly id: string; readonly name: string; readonly type: string } | null
}

/** A different type alone is no attribution. */
export function voiceOf({ posted_by, posted_by_name: name, posted_by_type: type, claim }: VoicedEvent): Voice {
  if (claim === null || (claim.id === posted_by && claim.name === name)) return { key: posted_by, name, as: null, type }
  return { key: JSON.stringify([posted_by, claim.id, claim.name]), name, as: claim.name, type }
}

const MAX_NAME_LENGTH = 60

/** The poster first. In bold, so that no name at the start of a line can make it a list, a heading or a rule. */
export function named({ name, as }: NamedPoster, texts: Pick<SummaryTexts, 'as' | 'unknown'>): string {
  const bold = (text: string) => `**${quoted(text, MAX_NAME_LENGTH).trim() || texts.unknown}**`
  return as === null ? bold(name) : `${bold(name)} ${texts.as} ${bold(as)}`
}

/** An event as a summary needs it. All but the ids is text from other people and programs. */
export interface SummarizedEvent extends VoicedEvent {
  readonly event_id: string
  readonly text: string
  readonly timestamp: string
  readonly parent_event_id: string | null
  readonly thread_id: string | null
  readonly references: readonly string[]
}
