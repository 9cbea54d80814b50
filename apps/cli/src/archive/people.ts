import { readFile } from 'node:fs/promises'
import { type Actor, type Client, isVisible, LIMITS, SpacesError, shorten } from '@collab-spaces/client'
import { failed, usage } from '../failure.js'
import { decoded } from '../input/utf8.js'
import type { Draft } from '../transfer/draft.js'
import { refusedIn } from '../transfer/draft.js'
import type { Person } from './record.js'

const ACTOR_ID = /^(?:usr|agt)_[0-9A-Za-z]+$/

export type Speaker = Required<Pick<Draft, 'speaker_id' | 'speaker_name' | 'speaker_type'>>

/** The people of an export as speakers: attributions, or the actors that a file maps them to. */
export class People {
  readonly #speakers = new Map<string, Speaker>()
  readonly #mapped = new Set<string>()

  private constructor(
    private readonly service: string,
    private readonly me: Actor,
    private readonly actors: ReadonlyMap<string, string>,
  ) {}

  /** Reads a file of lines, each with an e-mail address or an ID of the service, and an actor's ID. */
  static async from(service: string, me: Actor, path: string | undefined): Promise<People> {
    const actors = new Map<string, string>()
    if (path === undefined) return new People(service, me, actors)
    const bytes = await readFile(path).catch((error: Error) => {
      throw usage(`Cannot read ${path}`, error.message)
    })
    for (const [index, line] of decoded(bytes, (number) => `${path}, line ${number}`)
      .split(/\r?\n/)
      .entries()) {
      if (line.trim() === '') continue
      const [person = '', actorId = '', ...rest] = line.trim().split(/[\s,]+/)
      if (!ACTOR_ID.test(actorId) || rest.length > 0) {
        throw failed(`${path}, line ${index + 1}: not an e-mail address or ID, and the ID of an actor`)
      }
      actors.set(person.toLowerCase(), actorId)
    }
    return new People(service, me, actors)
  }

  /** How many people speak, and how many of them as actors. */
  get counts() {
    return { speakers: this.#speakers.size, mapped: this.#mapped.size }
  }

  speakerOf(person: Person): Speaker {
    const known = this.#speakers.get(this.#keyOf(person))
    if (known) return known
    const actorId = this.actors.get(person.email?.toLowerCase() ?? '') ?? this.actors.get(person.id.toLowerCase())
    const isMe = actorId === this.me.actor_id
    const name = person.name.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim()
    const speaker = {
      speaker_id: actorId ?? shorten(`${this.service}:${person.id.toWellFormed()}`, LIMITS.speakerId),
      speaker_name: isMe
        ? this.me.display_name
        : shorten(isVisible(name) ? name : person.id || 'unknown', LIMITS.speakerName),
      speaker_type: person.isBot ? 'agent' : 'human',
    }
    this.#speakers.set(this.#keyOf(person), speaker)
    if (actorId !== undefined) this.#mapped.add(actorId)
    return speaker
  }

  /** Fails unless the server allows all of them, before anything is written. */
  async check(client: Client, signal: AbortSignal): Promise<void> {
    const speakers = [...this.#speakers.values()]
    for (let from = 0; from < speakers.length; from += LIMITS.batch) {
      const part = speakers.slice(from, from + LIMITS.batch)
      const events = part.map((speaker) => ({ ...speaker, text: '-' }))
      try {
        await client.event.checkBatch.mutate({ events }, { signal })
      } catch (error) {
        const refused = part[refusedIn(error) ?? -1]
        if (!refused || !(error instanceof SpacesError)) throw error
        throw failed(
          `${refused.speaker_name} (${refused.speaker_id}): ${error.detail.replace(/^events\.\d+[.:] ?/, '')}`,
          ALLOW,
        )
      }
    }
  }

  /** Bots of one ID speak under several names. */
  #keyOf = ({ id, name }: Person) => `${id}\n${name}`
}

const ALLOW =
  'Nothing was imported. An admin can allow it until the import is done: spaces tenant policy --attribution free'
