import { type AttributedSpeaker, attributedName, spokenAttributes } from '../attribution.js'
import { cutBefore } from '../cut.js'
import { delimited, emptyElement, fileAttributes, type NamedFile } from '../delimiter.js'
import { codePoints } from '../text.js'
import { shownWorkSubject } from '../work-claim.js'
import { cutToTokens, estimateTokens } from './estimate.js'

/** The first characters of a text, and how many it has in all. */
export interface Excerpt {
  readonly text: string
  readonly length: number
}

/** An authenticated actor. */
export interface Author {
  readonly id: string
  readonly name: string
  readonly type: string
}

/** A file of an event, with its first part if it is a small text. */
export interface FileExcerpt extends NamedFile {
  readonly excerpt?: Excerpt | undefined
}

export interface EventExcerpt {
  readonly position: number
  readonly eventId: string
  /** ISO 8601. */
  readonly at: string
  readonly spoken: AttributedSpeaker
  readonly parentEventId: string | null
  readonly threadId: string | null
  /** The event that it corrects or retracts. */
  readonly corrects: string | null
  readonly retracts: string | null
  /** The newest revision of it. */
  readonly correctedBy: string | null
  readonly retractedBy: string | null
  /** The newest one. */
  readonly text: Excerpt
  readonly files: readonly FileExcerpt[]
}

export interface DecisionExcerpt {
  readonly decisionId: string
  readonly proposedAt: string
  readonly proposer: Author
  /** The attribution of the proposal. */
  readonly proposedBy: string
  readonly text: Excerpt
  /** Null while it is open. */
  readonly settlement: DecisionSettlement | null
}

interface DecisionSettlement {
  readonly at: string
  readonly settler: Author | null
  /** The attribution of the settlement. */
  readonly settledBy: string
  readonly resolution: Excerpt
}

/** A live work claim. */
export interface WorkClaimExcerpt {
  readonly claimId: string
  /** The kind and name of what it is about, as in its row. */
  readonly subject: string
  readonly holder: Author
  /** ISO 8601. */
  readonly until: string
  /** The holder's note on it, and then how far it is. */
  readonly words: readonly string[]
}

/** Something that a section shows or leaves out as a whole. */
export interface Item {
  readonly text: string
  readonly tokens: number
}

export const itemOf = (text: string): Item => ({ text, tokens: estimateTokens(text) + LINE_BREAK })

/** An item takes whole lines. */
const LINE_BREAK = 1

export function eventItem(event: EventExcerpt, maxTokens: number): Item {
  const { text, cut } = shorten(event.text, maxTokens)
  const attributes = {
    id: event.eventId,
    at: event.at,
    ...spokenAttributes(event.spoken),
    reply_to: event.parentEventId,
    thread: event.threadId,
    corrects: event.corrects,
    retracts: event.retracts,
    edited_by: event.correctedBy,
    retracted_by: event.retractedBy,
    cut,
  }
  return itemOf(delimited('event', attributes, text, fileElements(event.files, maxTokens)))
}

/** As many files as so many tokens hold, and how many are left out. The first text takes at most half of them. */
function fileElements(files: readonly FileExcerpt[], maxTokens: number): readonly string[] {
  const shown: string[] = []
  let left = maxTokens
  for (const file of files) {
    const fits = [fileElement(file, Math.floor(left / 2)), emptyElement('file', fileAttributes(file))].find(
      (element) => itemOf(element).tokens <= left,
    )
    if (fits === undefined) return [...shown, emptyElement('file', { left_out: String(files.length - shown.length) })]
    left -= itemOf(fits).tokens
    shown.push(fits)
  }
  return shown
}

function fileElement({ excerpt, ...file }: FileExcerpt, maxTokens: number): string {
  const { text, cut } = excerpt ? shorten(excerpt, maxTokens) : { text: '', cut: null }
  const attributes = fileAttributes(file)
  return text === '' ? emptyElement('file', attributes) : delimited('file', { ...attributes, cut }, text)
}

export function workClaimItem({ claimId, subject, holder, until, words }: WorkClaimExcerpt): Item {
  const { event_id, decision_id, key } = shownWorkSubject(subject)
  const attributes = {
    id: claimId,
    event: event_id,
    decision: decision_id,
    key,
    by: holder.id,
    name: holder.name,
    until,
  }
  return itemOf(delimited('claim', attributes, words.join('\n')))
}

/** An event that stands above is only named. */
export const namedItem = ({ eventId }: EventExcerpt): Item => itemOf(`(event ${eventId} is above)`)

/** An event that a later one supersedes, which stands below. */
export const supersededItem = ({ eventId }: EventExcerpt, by: EventExcerpt): Item =>
  itemOf(`(event ${eventId} is ${by.retracts === null ? 'corrected' : 'retracted'} by event ${by.eventId} below)`)

export function decisionItem(decision: DecisionExcerpt, maxTokens: number): Item {
  const { proposer, proposedBy, settlement } = decision
  const text = shorten(decision.text, maxTokens)
  const attributes = {
    id: decision.decisionId,
    proposed_at: decision.proposedAt,
    proposed_by: proposer.id,
    name: proposer.name,
    attribution: attributedName(proposedBy, proposer),
  }
  if (!settlement) return itemOf(delimited('decision', Object.assign(attributes, { cut: text.cut }), text.text))
  const resolution = shorten(settlement.resolution, maxTokens)
  const { settler, settledBy } = settlement
  const settled = {
    settled_at: settlement.at,
    settled_by: settler?.id ?? null,
    settler: settler?.name ?? null,
    settler_attribution: attributedName(settledBy, settler),
    cut: text.cut ?? resolution.cut,
  }
  return itemOf(delimited('decision', Object.assign(attributes, settled), `${text.text}\n→ ${resolution.text}`))
}

/** As much of a text as so many tokens hold, and how much that is if it is not all. */
function shorten({ text, length }: Excerpt, maxTokens: number): { text: string; cut: string | null } {
  // The last character of an excerpt may be a part of one.
  const whole = codePoints(text) === length ? text : text.slice(0, cutBefore(text, text.length - 1))
  const shown = cutToTokens(whole, maxTokens)
  const characters = codePoints(shown)
  return characters === length ? { text: shown, cut: null } : { text: shown, cut: `${characters} of ${length}` }
}
