import type { RouterOutputs, Webhook, WebhookAttempt } from '@collab-spaces/client'
import { counted } from '../terminal/prose.js'
import type { Style } from '../terminal/style.js'
import { joined, lines, type StyledText, styled, type Text } from '../terminal/styled.js'
import { fields, numberedTable, table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

export function listOfWebhooks(webhooks: readonly Webhook[], style: Style): Text {
  if (webhooks.length === 0) return 'No webhooks. Create one: spaces webhook create URL --space SPACE'
  return numberedTable(style, webhooks, {
    webhook: ({ webhook_id }) => webhook_id,
    for: targetOf,
    state: (webhook) => stateIn(style, webhook),
    waiting: ({ lag }) => String(lag),
    'last attempt': ({ last_attempt: last }) => (last ? `${relativeTime(last.started_at)}: ${outcomeOf(last)}` : '-'),
    url: ({ url }) => url,
  })
}

export const oneWebhook = (webhook: Webhook, style: Style): Text =>
  fields(style, [
    ['webhook', style.bold(webhook.webhook_id)],
    ['for', targetOf(webhook)],
    ['url', webhook.url],
    ['types', webhook.types.join(', ')],
    ['payload', webhook.payload],
    ['owner', webhook.owner_id],
    ['created', relativeTime(webhook.created_at)],
    ['new secret', webhook.rotated_at && relativeTime(webhook.rotated_at)],
    ['state', stateIn(style, webhook)],
    ['waiting', waitingOf(webhook)],
    ['next attempt', webhook.next_attempt_at && relativeTime(webhook.next_attempt_at)],
  ])

export const webhookWithAttempts = (webhook: RouterOutputs['webhook']['get'], style: Style): Text =>
  joined([oneWebhook(webhook, style), listOfAttempts(webhook, style), ...adviceFor(webhook)], '\n\n')

function listOfAttempts({ webhook_id, attempts }: RouterOutputs['webhook']['get'], style: Style): Text {
  if (attempts.length === 0) return `Nothing was sent yet. Send a first request: spaces webhook test ${webhook_id}`
  return table(style, attempts, {
    attempt: ({ started_at }) => relativeTime(started_at),
    type: ({ type }) => type,
    items: ({ count }) => String(count),
    took: ({ duration_ms }) => `${duration_ms} ms`,
    outcome: (attempt) => outcomeIn(style, attempt),
    request: ({ message_id }) => message_id,
  })
}

export const oneAttempt = (attempt: WebhookAttempt, style: Style): Text =>
  fields(style, [
    ['request', attempt.message_id],
    ['type', attempt.type],
    ['outcome', outcomeIn(style, attempt)],
    ['took', `${attempt.duration_ms} ms`],
  ])

const targetOf = ({ space_id, inbox_of }: Webhook): string => space_id ?? `inbox of ${inbox_of}`

const outcomeOf = ({ ok, status, error }: WebhookAttempt): string => (ok ? `accepted (${status})` : (error ?? 'failed'))

const outcomeIn = (style: Style, attempt: WebhookAttempt): StyledText =>
  style[attempt.ok ? 'green' : 'red'](outcomeOf(attempt))

const REASONS = {
  disabled: 'disabled',
  gone: 'disabled: its receiver said that it is gone (410)',
  failing: 'disabled: it failed for three days',
  owner_left: 'disabled: its owner has left the tenant',
  credential_revoked: 'disabled: the credential that made it was revoked',
} as const

function stateIn(style: Style, { disabled_at, disabled_reason, verified_at, failing_since }: Webhook): StyledText {
  if (disabled_at !== null) return style.red(REASONS[disabled_reason ?? 'disabled'])
  if (verified_at === null) return style.yellow('not confirmed by its receiver')
  if (failing_since !== null) return style.yellow(`failing since ${relativeTime(failing_since)}`)
  return style.green('active')
}

/** Of an inbox, the service counts no further. */
const MAX_COUNTED = 1_000

function waitingOf({ lag, inbox_of }: Webhook): string {
  if (lag === 0) return 'nothing'
  return inbox_of !== null && lag >= MAX_COUNTED ? `${lag} or more` : counted(lag, 'item')
}

/** Advice about a webhook whose receiver has not given the challenge back; null if it has. */
export function unconfirmed({ webhook_id, verified_at, last_attempt }: Webhook): Text | null {
  if (verified_at !== null) return null
  const why = last_attempt?.type === 'webhook.challenge' && last_attempt.error ? styled` (${last_attempt.error})` : ''
  return styled`Nothing is sent until its receiver has answered the challenge${why}. Ask it again: spaces webhook test ${webhook_id}`
}

/** The next step for the owner of a webhook, if there is one. */
function adviceFor(webhook: Webhook): Text[] {
  const { webhook_id, disabled_at, lag } = webhook
  if (disabled_at === null) return [unconfirmed(webhook) ?? []].flat()
  const enable = `Resume where it stopped: spaces webhook update ${webhook_id} --enable`
  const skip = `Or skip what is waiting first: spaces webhook replay ${webhook_id} now`
  return [lag === 0 ? enable : lines([enable, skip])]
}
