import { ATTENTION_KINDS, type WebhookMessageType } from '@collab-spaces/domain'
import { z } from 'zod'
import { SpaceAct } from './act.js'
import { Event } from './event.js'
import { moment } from './field.js'

/** The bodies of requests to webhooks, for the document. */

const about = {
  webhook_id: z.string(),
  space_id: z.string(),
  checkpoint: z.string().nullable().meta({ description: 'The newest signed checkpoint of the history' }),
}
const target = { webhook_id: z.string(), space_id: z.string().nullable(), inbox_of: z.string().nullable() }
const reason = { kinds: z.array(z.enum(ATTENTION_KINDS)), from_human: z.boolean() }
const event_id = z.uuid()

const message = <Type extends WebhookMessageType>(type: Type, summary: string, id: string, data: z.ZodObject) => ({
  type,
  summary,
  schema: z.object({ type: z.literal(type), timestamp: moment(), data }).meta({ id }),
})

export const WEBHOOK_MESSAGES = [
  message(
    'events.appended',
    'Events were written to the space',
    'EventsAppended',
    z.object({
      ...about,
      since: z.uuid().nullable().meta({ description: 'The event before the first one; null at the beginning' }),
      events: z.array(z.union([Event, z.object({ event_id })])).meta({ description: 'IDs alone in a `thin` payload' }),
    }),
  ),
  message(
    'decision.changed',
    'Something was done about decisions of the space',
    'DecisionChanged',
    z.object({
      ...about,
      acts: z
        .array(z.union([SpaceAct, z.object({ decision_id: z.uuid(), kind: z.string(), position: z.int() })]))
        .meta({ description: 'IDs alone in a `thin` payload' }),
    }),
  ),
  message(
    'attention.raised',
    'Something has come into the inbox',
    'AttentionRaised',
    z.object({
      ...about,
      actor_id: z.string(),
      items: z
        .array(z.union([z.object({ event: Event, ...reason }), z.object({ event_id, ...reason })]))
        .meta({ description: 'IDs alone in a `thin` payload' }),
    }),
  ),
  message('webhook.test', 'A test that was asked for', 'WebhookTest', z.object(target)),
  message(
    'webhook.challenge',
    'The receiver has to answer with the challenge before anything else is sent',
    'WebhookChallenge',
    z.object({ ...target, challenge: z.string() }),
  ),
] as const
