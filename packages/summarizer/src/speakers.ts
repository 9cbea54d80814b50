import { type SummarizedEvent, type Voice, voiceOf } from './event.js'

export interface Speaker {
  /** The speaker, with its latest name. */
  voice: Voice
  readonly first_event_id: string
  last_event_id: string
  count: number
}

/** The speakers in the events, by who sent these, so that an attribution alone makes no speaker. */
export class Speakers {
  readonly #byKey = new Map<string, Speaker>()

  add(event: SummarizedEvent): void {
    const { event_id } = event
    const voice = voiceOf(event)
    const known = this.#byKey.get(voice.key)
    if (!known) {
      this.#byKey.set(voice.key, { voice, first_event_id: event_id, last_event_id: event_id, count: 1 })
      return
    }
    known.voice = voice
    known.last_event_id = event_id
    known.count++
  }

  /** Returns the speakers by number of events, then by first event. */
  all(): Speaker[] {
    return [...this.#byKey.values()].sort((a, b) => b.count - a.count)
  }
}
