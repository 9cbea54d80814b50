import { LIMITS, WEBHOOK_ENDS, WEBHOOK_MESSAGE_TYPES, WEBHOOK_PAYLOADS, WEBHOOK_TYPES } from '@collab-spaces/domain'
import { z } from 'zod'
import { flag, id, list, moment, oneOf, optional, optionalFlag, text } from './field.js'

export const WebhookAttempt = z
  .object({
    message_id: z.uuid().meta({ description: 'The `webhook-id` of the request: the same for all attempts at it' }),
    type: z.enum(WEBHOOK_MESSAGE_TYPES),
    space_id: z
      .string()
      .nullable()
      .meta({ description: 'Null for a challenge or a test, and for a space the credential does not open' }),
    count: z.int().meta({ description: 'How many events or acts it had' }),
    started_at: moment(),
    duration_ms: z.int(),
    ok: z.boolean(),
    status: z.int().nullable().meta({ description: 'Of the answer; null if there was none' }),
    error: z.string().nullable().meta({ description: 'Why it failed' }),
  })
  .meta({ id: 'WebhookAttempt' })

export const Webhook = z
  .object({
    webhook_id: z.string(),
    owner_id: z.string(),
    url: z.string().meta({ format: 'uri', description: 'For admins who do not own it, without what may be secret' }),
    space_id: z.string().nullable(),
    inbox_of: z.string().nullable(),
    types: z.array(z.enum(WEBHOOK_TYPES)),
    payload: z.enum(WEBHOOK_PAYLOADS),
    created_at: moment(),
    rotated_at: moment().nullable().meta({ description: 'When its secret was last replaced' }),
    disabled_at: moment().nullable(),
    disabled_reason: z
      .enum(WEBHOOK_ENDS)
      .nullable()
      .meta({
        description:
          '`disabled` by a change, `gone` after an answer 410, `failing` for three days, `owner_left` the tenant, or ' +
          '`credential_revoked`: the credential that made it',
      }),
    verified_at: moment()
      .nullable()
      .meta({
        description:
          'When the receiver at this URL proved that it wants requests, by answering a `webhook.challenge` with the ' +
          'challenge. Null until then: nothing else is sent, and `last_attempt` says why',
      }),
    lag: z.int().meta({ description: 'Events and acts that are not delivered yet; of an inbox up to 1,000' }),
    failing_since: moment().nullable(),
    next_attempt_at: moment().nullable().meta({ description: 'After a failure' }),
    last_attempt: WebhookAttempt.nullable(),
  })
  .meta({ id: 'Webhook' })

export const WebhookDetails = Webhook.extend({
  attempts: z.array(WebhookAttempt).meta({ description: 'The last 20, the newest first' }),
}).meta({ id: 'WebhookDetails' })

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().meta({ description: 'The signing secret (Standard Webhooks), shown only once' }),
}).meta({ id: 'WebhookWithSecret' })

const types = optional(
  list(oneOf(WEBHOOK_TYPES), WEBHOOK_TYPES.length, 'strings').min(1, { error: 'must not be empty' }),
)
const payload = optional(oneOf(WEBHOOK_PAYLOADS))
const start = (otherwise: string) => `\`now\`, \`beginning\`, or the id of the event to start after${otherwise}`

export const CreateWebhook = z.object({
  url: text(LIMITS.webhookUrl).meta({ format: 'uri', description: 'Where requests are sent, over https' }),
  space_id: optional(z.string({ error: 'must be a string' })).meta({ description: 'The space that it is for' }),
  inbox_of: optional(z.string({ error: 'must be a string' })).meta({
    description: 'The actor whose inbox it is for, instead of a space: the caller, or an agent it sponsors',
  }),
  types: types.meta({ description: 'Default: every type that applies' }),
  payload: payload.meta({ description: '`thin` (the default): ids only; `full`: the full content' }),
  from: optional(z.string({ error: 'must be a string' })).meta({ description: start('. Default: `now`') }),
})

const webhook_id = id('The webhook')

export const WebhookId = z.object({ webhook_id })

export const ListWebhooks = z.object({
  tenant: flag().meta({ description: 'All of the tenant, for its admins' }),
})

export const ChangeWebhook = z.object({
  webhook_id,
  url: optional(text(LIMITS.webhookUrl)).meta({ format: 'uri' }),
  types,
  payload,
  disabled: optionalFlag().meta({
    description: '`true` to send nothing. Once enabled again, it resumes where it stopped',
  }),
})

export const ReplayWebhook = z.object({
  webhook_id,
  since: id(start('')),
})
