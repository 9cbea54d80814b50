import { v7 as uuidv7 } from 'uuid'
import { type Chance, oneOf, weighted } from './chance.js'
import type { Draft, Happening, NewThread, Scope } from './load.js'
import { text } from './words.js'

/**
 * A history as it happens in life: hot spaces and cold ones, humans, agents and transcripts, answers, threads and
 * mentions, in the order of time, so that the spaces lie among each other on the disk.
 */

/** An actor with a place in the scope. */
export interface Speaker {
  readonly actor_id: string
  readonly display_name: string
}

/** A space that the history goes on in. */
export interface Place {
  readonly scope: Scope
  readonly spaceId: string
  /** How much of the whole happens here, beside the shares of the others. */
  readonly share: number
  readonly speakers: readonly Speaker[]
  /** A word that every text here ends in. */
  readonly addition?: string
}

export interface Outline {
  readonly places: readonly Place[]
  readonly events: number
  /** When it begins, in milliseconds since 1970. */
  readonly begin: number
  /** When its last event happens. */
  readonly end: number
  readonly chance: Chance
}

/** What is answered, threaded on and mentioned is recent. */
const REMEMBERED = 50
const THREADS = 20

export function* story({ places, events, begin, end, chance }: Outline): Generator<Happening> {
  const pick = weighted(places.map(({ share }) => share))
  const scenes = places.map((place) => new Scene(place, chance))
  for (let n = 1; n <= events; n++) {
    const scene = scenes[pick(chance)] as Scene
    yield scene.happens(Math.floor(begin + ((end - begin) * n) / events))
  }
}

/** What is going on in one space. */
class Scene {
  readonly #recent: string[] = []
  readonly #threads: string[] = []
  #happened = 0

  constructor(
    private readonly place: Place,
    private readonly chance: Chance,
  ) {}

  happens(moment: number): Happening {
    const { scope, spaceId, addition } = this.place
    const speaker = oneOf(this.place.speakers, this.chance)
    const said = text(this.chance)
    const eventId = uuidv7({ msecs: moment })
    const thread = this.#newThread(moment, speaker)
    const kind = this.#kind()
    const draft: Draft = {
      event_id: eventId,
      space_id: spaceId,
      speaker_id: kind === 'transcript' ? `microphone-${Math.floor(this.chance() * 8)}` : speaker.actor_id,
      speaker_name: speaker.display_name,
      speaker_type: kind,
      text: addition === undefined ? said : `${said} ${addition}`,
      parent_event_id: kind === 'agent' && this.#recent.length > 0 ? oneOf(this.#recent, this.chance) : null,
      references: kind === 'transcript' ? [`https://example.org/recordings/${this.#happened}`] : [],
      thread_id: this.#threads.length > 0 && this.chance() < 0.1 ? oneOf(this.#threads, this.chance) : null,
      metadata: this.#metadata(),
      posted_by: speaker.actor_id,
    }
    this.#happened++
    this.#recent.push(eventId)
    if (this.#recent.length > REMEMBERED) this.#recent.shift()
    return { scope, moment, draft, thread }
  }

  #kind() {
    const chance = this.chance()
    if (chance < 0.6) return 'human'
    return chance < 0.9 ? 'agent' : 'transcript'
  }

  #metadata() {
    const metadata = { client: 'web', mood: Math.floor(this.chance() * 5) }
    if (this.chance() >= 0.12) return metadata
    return { ...metadata, mentions: [oneOf(this.place.speakers, this.chance).actor_id] }
  }

  #newThread(moment: number, speaker: Speaker): NewThread | null {
    // On the oldest event that is remembered, which can have no other thread.
    const anchor = this.#happened % REMEMBERED === REMEMBERED - 1 ? this.#recent[0] : undefined
    if (anchor === undefined) return null
    const threadId = uuidv7({ msecs: moment })
    this.#threads.push(threadId)
    if (this.#threads.length > THREADS) this.#threads.shift()
    return { threadId, parentEventId: anchor, subject: text(this.chance).slice(0, 60), postedBy: speaker.actor_id }
  }
}
