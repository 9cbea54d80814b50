import type { Event, Participant } from '@collab-spaces/client'
import { clean, cleanLine } from '../terminal/clean.js'
import { type Style, speakerStyle } from '../terminal/style.js'
import { dayOf, timeOfDay } from '../terminal/time.js'
import { wrapped } from '../terminal/wrap.js'
import { posterIn, posterOf } from './poster.js'

/** Text is indented to the name of who sent it. */
const INDENT = ' '.repeat(7)

/** How many earlier events are remembered, to quote those that are replied to. */
const REMEMBERED = 1_000

/** How many characters of an event are quoted. */
const EXCERPT = 50

/** The reader of events, and how they see them. */
export interface Viewer {
  readonly style: Style
  /** Participants whose names are marked where an event mentions them. */
  readonly participants?: readonly Participant[]
  /** The viewer's own ID, so that mentions of them stand out. */
  readonly actorId?: string
  /** The subject of a thread, as far as it is known. */
  readonly subjectOf?: (threadId: string) => string | undefined
  /** Whether each event has a number to name it by. */
  readonly isNumbered?: boolean
}

/** Shows the events of a space, one after the other. */
export class Conversation {
  #day: string | null = null
  #number = 0
  readonly #earlier = new Map<string, Event>()

  constructor(private readonly viewer: Viewer) {}

  /** An event by itself. */
  one(event: Event): string {
    return [this.#head(event), ...this.#context(event), this.#text(event)].join('\n')
  }

  /** The next event, with a line for its day when a new one begins. */
  add(event: Event): string {
    if (this.viewer.isNumbered) this.#number += 1
    const lines = [...this.#newDay(event), this.one(event)]
    this.#remember(event)
    return lines.join('\n')
  }

  all(events: readonly Event[]): string {
    return events.map((event) => this.add(event)).join('\n')
  }

  #newDay({ timestamp }: Event): string[] {
    const day = dayOf(timestamp)
    if (day === this.#day) return []
    this.#day = day
    return [this.viewer.style.dim(`── ${day} ──`)]
  }

  #head(event: Event): string {
    const { style } = this.viewer
    const number = this.#number > 0 ? [style.dim(`#${this.#number}`)] : []
    const time = style.dim(timeOfDay(event.timestamp))
    return [time, ...posterIn(event, style), ...number, style.dim(event.event_id)].join('  ')
  }

  #context(event: Event): string[] {
    const { parent_event_id, thread_id, references } = event
    const marks: string[] = []
    if (parent_event_id !== null) marks.push(`↳ ${this.#repliedTo(parent_event_id)}`)
    if (thread_id !== null) marks.push(`# ${this.#threadNamed(thread_id)}`)
    const unnamed = this.#mentioned(event).filter((participant) => !namesIn([participant]).test(event.text))
    if (unnamed.length > 0) marks.push(`@ ${unnamed.map(({ name }) => cleanLine(name)).join(', ')}`)
    for (const reference of references) marks.push(`→ ${cleanLine(reference)}`)
    return marks.map((mark) => INDENT + this.viewer.style.dim(mark))
  }

  #threadNamed(threadId: string): string {
    const subject = this.viewer.subjectOf?.(threadId)
    return subject === undefined ? `thread ${threadId}` : excerpt(subject)
  }

  #repliedTo(eventId: string): string {
    const parent = this.#earlier.get(eventId)
    return parent ? `${posterOf(parent)}: ${excerpt(parent.text)}` : `reply to ${eventId}`
  }

  #text(event: Event): string {
    const { style, actorId } = this.viewer
    const mentioned = this.#mentioned(event)
    const text = clean(event.text)
    if (event.redacted_at !== undefined) return indented(style.dim(text), style)
    if (mentioned.length === 0) return indented(text, style)
    const coloured = text.replace(namesIn(mentioned), (found) => {
      const participant = mentioned.find(({ name }) => isName(found, name)) as Participant
      const name = speakerStyle(style, participant.participant_id)(found)
      return participant.participant_id === actorId ? style.inverse(name) : name
    })
    return indented(coloured, style)
  }

  #mentioned({ metadata }: Event): Participant[] {
    const mentions = metadata?.mentions
    if (!Array.isArray(mentions)) return []
    const { participants = [] } = this.viewer
    return participants.filter(({ participant_id }) => mentions.includes(participant_id))
  }

  #remember(event: Event): void {
    this.#earlier.set(event.event_id, event)
    if (this.#earlier.size <= REMEMBERED) return
    for (const oldest of this.#earlier.keys()) {
      this.#earlier.delete(oldest)
      return
    }
  }
}

/** The beginning of a text, on one line. */
export function excerpt(text: string, longest = EXCERPT): string {
  const characters = Array.from(cleanLine(text))
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}

/** Indented text, wrapped to the width of the terminal. */
export function indented(text: string, { columns }: Style): string {
  const lines = Number.isFinite(columns) ? wrapped(text, Math.max(columns - INDENT.length, 20), true) : text
  return lines
    .split('\n')
    .map((line) => (line === '' ? '' : INDENT + line))
    .join('\n')
}

/** Matches whole names, with or without an @. */
function namesIn(participants: readonly Participant[]): RegExp {
  const names = participants.map(({ name }) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])@?(?:${names.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
}

const isName = (found: string, name: string) => found.replace(/^@/, '').toLowerCase() === name.toLowerCase()
