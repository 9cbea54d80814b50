import type { Database, JoinedSpace, Listener, ServerSignal, SpacePart } from '@collab-spaces/db'
import { type DomainError, stopping, type TenantId } from '@collab-spaces/domain'
import type { Gate } from '../gate.js'
import { presentSeen } from '../presenters/seen.js'
import type { Caller } from '../procedure/credential.js'
import type { Signal } from '../schemas/signal.js'
import { oneAtATime } from './one-at-a-time.js'

/** How long what changes is gathered: of a space that grows fast, its participants are told a few times a second. */
const GATHER_MS = 200
/** In one statement. */
const SPACES_AT_ONCE = 100
const ACTORS_AT_ONCE = 500

/** Somebody who listens to what changes for an actor. */
export interface SignalListener {
  readonly caller: Pick<Caller, 'tenantId' | 'actorId' | 'isGuest'>
  /** The spaces that it looks at. */
  readonly followed: Iterable<string>
  tell(signal: Signal): void
  revoke(reason: DomainError): void
}

/**
 * Tells actors what changes in their spaces, in whatever process it was changed. Hints are gathered, and then looked up
 * for all who listen: for whom each is. Nothing is looked up for a tenant where nobody listens here.
 */
export class ActorHub {
  readonly #rooms = new Map<TenantId, Room>()
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(
    private readonly audience: Database['audience'],
    private readonly gate: Gate,
    bus: Database['bus'],
    private readonly onFault: (error: unknown) => void,
  ) {
    bus.subscribe((signal) => this.#heard(signal))
  }

  enter(stream: SignalListener): void {
    const { tenantId, actorId } = stream.caller
    const room = this.#rooms.get(tenantId) ?? new Room()
    this.#rooms.set(tenantId, room)
    room.enter(actorId, stream)
    if (this.#closed) stream.revoke(stopping())
  }

  leave(stream: SignalListener): void {
    const { tenantId, actorId } = stream.caller
    const room = this.#rooms.get(tenantId)
    room?.leave(actorId, stream)
    if (room?.isEmpty) this.#rooms.delete(tenantId)
  }

  /** Ends all streams, and those to come. */
  close(): void {
    this.#closed = true
    for (const room of this.#rooms.values()) {
      for (const actorId of room.actorIds) for (const stream of room.streamsOf(actorId)) stream.revoke(stopping())
    }
  }

  #heard(signal: ServerSignal): void {
    if (signal.kind === 'resumed') this.#missed()
    const room = 'tenantId' in signal ? this.#rooms.get(signal.tenantId) : undefined
    if (signal.kind === 'inbox') room?.tell(signal.actorId, { kind: 'inbox' })
    if (room?.note(signal)) this.#timer ??= setTimeout(() => void this.#look(), GATHER_MS)
  }

  /** Hints were lost: anything may have changed. */
  #missed(): void {
    for (const room of this.#rooms.values()) room.tellAll({ kind: 'missed' })
  }

  readonly #look = oneAtATime(async () => {
    this.#timer = null
    for (const [tenantId, room] of this.#rooms) {
      try {
        await this.gate.run('replay', { payer: [tenantId, `${tenantId}/actors`] }, () => this.#tell(tenantId, room))
      } catch (error) {
        this.onFault(error)
        room.tellAll({ kind: 'missed' })
      }
    }
  })

  async #tell(tenantId: TenantId, room: Room): Promise<void> {
    const { changes, stops } = room.take()
    for (const some of chunks([...changes], SPACES_AT_ONCE)) {
      for (const actorIds of chunks(room.actorIds, ACTORS_AT_ONCE)) {
        await this.#tellOf(tenantId, room, new Map(some), actorIds)
      }
    }
    for (const agentId of stops) {
      const signal = { kind: 'stop', actor_id: agentId } as const
      for (const actorId of await this.audience.sharingWith(tenantId, agentId, room.actorIds))
        room.tell(actorId, signal)
    }
  }

  async #tellOf(
    tenantId: TenantId,
    room: Room,
    changes: ReadonlyMap<string, Change>,
    actorIds: string[],
  ): Promise<void> {
    const spaceIds = [...changes.keys()]
    const isMember = new Set<string>()
    for (const space of await this.audience.members(tenantId, spaceIds, actorIds)) {
      isMember.add(keyOf(space))
      for (const signal of signalsTo(space, changes.get(space.spaceId) as Change)) room.tell(space.actorId, signal)
    }
    // Actors who see a space without taking part in it have it in their lists.
    const listed = spaceIds.filter((spaceId) => changes.get(spaceId)?.parts.has('status'))
    const readers = listed.length > 0 ? await this.audience.readers(tenantId, listed, room.listeners(actorIds)) : []
    for (const reader of readers) {
      const signal = { kind: 'changed', space_id: reader.spaceId, part: 'status' } as const
      if (!isMember.has(keyOf(reader))) room.tell(reader.actorId, signal)
    }
    for (const actorId of actorIds) {
      for (const stream of room.streamsOf(actorId)) {
        for (const spaceId of stream.followed) {
          const change = changes.get(spaceId)
          if (!change || isMember.has(keyOf({ spaceId, actorId }))) continue
          for (const signal of signalsOf(spaceId, change)) stream.tell(signal)
        }
      }
    }
  }
}

/** The messages about a space that are still to be sent. */
interface Change {
  /** Whether everybody who takes part is told how far it is. */
  hasGrown: boolean
  /** The participants that are told of it anyway, as they have seen more of it. */
  readonly seenBy: Set<string>
  readonly parts: Set<SpacePart>
  readonly decisions: Set<string | null>
}

/** The actors of one tenant who listen here, and what is still to be told to them. */
class Room {
  readonly #streams = new Map<string, Set<SignalListener>>()
  #changes = new Map<string, Change>()
  #stops = new Set<string>()

  enter(actorId: string, stream: SignalListener): void {
    const own = this.#streams.get(actorId) ?? new Set()
    this.#streams.set(actorId, own.add(stream))
  }

  leave(actorId: string, stream: SignalListener): void {
    const own = this.#streams.get(actorId)
    if (own?.delete(stream) && own.size === 0) this.#streams.delete(actorId)
  }

  get isEmpty(): boolean {
    return this.#streams.size === 0
  }

  get actorIds(): string[] {
    return [...this.#streams.keys()]
  }

  streamsOf(actorId: string): Iterable<SignalListener> {
    return [...(this.#streams.get(actorId) ?? [])]
  }

  /** Picks the actors who have not left meanwhile, with what decides which spaces they see. */
  listeners(actorIds: readonly string[]): Listener[] {
    return actorIds.flatMap((actorId) => {
      const [stream] = this.#streams.get(actorId) ?? []
      return stream ? [{ actorId, isGuest: stream.caller.isGuest }] : []
    })
  }

  /** Keeps what a signal is about. False for one that is about nothing here. */
  note(signal: ServerSignal): boolean {
    switch (signal.kind) {
      case 'head':
        this.#changeOf(signal.spaceId).hasGrown = true
        return true
      case 'seen':
        this.#changeOf(signal.spaceId).seenBy.add(signal.actorId)
        return true
      case 'changed':
        this.#changeOf(signal.spaceId).parts.add(signal.part)
        return true
      case 'decision':
        this.#changeOf(signal.spaceId).decisions.add(signal.decisionId)
        return true
      case 'space':
        this.#changeOf(signal.spaceId).decisions.add(null)
        return true
      case 'stop':
        this.#stops.add(signal.actorId)
        return true
      default:
        return false
    }
  }

  take(): { readonly changes: ReadonlyMap<string, Change>; readonly stops: ReadonlySet<string> } {
    const taken = { changes: this.#changes, stops: this.#stops }
    this.#changes = new Map()
    this.#stops = new Set()
    return taken
  }

  tell(actorId: string, signal: Signal): void {
    for (const stream of this.streamsOf(actorId)) stream.tell(signal)
  }

  tellAll(signal: Signal): void {
    for (const actorId of this.actorIds) this.tell(actorId, signal)
  }

  #changeOf(spaceId: string): Change {
    let change = this.#changes.get(spaceId)
    if (!change) {
      change = { hasGrown: false, seenBy: new Set(), parts: new Set(), decisions: new Set() }
      this.#changes.set(spaceId, change)
    }
    return change
  }
}

/** The signals about a space to somebody who takes part in it. */
function* signalsTo(space: JoinedSpace, change: Change): Generator<Signal> {
  const { spaceId, actorId, eventCount, lastEventAt } = space
  if (change.hasGrown || change.seenBy.has(actorId)) {
    const last_event_at = lastEventAt?.toISOString() ?? null
    yield { kind: 'space', space_id: spaceId, event_count: eventCount, last_event_at, ...presentSeen(space) }
  }
  yield* signalsOf(spaceId, change)
}

/** The signals that others who look at the space get, too. */
function* signalsOf(space_id: string, { parts, decisions }: Change): Generator<Signal> {
  for (const part of parts) yield { kind: 'changed', space_id, part }
  for (const decision_id of decisions) yield { kind: 'act', space_id, decision_id }
}

function* chunks<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}

const keyOf = ({ spaceId, actorId }: Pick<JoinedSpace, 'spaceId' | 'actorId'>) => `${spaceId}/${actorId}`
