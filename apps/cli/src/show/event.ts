import {
  currentText,
  EDITED_MARK,
  type Event,
  excerptText,
  findMentions,
  foldRevisions,
  NameIndex,
  type Participant,
  revisedId,
  shorten,
  shownOf,
  shownTime,
} from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import { wrapped } from '../terminal/cut.js'
import { type Style, speakerStyle } from '../terminal/style.js'
import { body, joined, lines, type StyledText, type Text } from '../terminal/styled.js'
import { dayOf, timeOfDay } from '../terminal/time.js'
import { sizeInWords } from './file.js'
import { posterIn, posterOf } from './poster.js'

/** Text is indented to the name of who sent it. */
const INDENT = ' '.repeat(7)

/** How many earlier events are remembered, to quote those that are replied to. */
const REMEMBERED = 1_000

/** How a list shows that an event happened before it was written. */
const IMPORTED_MARK = '(imported)'

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
  one(event: Event): StyledText {
    return lines([this.#head(event), ...this.#context(event), this.#text(event), ...this.#reactions(event)])
  }

  /** The next event, with a line for its day when a new one begins. */
  add(event: Event): StyledText {
    if (this.viewer.isNumbered) this.#number += 1
    const shown = lines([...this.#newDay(event), this.one(event)])
    this.#remember(event)
    return shown
  }

  /** Events in their order, without the corrections and retractions of those among them. */
  all(events: readonly Event[]): StyledText {
    return lines(foldRevisions(events).map(({ event }) => this.add(event)))
  }

  #newDay(event: Event): StyledText[] {
    const day = dayOf(shownTime(event))
    if (day === this.#day) return []
    this.#day = day
    return [this.viewer.style.dim(`── ${day} ──`)]
  }

  #head(event: Event): StyledText {
    const { style } = this.viewer
    const number = this.#number > 0 ? [style.dim(`#${this.#number}`)] : []
    const time = style.dim(timeOfDay(shownTime(event)))
    const mark = shownOf(event).state === 'edited' ? [style.dim(EDITED_MARK)] : []
    const imported = event.occurred_at === undefined ? [] : [style.dim(IMPORTED_MARK)]
    return joined([time, ...posterIn(event, style), ...number, style.dim(event.event_id), ...imported, ...mark], '  ')
  }

  #context(event: Event): StyledText[] {
    const { parent_event_id, thread_id, references } = event
    const marks: string[] = []
    if (parent_event_id !== null) marks.push(`↳ ${this.#repliedTo(parent_event_id)}`)
    const revised = revisedId(event)
    if (revised !== undefined) marks.push(`${event.corrects === undefined ? 'retracts' : 'corrects'} ${revised}`)
    if (thread_id !== null) marks.push(`# ${this.#threadNamed(thread_id)}`)
    const unnamed = this.#mentioned(event).filter((participant) => !isNamed(currentText(event), participant))
    if (unnamed.length > 0) marks.push(`@ ${unnamed.map(({ name }) => name).join(', ')}`)
    for (const reference of references) marks.push(`→ ${reference}`)
    for (const { name, size } of event.files ?? []) marks.push(`+ ${cleanLine(name)} (${sizeInWords(size)})`)
    return marks.map((mark) => this.viewer.style.dim(mark).map((ansi) => INDENT + ansi))
  }

  #reactions({ reactions = [] }: Event): StyledText[] {
    if (reactions.length === 0) return []
    const counts = reactions.map(({ emoji, count }) => (count === 1 ? emoji : `${emoji} ${count}`))
    return [this.viewer.style.dim(INDENT + counts.join('  '))]
  }

  #threadNamed(threadId: string): string {
    const subject = this.viewer.subjectOf?.(threadId)
    return subject === undefined ? `thread ${threadId}` : excerpt(subject)
  }

  #repliedTo(eventId: string): string {
    const parent = this.#earlier.get(eventId)
    return parent ? `${posterOf(parent)}: ${excerpt(excerptText(parent))}` : `reply to ${eventId}`
  }

  #text(event: Event): StyledText {
    const { style, actorId } = this.viewer
    const mentioned = this.#mentioned(event)
    const text = currentText(event)
    if (event.redacted_at !== undefined || event.retracted_by !== undefined)
      return indented(style.dim(body(text)), style)
    if (mentioned.length === 0) return indented(text, style)
    const coloured = withNames(text, mentioned, (found, participant) => {
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
  return shorten(cleanLine(text), longest)
}

/** Indented text, wrapped to the width of the terminal. */
export function indented(text: Text, { columns }: Style): StyledText {
  const width = Math.max(columns - INDENT.length, 20)
  const shown = Number.isFinite(columns) ? wrapped(text, width, true) : body(text)
  return shown.map((ansi) => ansi.replace(/^(?=.)/gm, INDENT))
}

/** Restyles the names of participants in a text: mentions, and whole names without an @. */
function withNames(text: string, participants: readonly Participant[], show: ShowName): StyledText {
  const pieces: StyledText[] = []
  let end = 0
  const { plain } = body(text)
  for (const { from, to, participant } of namesIn(plain, participants)) {
    pieces.push(body(plain.slice(end, from)), show(plain.slice(from, to), participant))
    end = to
  }
  return joined([...pieces, body(plain.slice(end))])
}

type ShowName = (found: string, participant: Participant) => StyledText

const isNamed = (text: string, participant: Participant) => namesIn(text, [participant]).length > 0

interface NameRange {
  readonly from: number
  readonly to: number
  readonly participant: Participant
}

function namesIn(text: string, participants: readonly Participant[]): NameRange[] {
  const names = new NameIndex().add(participants.map(({ participant_id, name }) => ({ id: participant_id, name })))
  const mentions = findMentions(text, names).flatMap(({ from, to, people }) => {
    const participant = participants.find(({ participant_id }) => participant_id === people[0]?.id)
    return participant ? { from, to, participant } : []
  })
  const bare = Array.from(text.matchAll(bareNames(participants)), ({ 0: found, index }) => ({
    from: index,
    to: index + found.length,
    participant: participants.find(({ name }) => name.toLowerCase() === found.toLowerCase()),
  }))
  const apart = bare.filter(({ from, to }) => mentions.every((mention) => to <= mention.from || mention.to <= from))
  return [...mentions, ...apart.filter((place): place is NameRange => place.participant !== undefined)].sort(
    (a, b) => a.from - b.from,
  )
}

function bareNames(participants: readonly Participant[]): RegExp {
  const names = participants.map(({ name }) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}@＠])(?:${names.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
}
