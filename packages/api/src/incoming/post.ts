import { hash } from 'node:crypto'
import type { IncomingWebhookRecord, KeyedEvent } from '@collab-spaces/db'
import {
  actorsOf,
  DomainError,
  type IncomingMessage,
  isJsonObject,
  isOlder,
  orderIn,
  type StatedOrder,
  tooBusy,
  unknown,
  valueAt,
  type WriteRefusal,
  writeError,
} from '@collab-spaces/domain'
import { type Operation, operations } from '../operation.js'
import type { Context } from '../procedure/context.js'
import { type Caller, fairKeyOf } from '../procedure/credential.js'
import { RenderedOutput } from '../procedure/output.js'

/** A request that its agent makes. */
export type AgentContext = Context & { readonly known: Caller }

/** A message, with what the sender calls its request. */
export interface IncomingPost extends IncomingMessage {
  readonly kind: string
  readonly deliveryId: string | null
}

/**
 * Posts a message as the agent of a webhook, by the operations that any agent uses: so its rights, its limits, a stop and
 * the loop guard apply. Returns the id of the event, or null if a newer state was posted before. A delivery that is repeated
 * is the same event.
 */
export async function post(
  ctx: AgentContext,
  webhook: IncomingWebhookRecord,
  posted: IncomingPost,
): Promise<string | null> {
  if (posted.correction) return postOrCorrect(ctx, webhook, posted, posted.correction)
  return posted.thread ? postInThread(ctx, webhook, posted, posted.thread) : write(ctx, webhook, posted)
}

async function postInThread(
  ctx: AgentContext,
  webhook: IncomingWebhookRecord,
  posted: IncomingPost,
  thread: Thread,
): Promise<string> {
  const key = keyOfThread(thread)
  const written = await writeFirst(ctx, webhook, posted, key)
  if (written.isOwn) return written.eventId
  const thread_id = await threadOn(ctx, webhook, written.eventId, thread)
  return write(ctx, webhook, { ...posted, thread_id })
}

/** Posts the first message with a key, and later ones as its corrections. */
async function postOrCorrect(
  ctx: AgentContext,
  webhook: IncomingWebhookRecord,
  posted: IncomingPost,
  { key, order }: Correction,
): Promise<string | null> {
  const { thread } = posted
  const start = thread && (await find(ctx, webhook, keyOfThread(thread)))
  const placed = start ? { ...posted, thread_id: await threadOn(ctx, webhook, start.eventId, thread) } : posted
  const written = await writeFirst(ctx, webhook, placed, `correctable ${hash('sha256', key)}`)
  if (written.isOwn) return written.eventId
  try {
    return await correct(ctx, webhook, { ...posted, corrects: written.eventId }, order)
  } catch (error) {
    if (!isRefused(error, 'retracted_event') && !isRefused(error, 'redacted_event')) throw error
    return postOrCorrect(ctx, webhook, posted, { key: `${key}\n${written.eventId}`, order })
  }
}

type Correction = NonNullable<IncomingMessage['correction']>
type Correcting = IncomingPost & { readonly corrects: string }

/** Each further attempt means that another delivery corrected the event meanwhile. */
const MAX_ATTEMPTS = 30

/** The corrections among which a repeated delivery is looked for. */
const NEWEST_CORRECTIONS = 20

/**
 * Corrects an event, unless its newest text is of a newer state. The idempotency key names the text that is superseded, so
 * of two deliveries at a time, one is refused, and compared again with what the other wrote.
 */
async function correct(
  ctx: AgentContext,
  webhook: IncomingWebhookRecord,
  posted: Correcting,
  order: StatedOrder | null,
): Promise<string | null> {
  if (order === null) return write(ctx, webhook, posted)
  const { events } = ctx.services.database
  const read = () => events.newestTexts(ctx.known, webhook.spaceId, posted.corrects, NEWEST_CORRECTIONS)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const texts = await inTurn(ctx, read)
    const own = texts.find((text) => isOf(text, posted.deliveryId))
    if (own) return own.eventId
    const [newest] = texts
    if (!newest) throw unknown('Space')
    if (isOlder(order, orderIn(newest.metadata))) return null
    const written = await append(ctx, webhook, posted, `correction of ${newest.eventId}`)
    if (written.isOwn) return written.eventId
  }
  throw tooBusy()
}

type Thread = NonNullable<IncomingMessage['thread']>

const keyOfThread = ({ key }: Thread) => `thread ${hash('sha256', key)}`
const deliveryKey = ({ deliveryId }: IncomingPost) => (deliveryId === null ? undefined : `delivery ${deliveryId}`)

/** Returns the id of the thread on an event, which is started if there is none yet. */
async function threadOn(
  ctx: AgentContext,
  { spaceId: space_id }: IncomingWebhookRecord,
  parent_event_id: string,
  { subject }: Thread,
): Promise<string> {
  return String((await run(ctx, 'thread.start', { space_id, parent_event_id, subject })).thread_id)
}

/** An event, and whether it was posted for this delivery. */
interface Outcome {
  readonly eventId: string
  readonly isOwn: boolean
}

/** Writes the first message with a key, or finds it. */
async function writeFirst(
  ctx: AgentContext,
  webhook: IncomingWebhookRecord,
  posted: PlacedPost,
  key: string,
): Promise<Outcome> {
  const first = await find(ctx, webhook, key)
  return first ? { eventId: first.eventId, isOwn: isOf(first, posted.deliveryId) } : append(ctx, webhook, posted, key)
}

/** A message with its place. */
type PlacedPost = IncomingPost & { readonly thread_id?: string; readonly corrects?: string }

const write = async (ctx: AgentContext, webhook: IncomingWebhookRecord, posted: PlacedPost) =>
  (await append(ctx, webhook, posted, deliveryKey(posted))).eventId

/** Appends a message, or finds the one that has its key already: of another delivery, or told in other words. */
async function append(
  ctx: AgentContext,
  webhook: IncomingWebhookRecord,
  posted: PlacedPost,
  key: string | undefined,
): Promise<Outcome> {
  const { text, references, thread_id, corrects } = posted
  const { actorId: speaker_id, displayName: speaker_name } = ctx.known
  const event = { space_id: webhook.spaceId, text, references, thread_id, corrects }
  const speaker = { speaker_id, speaker_name, speaker_type: 'agent' }
  const metadata = metadataOf(webhook, posted)
  try {
    const written = await run(ctx, 'event.append', { ...event, ...speaker, metadata, idempotency_key: key })
    return { eventId: String(written.event_id), isOwn: true }
  } catch (error) {
    const stored = key !== undefined && isRefused(error, 'reused_idempotency_key') && (await find(ctx, webhook, key))
    if (!stored) throw error
    return { eventId: stored.eventId, isOwn: isOf(stored, posted.deliveryId) }
  }
}

const isRefused = (error: unknown, reason: WriteRefusal & string) =>
  error instanceof DomainError && error.detail === writeError(reason).detail

const find = (ctx: AgentContext, { spaceId }: IncomingWebhookRecord, key: string) =>
  inTurn(ctx, () => ctx.services.database.events.byKey(ctx.known, spaceId, key))

/** Reads as the agent, when it is its turn. */
const inTurn = <T>({ services, known, address }: AgentContext, read: () => Promise<T>): Promise<T> =>
  services.gate.run('row', { fairKey: fairKeyOf(known), address }, read)

/** What a sender gives, and the request that it came with. */
function metadataOf({ format, people }: IncomingWebhookRecord, posted: IncomingPost): unknown {
  const { kind, deliveryId, logins, metadata, correction } = posted
  if (metadata !== undefined && metadata !== null && !isJsonObject(metadata)) return metadata
  const mentions = actorsOf(people, logins)
  return {
    ...(metadata ?? {}),
    ...(mentions.length > 0 && { mentions }),
    incoming_webhook: { format, kind, delivery_id: deliveryId, ...(correction?.order && { order: correction.order }) },
  }
}

/** Whether an event was posted for a delivery. */
const isOf = ({ metadata }: KeyedEvent, deliveryId: string | null) =>
  deliveryId !== null && valueAt(metadata, ['incoming_webhook', 'delivery_id']) === deliveryId

const BY_NAME: ReadonlyMap<string, Operation> = new Map(operations.map((operation) => [operation.name, operation]))

/** Performs an operation as the agent, and returns its answer. */
async function run(ctx: AgentContext, name: string, input: object): Promise<Readonly<Record<string, unknown>>> {
  const answer = await BY_NAME.get(name)?.run({ ctx, getRawInput: async () => input })
  return answer instanceof RenderedOutput ? JSON.parse(String(answer.chunks)) : Object(answer)
}
