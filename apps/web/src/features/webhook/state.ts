import type { Webhook, WebhookAttempt } from '@collab-spaces/client'
import type { Tone } from '../../shared/components/Badge'
import { webhooksTexts, webhookTexts } from './texts'

/** The state of a webhook, as a badge. */
export interface WebhookState {
  readonly tone: Tone
  readonly label: string
  /** An explanation and advice, if any. */
  readonly advice: string | null
}

type StateFields = Pick<Webhook, 'disabled_reason' | 'verified_at' | 'failing_since' | 'lag' | 'last_attempt'>

export function stateOf({ disabled_reason, verified_at, failing_since, lag, last_attempt }: StateFields): WebhookState {
  const { states, ends } = webhooksTexts
  if (disabled_reason === 'disabled') return { tone: 'plain', label: states.paused, advice: ends.disabled }
  if (disabled_reason !== null) return { tone: 'bad', label: states.ended, advice: ends[disabled_reason] }
  if (verified_at === null) return { tone: 'warn', label: states.unverified, advice: webhooksTexts.unverified }
  if (failing_since !== null) return { tone: 'warn', label: states.failing, advice: null }
  // A failed test does not set `failing_since`.
  if (last_attempt?.ok === false) return { tone: 'warn', label: states.lastFailed, advice: null }
  return lag > 0
    ? { tone: 'accent', label: states.behind, advice: null }
    : { tone: 'good', label: states.upToDate, advice: null }
}

/** Returns why an attempt failed: the answered status, or the server's message. */
export const failureOf = ({ status, error }: Pick<WebhookAttempt, 'status' | 'error'>): string =>
  status !== null && status >= 400 ? webhookTexts.answered(status) : (error ?? '')
