import { INCOMING_FORMATS, LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, moment, oneOf, optional, optionalFlag, text, trimmedName } from './field.js'

export const IncomingDelivery = z
  .object({
    received_at: moment(),
    kind: z.string().nullable().meta({ description: 'What it was, such as `pull_request.opened`' }),
    delivery_id: z.string().nullable().meta({ description: "The sender's id of it; null if it sent none" }),
    status: z.int().meta({ description: 'Of the answer' }),
    event_id: z.string().nullable().meta({ description: 'Null if nothing was posted' }),
    error: z.string().nullable().meta({ description: 'Why it was refused' }),
  })
  .meta({ id: 'IncomingDelivery' })

export const IncomingWebhook = z
  .object({
    incoming_webhook_id: z
      .string()
      .meta({ description: 'The id of the agent that it posts as, which was made for it' }),
    name: z.string().meta({ description: 'The name of the agent' }),
    sponsor_id: z.string().nullable().meta({ description: 'The human who made it' }),
    space_id: z.string(),
    format: z.enum(INCOMING_FORMATS),
    template: z.string().nullable(),
    people: z.record(z.string(), z.string()).meta({ description: 'Logins of `github`, or users of `slack`: actors' }),
    created_at: moment(),
    rotated_at: moment().nullable().meta({ description: 'When its secret was last replaced' }),
    disabled_at: moment().nullable(),
  })
  .meta({ id: 'IncomingWebhook' })

export const IncomingWebhookDetails = IncomingWebhook.extend({
  deliveries: z.array(IncomingDelivery).meta({ description: 'The last 20, the newest first' }),
}).meta({ id: 'IncomingWebhookDetails' })

export const IncomingWebhookWithSecret = IncomingWebhook.extend({
  url: z.string().meta({ format: 'uri', description: 'Where to send; for `slack` with the secret in it' }),
  secret: z.string().meta({ description: 'To sign with, or to send as a bearer token; shown only once' }),
}).meta({ id: 'IncomingWebhookWithSecret' })

const space_id = id('The space')
const template = optional(text(LIMITS.incomingTemplate)).meta({
  description: 'The text of a message of `standard`, with values of the request as `{{data.name}}`',
})

const people = optional(
  z
    .record(text(LIMITS.incomingPerson), text(LIMITS.speakerId), { error: 'must be an object of actor ids' })
    .refine((value) => Object.keys(value).length <= LIMITS.incomingPeople, {
      error: `must name at most ${LIMITS.incomingPeople} people`,
    }),
).meta({
  description: 'Logins of `github`, or user ids of `slack`, with the actors to mention for them',
  example: { octocat: 'usr_1' },
})

export const IncomingWebhooksOf = z.object({ space_id })

export const IncomingWebhookId = z.object({ space_id, incoming_webhook_id: id('The incoming webhook') })

export const CreateIncomingWebhook = z.object({
  space_id,
  name: trimmedName(LIMITS.displayName).meta({ description: 'The name of the agent that it posts as' }),
  format: oneOf(INCOMING_FORMATS),
  template,
  people,
})

export const ChangeIncomingWebhook = IncomingWebhookId.extend({
  template: z
    .union([text(LIMITS.incomingTemplate), z.null()])
    .optional()
    .meta({ description: 'null removes it' }),
  people,
  disabled: optionalFlag().meta({ description: '`true` to refuse all that is sent to it' }),
})
