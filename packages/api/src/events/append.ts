import { setImmediate } from 'node:timers/promises'
import type { Append, Idempotency } from '@collab-spaces/db'
import {
  agentStopped,
  asUuid,
  batchError,
  type Event,
  type EventDraft,
  type GuardTrip,
  mentionsIn,
  type Scope,
  searchFormsOf,
  type WriteRefusal,
  writeError,
} from '@collab-spaces/domain'
import type { Slot } from '@collab-spaces/fair'
import { v7 as uuidv7 } from 'uuid'
import { renderEvent } from '../presenters/event.js'
import type { Caller } from '../procedure/credential.js'
import { Rendered } from '../procedure/output.js'
import type { Services } from '../services.js'
import { idempotencyOf, type KeyedRequest } from './idempotency.js'

/** An event as a caller sends it: the text, and the speaker. */
export type EventInput = Omit<EventDraft, 'event_id' | 'posted_by' | 'posted_by_name' | 'posted_by_type'>

/**
 * Writes an event to the log and returns it as stored. Throws for an unknown space, thread or parent (404), and for a
 * space that is not active or a key used for a different request (409). The slot ends before the log, where tenants take
 * turns, too: how long the log takes to write a group does not keep others from being formed.
 */
export async function appendEvent(
  services: Services,
  caller: Caller,
  event: EventInput,
  request: KeyedRequest,
  slot: Slot,
): Promise<Rendered<Event>> {
  await requireQuota(services, caller, event.space_id, [request])
  // What a long text is found by takes a while: others are served between two of them.
  if (isLong(event.text)) await setImmediate()
  const append = appendOf(caller.scope, draftOf(caller, event), idempotencyOf(request))
  slot.end()
  const outcome = await services.log.append(append)
  if (outcome.kind === 'refused') {
    await heed(services, caller, event.space_id, [outcome.reason])
    throw writeError(outcome.reason)
  }
  return Rendered.json<Event>(outcome.wire)
}

/** In UTF-16 units. */
const LONG_TEXT = 10_000

/** Whether what a text is found by takes long to form. */
export const isLong = (text: string) => text.length > LONG_TEXT

/** Writes events of one space in order, all or none, and returns them. Throws the same errors as `appendEvent`. */
export async function appendEvents(
  services: Services,
  caller: Caller,
  batch: readonly { readonly event: EventInput; readonly request: KeyedRequest }[],
): Promise<Rendered<Event[]>> {
  const appends: Append[] = []
  for (const { event, request } of batch) {
    appends.push(appendOf(caller.scope, draftOf(caller, event), idempotencyOf(request)))
    if (isLong(event.text)) await setImmediate()
  }
  const [first] = batch
  const requests = batch.map(({ request }) => request)
  if (first) await requireQuota(services, caller, first.event.space_id, requests)
  const outcome = await services.log.appendBatch(appends)
  if (outcome.kind === 'refused') {
    if (first) await heed(services, caller, first.event.space_id, outcome.reasons)
    throw batchError(outcome.reasons)
  }
  return Rendered.array<Event>(outcome.events.map(({ wire }) => wire).join(','))
}

/** Does what a refusal asks for besides telling its reason. */
async function heed(
  services: Services,
  caller: Caller,
  spaceId: string,
  reasons: readonly (WriteRefusal | null)[],
): Promise<void> {
  if (reasons.includes('stopped_agent')) await requireRunning(services, caller)
  const trip = reasons.find((reason): reason is GuardTrip => typeof reason === 'object' && reason !== null)
  if (trip) await services.guardNotices.tripped(caller, spaceId, trip)
}

/** 403 with all there is to say about it for an agent that has been stopped. */
async function requireRunning({ database }: Services, { actorId }: Caller): Promise<void> {
  const actor = await database.actors.find(actorId)
  if (actor?.stopped) throw agentStopped(actor.stopped)
}

/** 429 or 403 when the tenant may write no more. What is only repeated is answered as the first time. */
async function requireQuota(
  { quotas, database }: Services,
  caller: Caller,
  spaceId: string,
  requests: readonly KeyedRequest[],
): Promise<void> {
  const { scope, actorId } = caller
  const refusal = quotas.refusalOf(scope, requests.length)
  if (refusal === null) return
  const keys = requests.flatMap(({ key }) => key ?? [])
  if (keys.length < requests.length) throw refusal
  const used = await database.events.usedKeys(scope, spaceId, actorId, keys)
  if (!keys.every((key) => used.has(key))) throw refusal
}

const draftOf = (caller: Caller, event: EventInput): EventDraft => ({
  ...event,
  event_id: uuidv7(),
  parent_event_id: event.parent_event_id === null ? null : asUuid(event.parent_event_id),
  thread_id: event.thread_id === null ? null : asUuid(event.thread_id),
  posted_by: caller.actorId,
  posted_by_name: caller.displayName,
  posted_by_type: caller.actorType,
})

/** What the log stores of an event: the columns used to find it, and its JSON. */
export const appendOf = (scope: Scope, draft: EventDraft, idempotency: Idempotency | null): Append => {
  const { words, pieces } = searchFormsOf(draft.text)
  return {
    scope,
    spaceId: draft.space_id,
    eventId: draft.event_id,
    speakerId: draft.speaker_id,
    threadId: draft.thread_id,
    parentEventId: draft.parent_event_id,
    postedBy: draft.posted_by,
    isByAgent: draft.posted_by_type === 'agent',
    mentions: mentionsIn(draft.metadata),
    words,
    pieces,
    idempotency,
    template: renderEvent(draft),
  }
}
