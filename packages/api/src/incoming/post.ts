import { hash } from 'node:crypto'
import type { IncomingWebhookRecord, KeyedEvent } from '@collab-spaces/db'
import { DomainError, type IncomingMessage, isJsonObject, valueAt, writeError } from '@collab-spaces/domain'
import { type Operation, operations } from '../operation.js'
import type { Context } from '../procedure/context.js'
import type { Caller } from '../procedure/credential.js'
import { Rendered } from '../procedure/output.js'

/** A request that its agent makes. */
export type AgentContext = Context & { readonly known: Caller }

/** A message, with what the sender calls its request. */
export interface Posted extends IncomingMessage {
  readonly kind: string
  readonly deliveryId: string | null
}

/**
 * Posts a message as the agent of a webhook, by the operations that any agent uses: so its rights, its limits, a stop and
 * the loop guard apply. Returns the id of the event. A delivery that is repeated is the same event.
 */
export async function post(ctx: AgentContext, webhook: IncomingWebhookRecord, posted: Posted): Promise<string> {
  const { deliveryId, thread } = posted
  const key = deliveryId === null ? undefined : `delivery ${deliveryId}`
  if (!thread) return write(ctx, webhook, posted, key)
  const threadKey = `thread ${hash('sha256', thread.key)}`
  const first = await find(ctx, webhook, threadKey)
  // The first message of a thread has the key of the thread, and the delivery in its metadata.
  if (first === null) {
    const event = await write(ctx, webhook, posted, threadKey, { isFirst: true })
    if (event !== null) return event
  }
  const start = first ?? (await find(ctx, webhook, threadKey))
  if (start === null) throw writeError('reused_idempotency_key')
  if (isOf(start, deliveryId)) return start.eventId
  const { spaceId: space_id } = webhook
  const opened = await run(ctx, 'thread.start', { space_id, parent_event_id: start.eventId, subject: thread.subject })
  return write(ctx, webhook, { ...posted, thread_id: String(opened.thread_id) }, key)
}

type Written = Posted & { readonly thread_id?: string }

function write(
  ctx: AgentContext,
  webhook: IncomingWebhookRecord,
  posted: Written,
  key: string | undefined,
): Promise<string>
/** Null if another message is the first of its thread. */
function write(
  ctx: AgentContext,
  webhook: IncomingWebhookRecord,
  posted: Written,
  key: string,
  how: { readonly isFirst: true },
): Promise<string | null>
async function write(
  ctx: AgentContext,
  webhook: IncomingWebhookRecord,
  posted: Written,
  key: string | undefined,
  how?: { readonly isFirst: true },
): Promise<string | null> {
  const { text, references, thread_id } = posted
  const { actorId: speaker_id, displayName: speaker_name } = ctx.known
  const event = { space_id: webhook.spaceId, text, references, thread_id, metadata: metadataOf(webhook, posted) }
  const speaker = { speaker_id, speaker_name, speaker_type: 'agent' }
  try {
    const written = await run(ctx, 'event.append', { ...event, ...speaker, idempotency_key: key })
    return String(written.event_id)
  } catch (error) {
    // It is told in other words now, such as by a new template.
    const stored = key !== undefined && isReused(error) ? await find(ctx, webhook, key) : null
    if (stored === null) throw error
    return how?.isFirst && !isOf(stored, posted.deliveryId) ? null : stored.eventId
  }
}

const isReused = (error: unknown) =>
  error instanceof DomainError && error.detail === writeError('reused_idempotency_key').detail

const find = ({ services, known }: AgentContext, { spaceId }: IncomingWebhookRecord, key: string) =>
  services.database.events.byKey(known, spaceId, key)

/** What a sender gives, and the request that it came with. */
function metadataOf({ format }: IncomingWebhookRecord, { kind, deliveryId, metadata }: Posted): unknown {
  if (metadata !== undefined && metadata !== null && !isJsonObject(metadata)) return metadata
  return { ...(metadata ?? {}), incoming_webhook: { format, kind, delivery_id: deliveryId } }
}

/** Whether an event was posted for a delivery. */
const isOf = ({ metadata }: KeyedEvent, deliveryId: string | null) =>
  deliveryId !== null && valueAt(metadata, ['incoming_webhook', 'delivery_id']) === deliveryId

const BY_NAME: ReadonlyMap<string, Operation> = new Map(operations.map((operation) => [operation.name, operation]))

/** Performs an operation as the agent, and returns its answer. */
async function run(ctx: AgentContext, name: string, input: object): Promise<Readonly<Record<string, unknown>>> {
  const answer = await BY_NAME.get(name)?.run({ ctx, getRawInput: async () => input })
  return answer instanceof Rendered ? JSON.parse(String(answer.chunks)) : Object(answer)
}
