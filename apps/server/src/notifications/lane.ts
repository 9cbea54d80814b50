import type { DueChannel } from '@collab-spaces/db'
import type { ChannelKind } from '@collab-spaces/domain'
import { FairQueue } from '@collab-spaces/fair'

/** The maximum number of concurrent messages of a lane: in total, of one human, and to one host. */
export interface LaneWidth {
  readonly total: number
  readonly ofHuman: number
  readonly ofHost: number
}

export interface Turn {
  readonly channel: DueChannel
  /** Releases the slot. */
  end(): void
}

/** The maximum number of channels queued in memory. The rest wait in the database. */
const MAX_QUEUED = 1_000

/**
 * The fair order of the channels of one kind: humans take turns, for each human the hosts. A slow host holds only its own
 * slots.
 */
export class Lane {
  readonly #queue = new FairQueue<DueChannel>()
  /** The IDs of the queued and served channels. */
  readonly #known = new Set<string>()
  /** The slots of each human and each host. */
  readonly #places = new Map<string, number>()
  #size = 0

  constructor(
    readonly kind: ChannelKind,
    private readonly width: LaneWidth,
  ) {}

  get known(): readonly string[] {
    return [...this.#known]
  }

  get isFull(): boolean {
    return this.#queue.size >= MAX_QUEUED
  }

  get isDrained(): boolean {
    return this.#queue.size === 0
  }

  push(channel: DueChannel): void {
    if (this.#known.has(channel.channelId)) return
    this.#known.add(channel.channelId)
    this.#queue.push(fairKeyOf(channel), channel)
  }

  /** Returns the next channel with a free slot. */
  next(): Turn | undefined {
    if (this.#size >= this.width.total) return undefined
    const channel = this.#queue.shift((name, level) => this.#hasPlace(name, level))
    if (!channel) return undefined
    this.#count(channel, 1)
    return {
      channel,
      end: () => {
        this.#known.delete(channel.channelId)
        this.#count(channel, -1)
      },
    }
  }

  #hasPlace(name: string, level: number): boolean {
    return (this.#places.get(name) ?? 0) < (level === 0 ? this.width.ofHuman : this.width.ofHost)
  }

  #count(channel: DueChannel, by: 1 | -1): void {
    this.#size += by
    for (const name of fairKeyOf(channel)) {
      const places = (this.#places.get(name) ?? 0) + by
      if (places === 0) this.#places.delete(name)
      else this.#places.set(name, places)
    }
  }
}

const fairKeyOf = ({ kind, actorId, address }: DueChannel) => [actorId, `host/${hostOf(kind, address)}`] as const

/** Returns the host of an address. Accepts any text, as one bad address must not block the queue. */
function hostOf(kind: ChannelKind, address: string): string {
  if (kind === 'email') return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return URL.canParse(address) ? new URL(address).hostname : address
}
