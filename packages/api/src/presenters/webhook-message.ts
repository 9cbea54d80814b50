import type { Delivery, WebhookContent, WebhookMessage, WebhookRecord } from '@collab-spaces/db'
import type { WebhookMessageType, WebhookPayload } from '@collab-spaces/domain'
import { kindsOf } from './inbox.js'

/** A piece of JSON, as it is sent. */
type Json = string

/**
 * Renders the body of a request to a webhook, identical at each attempt. As text, as events and acts are stored as JSON.
 */
export function presentWebhookMessage(
  { webhookId, spaceId, inboxOf, payload }: Delivery,
  content: WebhookContent,
  { at, checkpoint }: Pick<WebhookMessage, 'at' | 'checkpoint'>,
): Json {
  const about = { webhook_id: webhookId, space_id: spaceId, checkpoint }
  switch (content.type) {
    case 'events.appended': {
      const items = content.entries.map(({ eventId, wire }) => (isFull(payload) ? wire : json({ event_id: eventId })))
      return body(content.type, at, withList({ ...about, since: content.since }, 'events', items))
    }
    case 'decision.changed': {
      const items = content.entries.map(({ decisionId, kind, position, wire }) =>
        isFull(payload) ? wire : json({ decision_id: decisionId, kind, position }),
      )
      return body(content.type, at, withList(about, 'acts', items))
    }
    case 'attention.raised': {
      const items = content.entries.map((item) => {
        const why = { kinds: kindsOf(item), from_human: item.isFromHuman }
        return isFull(payload)
          ? `{"event":${item.wire},${json(why).slice(1)}`
          : json({ event_id: item.eventId, ...why })
      })
      return body(content.type, at, withList({ ...about, actor_id: inboxOf }, 'items', items))
    }
  }
}

type Target = Pick<WebhookRecord, 'webhookId' | 'spaceId' | 'inboxOf'>

const targetOf = ({ webhookId, spaceId, inboxOf }: Target) => ({
  webhook_id: webhookId,
  space_id: spaceId,
  inbox_of: inboxOf,
})

/** Renders the body of a test request. */
export const presentWebhookTest = (webhook: Target, at: Date): Json => body('webhook.test', at, json(targetOf(webhook)))

/** Renders the body of a challenge, which the receiver must echo. */
export const presentWebhookChallenge = (webhook: Target, challenge: string, at: Date): Json =>
  body('webhook.challenge', at, json({ ...targetOf(webhook), challenge }))

const isFull = (payload: WebhookPayload) => payload === 'full'

const json = (value: object): Json => JSON.stringify(value)

/** The fields of Standard Webhooks, in its order. */
const body = (type: WebhookMessageType, at: Date, data: Json): Json =>
  `{"type":"${type}","timestamp":"${at.toISOString()}","data":${data}}`

/** Adds a list of rendered JSON to an object. */
const withList = (fields: object, name: string, items: readonly Json[]): Json =>
  `${json(fields).slice(0, -1)},"${name}":[${items.join(',')}]}`
