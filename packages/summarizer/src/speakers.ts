import type { SummarizedEvent } from './event.js'

export interface Speaker {
  readonly speaker_id: string
  readonly first_event_id: string
  speaker_name: string
  speaker_type: string
  last_event_id: string
  count: number
}

/** Who took part, with the name they used last. */
export class Speakers {
  readonly #byId = new Map<string, Speaker>()

  add(event: SummarizedEvent): void {
    const { speaker_id, speaker_name, speaker_type, event_id } = event
    const known = this.#byId.get(speaker_id)
    if (!known) {
      this.#byId.set(speaker_id, {
        speaker_id,
        speaker_name,
        speaker_type,
        first_event_id: event_id,
        last_event_id: event_id,
        count: 1,
      })
      return
    }
    known.speaker_name = speaker_name
    known.speaker_type = speaker_type
    known.last_event_id = event_id
    known.count++
  }

  /** The name of an actor that spoke in the window, and otherwise its id. */
  nameOf(id: string): string {
    return this.#byId.get(id)?.speaker_name ?? id
  }

  /** Sorted by the number of events, then by who spoke first. */
  all(): Speaker[] {
    return [...this.#byId.values()].sort((a, b) => b.count - a.count)
  }
}
