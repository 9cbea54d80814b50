import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { IncomingWebhookRecord } from '@collab-spaces/db'
import type { WebhookSender } from './webhooks.js'

type SecretOwner = Pick<IncomingWebhookRecord, 'agentId' | 'generation' | 'format'>
type Secrets = Pick<WebhookSender, 'incomingSecretOf'>

/** The headers of a request. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** How far the time of a signed request may be off, in seconds, as Standard Webhooks recommends. */
const TOLERANCE_SECONDS = 300

/** Returns a secret as its owner sees it: Standard Webhooks prescribe the form, and others fit into an address. */
export function incomingSecretOf(secrets: Secrets, webhook: SecretOwner): string {
  const bytes = secrets.incomingSecretOf(webhook)
  return `whsec_${bytes.toString(webhook.format === 'standard' ? 'base64' : 'base64url')}`
}

/** Whether a sender knows the secret that it sends. */
export const hasSecret = (secrets: Secrets, webhook: SecretOwner, sent: string | undefined): boolean =>
  sent !== undefined && isSame(sent, incomingSecretOf(secrets, webhook))

/** Whether a sender has signed a body, by the rules of its format. */
export function hasSigned(secrets: Secrets, webhook: SecretOwner, headers: Headers, body: Buffer, now: Date): boolean {
  if (webhook.format === 'github') {
    const hmac = createHmac('sha256', incomingSecretOf(secrets, webhook)).update(body).digest('hex')
    return isSame(header(headers, 'x-hub-signature-256'), `sha256=${hmac}`)
  }
  const [id, time] = [header(headers, 'webhook-id'), header(headers, 'webhook-timestamp')]
  const isRecent = /^\d{1,12}$/.test(time) && Math.abs(now.getTime() / 1_000 - Number(time)) <= TOLERANCE_SECONDS
  const hmac = createHmac('sha256', secrets.incomingSecretOf(webhook)).update(`${id}.${time}.`).update(body)
  const expected = `v1,${hmac.digest('base64')}`
  const signatures = header(headers, 'webhook-signature').split(' ')
  return id !== '' && isRecent && signatures.some((signature) => isSame(signature, expected))
}

export function header(headers: Headers, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** Compares hashes, whose length reveals nothing. */
const isSame = (one: string, other: string) =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
