import { createRequire } from 'node:module'
import type { Database } from '@collab-spaces/db'
import type { ServerKey } from '../server-key.js'
import type { Settings } from '../settings.js'
import { AddressGuard } from './address-guard.js'
import { Sender } from './sender.js'

const { version } = createRequire(import.meta.url)('../../package.json') as { readonly version: string }

/** How the server calls itself where it sends something. */
export const USER_AGENT = `collaboration-spaces/${version}`

/** The sender of webhooks; null without a key to sign them with. */
export function openSender(
  key: ServerKey | null,
  { webhookNetworks }: Settings,
  { webhookDeliveries }: Database,
): Sender | null {
  if (key === null) return null
  return new Sender(key, new AddressGuard(webhookNetworks), webhookDeliveries, USER_AGENT)
}
