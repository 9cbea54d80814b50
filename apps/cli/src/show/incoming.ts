import type { RouterOutputs } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { joined, type StyledText, type Text } from '../terminal/styled.js'
import { fields, table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

type Incoming = RouterOutputs['incomingWebhook']['list'][number]
type IncomingDetails = RouterOutputs['incomingWebhook']['get']

export function listOfIncoming(webhooks: readonly Incoming[], style: Style): Text {
  if (webhooks.length === 0) return 'No incoming webhooks. Create one: spaces incoming create SPACE NAME'
  return table(style, webhooks, {
    name: ({ name }) => name,
    format: ({ format }) => format,
    state: (webhook) => stateIn(style, webhook),
    created: ({ created_at }) => relativeTime(created_at),
    incoming: ({ incoming_webhook_id }) => incoming_webhook_id,
  })
}

export const oneIncoming = (webhook: Incoming, style: Style): Text =>
  fields(style, [
    ['incoming', style.bold(webhook.incoming_webhook_id)],
    ['name', webhook.name],
    ['space', webhook.space_id],
    ['format', webhook.format],
    ['template', webhook.template],
    ['people', Object.keys(webhook.people).join(', ') || null],
    ['sponsor', webhook.sponsor_id],
    ['created', relativeTime(webhook.created_at)],
    ['new secret', webhook.rotated_at && relativeTime(webhook.rotated_at)],
    ['state', stateIn(style, webhook)],
  ])

export const incomingWithDeliveries = (webhook: IncomingDetails, style: Style): Text =>
  joined([oneIncoming(webhook, style), listOfDeliveries(webhook, style)], '\n\n')

function listOfDeliveries({ deliveries }: IncomingDetails, style: Style): Text {
  if (deliveries.length === 0) return 'Nothing was sent to it yet, or not with its secret.'
  return table(style, deliveries, {
    received: ({ received_at }) => relativeTime(received_at),
    kind: ({ kind }) => kind ?? '-',
    outcome: ({ status, error }) => style[error === null ? 'green' : 'red'](error ?? `accepted (${status})`),
    event: ({ event_id }) => event_id ?? '-',
  })
}

const stateIn = (style: Style, { disabled_at }: Incoming): StyledText =>
  disabled_at === null ? style.green('active') : style.red('disabled')
