import { v7 as uuidv7 } from 'uuid'
import type { NewThread, PastEvent, PastEventInput, TenantId } from './past-event.js'
import { oneOf, type Random, weighted } from './random.js'
import { text } from './words.js'

/** A member of the tenant. */
export interface Speaker {
  readonly actor_id: string
  readonly display_name: string
}

/** A space of the history. */
export interface SpaceOutline {
  readonly tenantId: TenantId
  readonly spaceId: string
  /** Its share of the events, relative to the other shares. */
  readonly share: number
  readonly speakers: readonly Speaker[]
  /** A word at the end of every text here. */
  readonly lastWord?: string
}

export interface Outline {
  readonly spaces: readonly SpaceOutline[]
  readonly events: number
  /** The time of its start, in milliseconds since 1970. */
  readonly begin: number
  /** The time of its last event. */
  readonly end: number
  readonly random: Random
}

/** The number of recent events that get answers, threads and mentions. */
const REMEMBERED = 50
const THREADS = 20

/**
 * Generates a realistic history: hot and cold spaces, humans, agents and transcripts, answers, threads and mentions, in
 * the order of time, so that the spaces are interleaved on disk.
 */
export function* makeHistory({ spaces, events, begin, end, random }: Outline): Generator<PastEvent> {
  const pick = weighted(spaces.map(({ share }) => share))
  const conversations = spaces.map((space) => new Conversation(space, random))
  for (let n = 1; n <= events; n++) {
    const conversation = conversations[pick(random)] as Conversation
    yield conversation.next(Math.floor(begin + ((end - begin) * n) / events))
  }
}

/** Generates the events of one space. */
class Conversation {
  readonly #recent: string[] = []
  readonly #threads: string[] = []
  #events = 0

  constructor(
    private readonly space: SpaceOutline,
    private readonly random: Random,
  ) {}

  next(time: number): PastEvent {
    const { tenantId, spaceId, speakers, lastWord } = this.space
    const speaker = oneOf(speakers, this.random)
    const words = text(this.random)
    const eventId = uuidv7({ msecs: time })
    const thread = this.#newThread(time, speaker)
    const type = this.#speakerType()
    const draft: PastEventInput = {
      event_id: eventId,
      space_id: spaceId,
      speaker_id: type === 'transcript' ? `microphone-${Math.floor(this.random() * 8)}` : speaker.actor_id,
      speaker_name: speaker.display_name,
      speaker_type: type,
      text: lastWord === undefined ? words : `${words} ${lastWord}`,
      timestamp: '',
      parent_event_id: type === 'agent' && this.#recent.length > 0 ? oneOf(this.#recent, this.random) : null,
      references: type === 'transcript' ? [`https://example.org/recordings/${this.#events}`] : [],
      thread_id: this.#threads.length > 0 && this.random() < 0.1 ? oneOf(this.#threads, this.random) : null,
      metadata: this.#metadata(),
      posted_by: speaker.actor_id,
      posted_by_name: speaker.display_name,
      posted_by_type: 'human',
    }
    this.#events++
    this.#recent.push(eventId)
    if (this.#recent.length > REMEMBERED) this.#recent.shift()
    return { tenantId, time, draft, thread }
  }

  #speakerType() {
    const share = this.random()
    if (share < 0.6) return 'human'
    return share < 0.9 ? 'agent' : 'transcript'
  }

  #metadata() {
    const metadata = { client: 'web', mood: Math.floor(this.random() * 5) }
    if (this.random() >= 0.12) return metadata
    return { ...metadata, mentions: [oneOf(this.space.speakers, this.random).actor_id] }
  }

  #newThread(time: number, speaker: Speaker): NewThread | null {
    // On the oldest remembered event, which has no thread yet.
    const anchor = this.#events % REMEMBERED === REMEMBERED - 1 ? this.#recent[0] : undefined
    if (anchor === undefined) return null
    const threadId = uuidv7({ msecs: time })
    this.#threads.push(threadId)
    if (this.#threads.length > THREADS) this.#threads.shift()
    return { threadId, parentEventId: anchor, subject: text(this.random).slice(0, 60), postedBy: speaker.actor_id }
  }
}
