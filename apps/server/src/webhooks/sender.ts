import { randomBytes, randomUUID } from 'node:crypto'
import { presentWebhookChallenge, presentWebhookTest, type WebhookSender } from '@collab-spaces/api'
import {
  type Database,
  databaseClock,
  type IncomingWebhookRecord,
  type WebhookAttempt,
  type WebhookRecord,
} from '@collab-spaces/db'
import {
  echoesChallenge,
  isAllowedHost,
  stopping,
  type WebhookMessageType,
  webhookChallenge,
} from '@collab-spaces/domain'
import type { ServerKey } from '../server-key.js'
import type { AddressGuard } from './address-guard.js'
import { type Outcome, post } from './post.js'
import { incomingSecretOf, type Message, type SecretSource, secretOf, signatureHeaders } from './secret.js'

type Receiver = SecretSource & Pick<WebhookRecord, 'url' | 'allowedHosts'>

const NOT_ALLOWED: Outcome = {
  status: null,
  error: 'Its host is not one that the tenant allows (webhook_hosts in its policy)',
  text: '',
  retryAfterMs: null,
}

/** Signs and sends requests to webhooks. */
export class Sender implements WebhookSender {
  readonly #ending = new AbortController()

  constructor(
    private readonly key: ServerKey,
    private readonly guard: AddressGuard,
    private readonly deliveries: Database['webhookDeliveries'],
  ) {}

  secretOf(webhook: Pick<WebhookRecord, 'tenantId' | 'webhookId' | 'generation'>): string {
    return secretOf(this.key, webhook)
  }

  incomingSecretOf(webhook: Pick<IncomingWebhookRecord, 'agentId' | 'generation'>): Buffer {
    return incomingSecretOf(this.key, webhook)
  }

  requireAllowed(url: URL): Promise<void> {
    return this.guard.requireAllowed(url)
  }

  async test(webhook: WebhookRecord): Promise<WebhookAttempt> {
    const startedAt = databaseClock.now()
    if (webhook.verifiedAt) {
      return this.#attempt(webhook, 'webhook.test', startedAt, presentWebhookTest(webhook, startedAt), judgeTest)
    }
    const challenge = webhookChallenge(randomBytes)
    const body = presentWebhookChallenge(webhook, challenge, startedAt)
    const attempt = await this.#attempt(webhook, 'webhook.challenge', startedAt, body, judgeAnswerTo(challenge))
    if (attempt.error === null) await this.deliveries.verified(webhook)
    return attempt
  }

  async #attempt(
    webhook: WebhookRecord,
    messageType: WebhookMessageType,
    startedAt: Date,
    body: string,
    judge: (outcome: Outcome) => string | null,
  ): Promise<WebhookAttempt> {
    const messageId = randomUUID()
    const outcome = await this.send(webhook, { id: messageId, body }).catch(() => {
      throw stopping()
    })
    const attempt: WebhookAttempt = {
      messageId,
      messageType,
      spaceId: null,
      count: 0,
      startedAt,
      durationMs: databaseClock.now().getTime() - startedAt.getTime(),
      status: outcome.status,
      error: judge(outcome),
    }
    await this.deliveries.record(webhook, attempt)
    return attempt
  }

  /** Sends one request. Rejects only on close. */
  async send(webhook: Receiver, message: Message): Promise<Outcome> {
    const url = new URL(webhook.url)
    if (!isAllowedHost(webhook.allowedHosts, url)) return NOT_ALLOWED
    const headers = signatureHeaders(this.key, webhook, message, databaseClock.now())
    return post({ url, headers, body: message.body }, this.guard, this.#ending.signal)
  }

  /** Aborts requests in flight. Their outcome is not stored, so they are sent again. */
  close(): void {
    this.#ending.abort(stopping())
  }
}

/** Returns why a test failed; null on success. */
const judgeTest = ({ error }: Outcome): string | null => error

const judgeAnswerTo =
  (challenge: string) =>
  ({ status, error, text }: Outcome): string | null => {
    if (error !== null || echoesChallenge(text, challenge)) return error
    return `Answered ${status} without the challenge`
  }
