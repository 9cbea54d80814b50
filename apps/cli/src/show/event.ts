import type { Event, Participant } from '@collab-spaces/client'
import wrapAnsi from 'wrap-ansi'
import { clean, cleanLine } from '../terminal/clean.js'
import { type Style, speakerStyle } from '../terminal/style.js'
import { dayOf, timeOfDay } from '../terminal/time.js'

/** Text stands under the name of who said it. */
const INDENT = ' '.repeat(7)

/** How many of the events before are remembered, to say what an event answers. */
const REMEMBERED = 1_000

/** How much of an event is shown where another one answers it, in characters. */
const EXCERPT = 50

/** Who reads, and where. */
export interface Reader {
  readonly screen: Screen
  readonly members: readonly Participant[]
  /** Their own id, so that they see when they are meant. */
  readonly actorId: string | null
}

/** What events are shown on. Its width may change while they come. */
export interface Screen {
  readonly style: Style
  /** How wide a line may be; infinite where nobody looks. */
  readonly columns: number
}

/** Shows events one after the other, each as it follows those before. */
export class Conversation {
  #day: string | null = null
  readonly #earlier = new Map<string, Event>()

  constructor(private readonly reader: Reader) {}

  /** An event by itself. */
  one(event: Event): string {
    return [this.#head(event), ...this.#context(event), this.#text(event)].join('\n')
  }

  /** An event that follows those before, under its day when that is another one. */
  add(event: Event): string {
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
    return [this.reader.screen.style.dim(`── ${day} ──`)]
  }

  #head({ timestamp, speaker_id, speaker_name, speaker_type, posted_by, event_id }: Event): string {
    const { style } = this.reader.screen
    const parts = [style.dim(timeOfDay(timestamp)), speakerStyle(style, speaker_id)(cleanLine(speaker_name))]
    if (speaker_type !== 'human') parts.push(style.dim(`(${cleanLine(speaker_type)})`))
    // Anybody may write what somebody else has said: a bridge does, and so could an impostor.
    if (posted_by !== speaker_id) parts.push(style.dim(`sent by ${this.#nameOf(posted_by)}`))
    return [...parts, style.dim(event_id)].join('  ')
  }

  #context(event: Event): string[] {
    const { parent_event_id, thread_id, references } = event
    const marks: string[] = []
    if (parent_event_id !== null) marks.push(`↳ ${this.#answered(parent_event_id)}`)
    if (thread_id !== null) marks.push(`# thread ${thread_id}`)
    const silent = this.#mentioned(event).filter((member) => !namesIn([member]).test(event.text))
    if (silent.length > 0) marks.push(`@ ${silent.map(({ name }) => cleanLine(name)).join(', ')}`)
    for (const reference of references) marks.push(`→ ${cleanLine(reference)}`)
    return marks.map((mark) => INDENT + this.reader.screen.style.dim(mark))
  }

  #answered(eventId: string): string {
    const parent = this.#earlier.get(eventId)
    return parent ? `${cleanLine(parent.speaker_name)}: ${excerpt(parent.text)}` : `reply to ${eventId}`
  }

  #text(event: Event): string {
    const { screen, actorId } = this.reader
    const { style, columns } = screen
    const mentioned = this.#mentioned(event)
    const text = clean(event.text)
    if (mentioned.length === 0) return indented(text, columns)
    const coloured = text.replace(namesIn(mentioned), (found) => {
      const member = mentioned.find(({ name }) => isName(found, name)) as Participant
      const name = speakerStyle(style, member.participant_id)(found)
      return member.participant_id === actorId ? style.inverse(name) : name
    })
    return indented(coloured, columns)
  }

  #mentioned({ metadata }: Event): Participant[] {
    const mentions = metadata?.mentions
    if (!Array.isArray(mentions)) return []
    return this.reader.members.filter(({ participant_id }) => mentions.includes(participant_id))
  }

  #nameOf(actorId: string): string {
    return cleanLine(this.reader.members.find(({ participant_id }) => participant_id === actorId)?.name ?? actorId)
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

/** The beginning of a text, in one line. */
export function excerpt(text: string, longest = EXCERPT): string {
  const characters = Array.from(cleanLine(text))
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}

/** Text under a head, wrapped where the terminal ends. */
export function indented(text: string, columns: number): string {
  const width = columns - INDENT.length
  return text
    .split('\n')
    .flatMap((line) => (Number.isFinite(width) ? wrapped(line, width).split('\n') : [line]))
    .map((line) => (line === '' ? '' : INDENT + line))
    .join('\n')
}

/** What is indented, such as code, stays so. */
const wrapped = (line: string, width: number) =>
  wrapAnsi(line, Math.max(width, 20), { hard: true, trim: !/^\s/.test(line) })

/** Whole names, with an @ or without. */
function namesIn(members: readonly Participant[]): RegExp {
  const names = members.map(({ name }) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])@?(?:${names.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
}

const isName = (found: string, name: string) => found.replace(/^@/, '').toLowerCase() === name.toLowerCase()
