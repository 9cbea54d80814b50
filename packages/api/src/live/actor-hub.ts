import type { Database, JoinedSpace, Listener, PresenceChange, ServerSignal, SpacePart } from '@collab-spaces/db'
import { type DomainError, isConversation, opensSpace, stopping, type TenantId } from '@collab-spaces/domain'
import type { Gate } from '../gate.js'
import { presentSeen } from '../presenters/space.js'
import type { Caller } from '../procedure/credential.js'
import type { Signal } from '../schemas/signal.js'
import { coalesced } from './coalesced.js'

/** The debounce of signals: participants of a fast space get a few per second. */
const GATHER_MS = 200
/** Of presence, so that a reader gets at most one message a second however many people come and go. */
const GATHER_PRESENCE_MS = 1_000
/** The maximum in one statement. */
const SPACES_AT_ONCE = 100
const ACTORS_AT_ONCE = 500
const PEOPLE_AT_ONCE = 50

/** A stream that listens for the changes of an actor. */
export interface SignalListener {
  readonly caller: Pick<Caller, 'tenantId' | 'actorId' | 'actorType' | 'isGuest' | 'limits'>
  /** The spaces whose events it carries. */
  readonly followed: Iterable<string>
  send(signal: Signal): void
  revoke(reason: DomainError): void
}

/**
 * Signals actors about changes in their spaces, whichever instance made them. Server signals are batched, and one lookup
 * finds the recipients of a batch. Tenants without listeners on this instance need no lookup.
 */
export class ActorHub {
  readonly #tenants = new Map<TenantId, TenantListeners>()
  #timer: NodeJS.Timeout | null = null
  #presenceTimer: NodeJS.Timeout | null = null
  #closed = false

  constructor(
    private readonly audience: Database['audience'],
    private readonly gate: Gate,
    bus: Database['bus'],
    private readonly onFault: (error: unknown) => void,
  ) {
    bus.subscribe((signal) => this.#onSignal(signal))
  }

  enter(stream: SignalListener): void {
    const { tenantId, actorId } = stream.caller
    const listeners = this.#tenants.get(tenantId) ?? new TenantListeners()
    this.#tenants.set(tenantId, listeners)
    listeners.enter(actorId, stream)
    if (this.#closed) stream.revoke(stopping())
  }

  leave(stream: SignalListener): void {
    const { tenantId, actorId } = stream.caller
    const listeners = this.#tenants.get(tenantId)
    listeners?.leave(actorId, stream)
    if (listeners?.isEmpty) this.#tenants.delete(tenantId)
  }

  /** Ends all streams, and those that enter later. */
  close(): void {
    this.#closed = true
    for (const listeners of this.#tenants.values()) {
      for (const actorId of listeners.actorIds)
        for (const stream of listeners.streamsOf(actorId)) stream.revoke(stopping())
    }
  }

  #onSignal(signal: ServerSignal): void {
    if (signal.kind === 'resumed') this.#missed()
    const listeners = 'tenantId' in signal ? this.#tenants.get(signal.tenantId) : undefined
    if (signal.kind === 'inbox') listeners?.send(signal.actorId, { kind: 'inbox' })
    if (signal.kind === 'presence' && listeners) {
      listeners.came.add(signal.actorId)
      this.#presenceTimer ??= setTimeout(() => void this.#flushPresences(), GATHER_PRESENCE_MS)
    }
    if (listeners?.note(signal)) this.#timer ??= setTimeout(() => void this.#flush(), GATHER_MS)
  }

  /** Signals were lost: anything may have changed. */
  #missed(): void {
    for (const listeners of this.#tenants.values()) listeners.sendAll({ kind: 'missed' })
  }

  readonly #flush = coalesced(async () => {
    this.#timer = null
    await this.#forTenants((tenantId, listeners) => this.#notify(tenantId, listeners))
  })

  readonly #flushPresences = coalesced(async () => {
    this.#presenceTimer = null
    await this.#forTenants((tenantId, listeners) => this.#notifyPresences(tenantId, listeners))
  })

  async #forTenants(notify: (tenantId: TenantId, listeners: TenantListeners) => Promise<void>): Promise<void> {
    for (const [tenantId, listeners] of this.#tenants) {
      try {
        await this.gate.run('replay', { fairKey: [tenantId, `${tenantId}/actors`] }, () => notify(tenantId, listeners))
      } catch (error) {
        this.onFault(error)
        listeners.sendAll({ kind: 'missed' })
      }
    }
  }

  async #notify(tenantId: TenantId, listeners: TenantListeners): Promise<void> {
    const { changes, stops } = listeners.take()
    for (const some of chunks([...changes], SPACES_AT_ONCE)) {
      for (const actorIds of chunks(listeners.actorIds, ACTORS_AT_ONCE)) {
        await this.#notifySpaces(tenantId, listeners, new Map(some), actorIds)
      }
    }
    for (const agentId of stops) {
      const signal = { kind: 'stop', actor_id: agentId } as const
      for (const { actorId, spaceIds } of await this.audience.sharingWith(tenantId, agentId, listeners.actorIds)) {
        for (const stream of listeners.streamsOf(actorId)) {
          if (spaceIds.some((spaceId) => opensSpace(stream.caller.limits, spaceId))) stream.send(signal)
        }
      }
    }
  }

  /** People see the presence of others in their conversations, and in the spaces that their streams follow. */
  async #notifyPresences(tenantId: TenantId, listeners: TenantListeners): Promise<void> {
    for (const actorIds of chunks([...listeners.takeCame()], PEOPLE_AT_ONCE)) {
      const people = await this.audience.presences(tenantId, actorIds, listeners.followed())
      const seenIn = new Map<string, PresenceChange[]>()
      for (const person of people) {
        for (const spaceId of person.spaceIds) seenIn.set(spaceId, [...(seenIn.get(spaceId) ?? []), person])
      }
      if (seenIn.size === 0) continue
      const spacesOf = new Map<string, string[]>()
      for (const some of chunks(listeners.actorIds, ACTORS_AT_ONCE)) {
        for (const { actorId, spaceId } of await this.audience.participants(tenantId, [...seenIn.keys()], some)) {
          spacesOf.set(actorId, [...(spacesOf.get(actorId) ?? []), spaceId])
        }
      }
      for (const [actorId, spaceIds] of spacesOf) {
        for (const stream of listeners.streamsOf(actorId)) sendPresences(stream, spaceIds, seenIn)
      }
    }
  }

  async #notifySpaces(
    tenantId: TenantId,
    listeners: TenantListeners,
    changes: ReadonlyMap<string, Change>,
    actorIds: string[],
  ): Promise<void> {
    const spaceIds = [...changes.keys()]
    const isMember = new Set<string>()
    for (const space of await this.audience.members(tenantId, spaceIds, actorIds)) {
      isMember.add(keyOf(space))
      for (const signal of signalsTo(space, changes.get(space.spaceId) as Change)) listeners.send(space.actorId, signal)
    }
    // Actors who see a space without participating have it in their lists.
    const listed = spaceIds.filter((spaceId) => changes.get(spaceId)?.parts.has('status'))
    const readers = listed.length > 0 ? await this.audience.readers(tenantId, listed, listeners.present(actorIds)) : []
    for (const reader of readers) {
      const signal = { kind: 'changed', space_id: reader.spaceId, part: 'status' } as const
      if (!isMember.has(keyOf(reader))) listeners.send(reader.actorId, signal)
    }
    for (const actorId of actorIds) {
      for (const stream of listeners.streamsOf(actorId)) {
        for (const spaceId of stream.followed) {
          const change = changes.get(spaceId)
          if (!change || isMember.has(keyOf({ spaceId, actorId }))) continue
          for (const signal of signalsOf(spaceId, change)) stream.send(signal)
        }
      }
    }
  }
}

/** The pending signals about a space. */
interface Change {
  /** Whether all participants get its new head. */
  hasGrown: boolean
  /** The participants that get the head because their read cursor has moved. */
  readonly seenBy: Set<string>
  readonly parts: Set<SpacePart>
  readonly decisions: Set<string | null>
  /** The events whose reactions have changed. */
  readonly reactions: Set<string>
}

/** The listening actors of one tenant on this instance, and their pending signals. */
class TenantListeners {
  readonly #streams = new Map<string, Set<SignalListener>>()
  #changes = new Map<string, Change>()
  #stops = new Set<string>()
  /** People who came or went. */
  came = new Set<string>()

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

  /** Returns the actors that still listen, with what decides which spaces they see. */
  present(actorIds: readonly string[]): Listener[] {
    return actorIds.flatMap((actorId) => {
      const [stream] = this.#streams.get(actorId) ?? []
      return stream ? [{ actorId, isGuest: stream.caller.isGuest }] : []
    })
  }

  /** Adds a server signal to the batch. False for one without a signal to actors. */
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
      case 'reaction':
        this.#changeOf(signal.spaceId).reactions.add(signal.eventId)
        return true
      case 'space':
        this.#changeOf(signal.spaceId).decisions.add(null)
        // Participants enter by invites and codes, too.
        this.#changeOf(signal.spaceId).parts.add('status')
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

  takeCame(): ReadonlySet<string> {
    const taken = this.came
    this.came = new Set()
    return taken
  }

  /** The spaces that any stream follows. */
  followed(): string[] {
    const streams = [...this.#streams.values()].flatMap((own) => [...own])
    return [...new Set(streams.flatMap((stream) => [...stream.followed]))]
  }

  send(actorId: string, signal: Signal): void {
    for (const stream of this.streamsOf(actorId)) stream.send(signal)
  }

  sendAll(signal: Signal): void {
    for (const actorId of this.actorIds) this.send(actorId, signal)
  }

  #changeOf(spaceId: string): Change {
    let change = this.#changes.get(spaceId)
    if (!change) {
      change = { hasGrown: false, seenBy: new Set(), parts: new Set(), decisions: new Set(), reactions: new Set() }
      this.#changes.set(spaceId, change)
    }
    return change
  }
}

/** Yields the signals about a space for a participant. */
function* signalsTo(space: JoinedSpace, change: Change): Generator<Signal> {
  const { spaceId, actorId, eventCount, lastEventAt } = space
  if (change.hasGrown || change.seenBy.has(actorId)) {
    const last_event_at = lastEventAt?.toISOString() ?? null
    yield { kind: 'space', space_id: spaceId, event_count: eventCount, last_event_at, ...presentSeen(space) }
  }
  yield* signalsOf(spaceId, change)
}

/** Yields the signals about a space for its participants and for other streams that follow it. */
function* signalsOf(space_id: string, { parts, decisions, reactions }: Change): Generator<Signal> {
  for (const part of parts) yield { kind: 'changed', space_id, part }
  for (const decision_id of decisions) yield { kind: 'act', space_id, decision_id }
  for (const event_id of reactions) yield { kind: 'reaction', space_id, event_id }
}

/** Sends a human's stream the presence of the people in the spaces that it shows. */
function sendPresences(
  stream: SignalListener,
  spaceIds: readonly string[],
  seenIn: ReadonlyMap<string, readonly PresenceChange[]>,
): void {
  const { actorId, actorType, limits } = stream.caller
  if (actorType !== 'human') return
  const followed = new Set(stream.followed)
  const shown = spaceIds.filter((id) => followed.has(id) || (isConversation(id) && opensSpace(limits, id)))
  const people = new Set(shown.flatMap((id) => seenIn.get(id) ?? []))
  const actors = [...people].flatMap((person) =>
    person.actorId === actorId ? [] : [{ actor_id: person.actorId, is_present: person.isPresent }],
  )
  if (actors.length > 0) stream.send({ kind: 'presence', actors })
}

function* chunks<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}

const keyOf = ({ spaceId, actorId }: Pick<JoinedSpace, 'spaceId' | 'actorId'>) => `${spaceId}/${actorId}`
