import { databaseClock, type IncomingWebhookRecord } from '@collab-spaces/db'
import {
  forbidden,
  type IncomingDelivery,
  incomingRequestOf,
  invalid,
  isIdempotencyKey,
  type JsonObject,
  LIMITS,
  shorten,
  unknown,
} from '@collab-spaces/domain'
import { type Headers, header } from '../incoming-secret.js'
import type { Context } from '../procedure/context.js'
import { refusalOf, statusOf } from '../procedure/fault.js'
import { post } from './post.js'

/** A request whose sender knows the secret. */
export interface VerifiedRequest {
  readonly webhook: IncomingWebhookRecord
  readonly headers: Headers
  /** Reads its body; 400 for anything but an object. */
  readonly read: () => JsonObject
}

/** Takes a request, and answers with the outcome once the event is stored. The webhook keeps each outcome for its owners. */
export async function receive(ctx: Context, { webhook, headers, read }: VerifiedRequest): Promise<IncomingDelivery> {
  const { services, address } = ctx
  const delivery: Delivery = {
    received_at: databaseClock.now().toISOString(),
    kind: null,
    delivery_id: null,
    status: 200,
    event_id: null,
    error: null,
  }
  try {
    await take(ctx, webhook, headers, read, delivery)
    return delivery
  } catch (error) {
    const refused = refusalOf(error)
    delivery.status = refused ? statusOf(refused) : 500
    delivery.error = refused?.detail ?? 'Internal server error'
    throw error
  } finally {
    // A record is worth less than the answer that it is about.
    const keep = () => services.database.incomingWebhooks.recordDelivery(webhook, delivery)
    await services.gate.run('change', turnOf(webhook, address), keep).catch(() => {})
  }
}

/** Charges the owner of the webhook. */
const turnOf = ({ tenantId, sponsorId, agentId }: IncomingWebhookRecord, address: Context['address']) => ({
  fairKey: [tenantId, sponsorId ?? agentId, agentId],
  address,
})

type Delivery = { -readonly [Field in keyof IncomingDelivery]: IncomingDelivery[Field] }

/** The longest kind that is kept, which a sender names. */
const MAX_KIND = 100

async function take(
  ctx: Context,
  webhook: IncomingWebhookRecord,
  headers: Headers,
  read: () => JsonObject,
  delivery: Delivery,
): Promise<void> {
  if (webhook.disabledAt) throw forbidden('The incoming webhook is disabled: an owner of the space can enable it')
  delivery.delivery_id = deliveryIdOf(webhook, headers)
  const { format, template } = webhook
  const event = header(headers, 'x-github-event')
  const { kind, message } = incomingRequestOf({ format, template, event, body: read() })
  delivery.kind = shorten(kind, MAX_KIND)
  if (message === null) return
  const known = await agentOf(ctx, webhook)
  const posted = { ...message, kind: delivery.kind, deliveryId: delivery.delivery_id }
  delivery.event_id = await post({ ...ctx, known }, webhook, posted)
}

/** The header in which senders of a format name a request, so that they can repeat it. */
const ID_HEADERS = {
  json: 'idempotency-key',
  slack: 'idempotency-key',
  standard: 'webhook-id',
  github: 'x-github-delivery',
} as const

/** Leaves room for the word before it in the idempotency key. */
const MAX_DELIVERY_ID = LIMITS.idempotencyKey - 'delivery '.length

function deliveryIdOf({ format }: IncomingWebhookRecord, headers: Headers): string | null {
  const name = ID_HEADERS[format]
  const id = header(headers, name)
  if (id === '') return null
  if (!isIdempotencyKey(id) || id.length > MAX_DELIVERY_ID) {
    throw invalid(name, `must be 1 to ${MAX_DELIVERY_ID} printable ASCII characters`)
  }
  return id
}

/** Authenticates the agent by its present key, as if it had sent it. 404 if it is no longer in the tenant. */
async function agentOf({ services, address }: Context, webhook: IncomingWebhookRecord) {
  const { credentials, incomingWebhooks } = services.database
  const findKey = () => incomingWebhooks.keyHashOf(webhook.agentId)
  const credentialHash = await services.gate.run('row', turnOf(webhook, address), findKey)
  const principal = credentialHash && (await credentials.lookUp(credentialHash))
  if (!principal || principal.tenantId !== webhook.tenantId) throw unknown('Incoming webhook')
  return Object.assign(principal, { credentialHash, address })
}
