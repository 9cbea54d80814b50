import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Append, AppendOutcome, Idempotency } from '@collab-spaces/db'
import {
  agentStopped,
  asUuid,
  batchError,
  canonicalJson,
  type GuardTrip,
  type HeldClaim,
  isConversation,
  mentionsIn,
  notInSpace,
  searchFormsOf,
  type Viewer,
  type WriteRefusal,
  writeError,
} from '@collab-spaces/domain'
import type { Slot } from '@collab-spaces/fair'
import { renderEvent } from '../presenters/event.js'
import type { Caller } from '../procedure/credential.js'
import { RenderedOutput } from '../procedure/output.js'
import type { Event } from '../schemas/event.js'
import type { Services } from '../services.js'

/** A request and its idempotency key. A key belongs to one request. */
export interface KeyedRequest {
  readonly operation: string
  readonly key: string | undefined
  readonly body: unknown
}

export function idempotencyOf({ operation, key, body }: KeyedRequest): Idempotency | null {
  if (key === undefined) return null
  return {
    key,
    requestHash: hash('sha256', canonicalJson([operation, body]), 'buffer'),
  }
}

/** An event to write, as its caller sent it. */
export interface SentEvent {
  readonly event: Event
  readonly request: KeyedRequest
  /** The files that it names. */
  readonly fileIds: readonly string[]
  /** Whether to resolve `@Name` in the text to mentions. */
  readonly resolvesMentions: boolean
  /** The work claim of the write. Not part of the keyed request, as a retry may hold a newer claim. */
  readonly claim: HeldClaim | undefined
  /** The position of the event that it corrects or retracts. */
  readonly revises?: number | undefined
  /** The decision that it discusses. */
  readonly decisionId?: string | undefined
  /** The subject of the thread of that decision, if the event starts it. */
  readonly subject?: string | undefined
}

/**
 * Writes an event to the log and returns it as stored. Throws for an unknown space, thread or parent (404), and for a
 * space that is not active or a key used for a different request (409). Releases the slot before the append: the log has its
 * own fair queue, and held slots would keep its next group small.
 */
export async function appendEvent(
  services: Services,
  caller: Caller,
  sent: SentEvent,
  slot: Slot,
): Promise<RenderedOutput<Event>> {
  const { event, request } = sent
  await requireQuota(services, caller, event.space_id, [request])
  // Forming the search terms of long texts takes a while; other requests run in between.
  if (isLong(event.text)) await setImmediate()
  const append = appendOf(caller, event, idempotencyOf(request), sent)
  slot.end()
  const outcome = await services.log.append(append)
  if (outcome.kind === 'refused') {
    await actOnRefusal(services, caller, event.space_id, [outcome.reason])
    throw writeError(outcome.reason)
  }
  if (event.files !== undefined) services.fileIndexer.attached()
  await clearAnswered(services, caller, sent, outcome)
  return RenderedOutput.json<Event>(outcome.wire)
}

/** Clears the inbox of a human of what an event answers: no retry, correction, retraction or import does. */
async function clearAnswered(
  services: Services,
  caller: Caller,
  { event, revises }: SentEvent,
  outcome: AppendOutcome,
): Promise<void> {
  const { space_id: spaceId, event_id: eventId, parent_event_id: parentEventId, thread_id: threadId } = event
  if (outcome.kind !== 'accepted' || caller.actorType !== 'human') return
  if (revises !== undefined || event.occurred_at !== undefined) return
  const { position } = outcome
  const isInConversation = isConversation(spaceId)
  if (!isInConversation && parentEventId === null && threadId === null) return
  const { inbox } = services.database
  await clearInbox(services, caller, spaceId, async () => {
    if (!isInConversation) return inbox.answered(caller, { spaceId, position, parentEventId, threadId })
    // In a conversation, an answer is one to everything before.
    await inbox.done(caller, [{ spaceId, eventId }])
    return true
  })
}

/** Clears items of the inbox of a human, and announces it if there were any. A failure only leaves them there. */
export async function clearInbox(
  { database: { bus }, longPolls, onFault }: Services,
  caller: Caller,
  spaceId: string,
  clear: () => Promise<boolean>,
): Promise<void> {
  try {
    if (!(await clear())) return
    bus.publish({ kind: 'inbox', tenantId: caller.tenantId, actorId: caller.actorId })
    longPolls.receiptsChanged({ tenantId: caller.tenantId, spaceId })
  } catch (error) {
    onFault(error)
  }
}

/** The length of a long text, in UTF-16 units. */
const LONG_TEXT = 10_000

/** Whether the search terms of a text take long to form. */
export const isLong = (text: string) => text.length > LONG_TEXT

/** Writes events of one space in order, all or none, and returns them. Throws the same errors as `appendEvent`. */
export async function appendEvents(
  services: Services,
  caller: Caller,
  batch: readonly SentEvent[],
): Promise<RenderedOutput<Event[]>> {
  const appends: Append[] = []
  for (const sent of batch) {
    const { event, request } = sent
    appends.push(appendOf(caller, event, idempotencyOf(request), sent))
    if (isLong(event.text)) await setImmediate()
  }
  const [first] = batch
  const requests = batch.map(({ request }) => request)
  if (first) await requireQuota(services, caller, first.event.space_id, requests)
  const outcome = await services.log.appendBatch(appends)
  if (outcome.kind === 'refused') {
    if (first) await actOnRefusal(services, caller, first.event.space_id, outcome.reasons)
    throw batchError(outcome.reasons)
  }
  if (batch.some(({ event }) => event.files !== undefined)) services.fileIndexer.attached()
  for (const [index, sent] of batch.entries())
    await clearAnswered(services, caller, sent, outcome.events[index] as AppendOutcome)
  return RenderedOutput.json<Event[]>(`[${outcome.events.map(({ wire }) => wire).join(',')}]`)
}

/** Handles a refusal beyond its error: notices of loop guards, and a more precise error. */
async function actOnRefusal(
  services: Services,
  caller: Caller,
  spaceId: string,
  reasons: readonly (WriteRefusal | null)[],
): Promise<void> {
  if (reasons.includes('stopped_agent')) await requireRunning(services, caller)
  if (reasons.includes('unknown_space') && (await services.database.spaces.find(caller, spaceId))) throw notInSpace()
  const trip = reasons.find((reason): reason is GuardTrip => typeof reason === 'object' && reason !== null)
  if (trip) await services.guardNotices.tripped(caller, spaceId, trip)
}

/** 403 with the details of the stop for a stopped agent. */
async function requireRunning({ database }: Services, { actorId }: Caller): Promise<void> {
  const actor = await database.actors.find(actorId)
  if (actor?.stopped) throw agentStopped(actor.stopped)
}

/** 429 or 403 beyond the tenant's quota, except for retries of stored events. */
async function requireQuota(
  { quotas, database }: Services,
  caller: Caller,
  spaceId: string,
  requests: readonly KeyedRequest[],
): Promise<void> {
  const refusal = quotas.refusalOf(caller.tenantId, requests.length)
  if (refusal === null) return
  const keys = requests.flatMap(({ key }) => key ?? [])
  if (keys.length < requests.length) throw refusal
  const used = await database.events.usedKeys(caller, spaceId, keys)
  if (!keys.every((key) => used.has(key))) throw refusal
}

/** Returns an event as the log stores it: its JSON and its search terms. */
export const appendOf = (
  { tenantId, isGuest }: Pick<Viewer, 'tenantId' | 'isGuest'>,
  event: Event,
  idempotency: Idempotency | null,
  { claim, revises, subject }: Partial<Pick<SentEvent, 'claim' | 'revises' | 'subject'>> = {},
): Append => {
  const isRetraction = event.retracts !== undefined
  // A retraction is found by nothing, and addresses no actor.
  const { words, pieces } = searchFormsOf(isRetraction ? '' : event.text)
  const [before_timestamp, after_timestamp] = renderEvent(event)
  return {
    tenant_id: tenantId,
    space_id: event.space_id,
    event_id: event.event_id,
    speaker_id: event.speaker_id,
    thread_id: event.thread_id,
    parent_event_id: event.parent_event_id,
    posted_by: event.posted_by,
    by_guest: isGuest,
    by_agent: event.posted_by_type === 'agent',
    mentions: isRetraction ? [] : mentionsIn(event.metadata),
    in_conversation: isConversation(event.space_id) || undefined,
    words,
    pieces,
    idempotency_key: idempotency?.key,
    request_hash: idempotency?.requestHash.toString('hex'),
    claim_id: claim && asUuid(claim.claimId),
    fence: claim?.fence,
    revises,
    is_retraction: revises === undefined ? undefined : isRetraction,
    file_ids: event.files?.map(({ file_id }) => file_id),
    decision_id: subject === undefined ? undefined : (event.thread_id ?? undefined),
    subject,
    before_timestamp,
    after_timestamp,
  }
}
