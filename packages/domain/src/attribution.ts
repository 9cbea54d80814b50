/**
 * Who said something: the authenticated poster first, and only then the speaker that it names. Every surface that shows
 * an author to a person or to a model gets its words here.
 */

import { delimited, emptyElement, fileAttributes, type NamedFile } from './delimiter.js'
import { filesOf } from './excerpt.js'
import { currentText, type RevisedEvent, shownTime } from './revision.js'

/** The speaker that an event names, and its authenticated poster. */
export interface AttributedSpeaker {
  readonly speaker_id: string
  readonly speaker_name: string
  readonly speaker_type: string
  readonly posted_by: string
  readonly posted_by_name: string
  readonly posted_by_type: string
}

export const SPOKEN_FIELDS = [
  'posted_by',
  'posted_by_name',
  'posted_by_type',
  'speaker_id',
  'speaker_name',
  'speaker_type',
] as const satisfies readonly (keyof AttributedSpeaker)[]

/** The speaker that a poster names instead of itself. Nothing confirms it. */
export interface Attribution {
  readonly id: string
  readonly name: string
  readonly type: string
}

/** Returns the speaker that an event names if its ID, name or type differs from the poster's; otherwise null. */
export function attributionOf(event: AttributedSpeaker): Attribution | null {
  const isPoster =
    event.speaker_id === event.posted_by &&
    event.speaker_name === event.posted_by_name &&
    event.speaker_type === event.posted_by_type
  return isPoster ? null : { id: event.speaker_id, name: event.speaker_name, type: event.speaker_type }
}

/** The words around the names of posters and speakers, in one language. */
export interface PosterWords {
  /** The name of a poster that is no human. */
  readonly named: (name: string, type: string) => string
  readonly as: (name: string) => string
  readonly asType: (type: string) => string
  readonly asId: (id: string) => string
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['agent', 'as an agent'],
  ['transcript', 'as a transcript'],
  ['system', 'as a system message'],
])

const ENGLISH: PosterWords = {
  named: (name, type) => `${name} (${type})`,
  as: (name) => `as ${name}`,
  asType: (type) => TYPES.get(type) ?? `as “${type}”`,
  asId: (id) => `as the ID ${id}`,
}

/** Returns functions that name posters and speakers in a language. */
export function postersIn(words: PosterWords) {
  /**
   * Returns an attribution in words, such as "as Ada Lovelace", or null for none. An agent that uses the endpoint for
   * human speech in its own name has none: the type `human` is then the endpoint's word, not the agent's.
   */
  function attributionInWords(event: AttributedSpeaker): string | null {
    const attribution = attributionOf(event)
    if (!attribution) return null
    const { id, name, type } = attribution
    if (name !== event.posted_by_name) return words.as(name)
    if (type !== event.posted_by_type && type !== 'human') return words.asType(type)
    return id === event.posted_by ? null : words.asId(id)
  }

  /** Returns the poster alone, such as "Scout (agent)". */
  const posterName = ({ posted_by_name, posted_by_type }: AttributedSpeaker): string =>
    posted_by_type === 'human' ? posted_by_name : words.named(posted_by_name, posted_by_type)

  /** Returns the poster and its attribution, such as "Scout (agent) as Ada Lovelace". */
  function posterInWords(event: AttributedSpeaker): string {
    const attribution = attributionInWords(event)
    return attribution === null ? posterName(event) : `${posterName(event)} ${attribution}`
  }

  return { attributionInWords, posterName, posterInWords }
}

export const { attributionInWords, posterName, posterInWords } = postersIn(ENGLISH)

/** Returns an event as its poster's own, for places that show only the poster. */
export const asPoster = <E extends AttributedSpeaker>(event: E): E => ({
  ...event,
  speaker_id: event.posted_by,
  speaker_name: event.posted_by_name,
  speaker_type: event.posted_by_type,
})

/** Returns the name of the speaker of one line of a transcript. Its surface names the poster of all lines first. */
export const lineSpeaker = (event: AttributedSpeaker): string => attributionOf(event)?.name ?? event.posted_by_name

/** Returns the author of an event as the attributes of an element for a model. */
export function spokenAttributes(event: AttributedSpeaker) {
  const attribution = attributionOf(event)
  return {
    by: event.posted_by,
    name: event.posted_by_name,
    type: event.posted_by_type,
    attribution: attribution && `${attribution.name} (${attribution.id}, ${attribution.type})`,
  }
}

interface ShownEvent extends AttributedSpeaker, RevisedEvent {
  readonly files?: readonly NamedFile[] | undefined
  readonly deleted_files?: readonly string[] | undefined
  readonly parent_event_id: string | null
  readonly thread_id: string | null
}

/** Returns an event as an element for a model, with its newest text. */
export function eventElement(event: ShownEvent): string {
  const { corrects = null, retracts = null, corrected_by = null, retracted_by = null } = event
  return delimited(
    'event',
    {
      id: event.event_id,
      at: shownTime(event),
      ...spokenAttributes(event),
      reply_to: event.parent_event_id,
      thread: event.thread_id,
      corrects,
      retracts,
      edited_by: corrected_by,
      retracted_by,
    },
    currentText(event),
    filesOf(event).map((file) => emptyElement('file', fileAttributes(file))),
  )
}

/** Returns the name of an actor, or undefined if it is unknown. */
type FindName = (actorId: string) => string | undefined

/** Returns the speaker that a decision names by an ID or a name, or null if it is the authenticated actor itself. */
export const attributedName = (claimed: string, author: { readonly id: string; readonly name: string } | null) =>
  author !== null && (claimed === author.id || claimed === author.name) ? null : claimed

/** The prefix of an actor's ID, which the server assigns, says its type. */
const typeOfActor = (actorId: string) => (actorId.startsWith('usr_') ? 'human' : 'agent')

/** Returns the authenticated actor of an act, and the speaker that the act names. Unknown actors go by their IDs. */
function doneBy(actorId: string, claimed: string, find: FindName): AttributedSpeaker {
  const poster = { posted_by: actorId, posted_by_name: find(actorId) ?? actorId, posted_by_type: typeOfActor(actorId) }
  const speaker = attributedName(claimed, { id: actorId, name: poster.posted_by_name })
  if (speaker === null) {
    return { ...poster, speaker_id: actorId, speaker_name: poster.posted_by_name, speaker_type: poster.posted_by_type }
  }
  return {
    ...poster,
    speaker_id: speaker,
    speaker_name: find(speaker) ?? speaker,
    speaker_type: poster.posted_by_type,
  }
}

interface ProposalFields {
  readonly posted_by: string
  readonly proposed_by: string
}

interface SettlementFields {
  readonly settled_by: string | null
  readonly resolved_by: string | null
}

export const proposerOf = ({ posted_by, proposed_by }: ProposalFields, find: FindName): AttributedSpeaker =>
  doneBy(posted_by, proposed_by, find)

/** Returns null for a decision that is open. */
export const settlerOf = ({ settled_by, resolved_by }: SettlementFields, find: FindName): AttributedSpeaker | null =>
  settled_by === null ? null : doneBy(settled_by, resolved_by ?? settled_by, find)

/** The authenticated actors of a decision, and the speakers that they named. */
export type DecisionAuthors = ProposalFields & SettlementFields

/** Returns the authors of a decision as attributes of an element for a model, by their IDs. */
export function authorAttributes(decision: DecisionAuthors) {
  const unnamed = () => undefined
  const settler = settlerOf(decision, unnamed)
  return {
    proposed_by: decision.posted_by,
    attribution: attributionOf(proposerOf(decision, unnamed))?.name ?? null,
    settled_by: decision.settled_by,
    settler_attribution: (settler && attributionOf(settler)?.name) ?? null,
  }
}

interface Act {
  readonly actor_id: string
  readonly proposed_by?: string
  readonly resolved_by?: string
}

/** Returns the actor of an act on a decision or a space. Only a proposal and a settlement can name another speaker. */
export const doerOf = ({ actor_id, proposed_by, resolved_by }: Act, find: FindName): AttributedSpeaker =>
  doneBy(actor_id, proposed_by ?? resolved_by ?? actor_id, find)
