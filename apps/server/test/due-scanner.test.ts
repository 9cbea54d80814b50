import type { WatchedWebhook, WebhookKey } from '@collab-spaces/db'
import type { TenantId } from '@collab-spaces/domain'
import { expect, it } from 'vitest'
import { DueScanner } from '../src/webhooks/due-scanner.js'
import { Registry } from '../src/webhooks/registry.js'

const [ONE, OTHER] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as TenantId[]

const inbox = (tenantId: TenantId | undefined, n: number): WatchedWebhook => ({
  tenantId: tenantId as TenantId,
  webhookId: `whk_${n}`,
  spaceId: null,
  inboxOf: 'ada',
  types: ['attention.raised'],
})

interface Piece extends WebhookKey {
  readonly after: string
}

/** Returns a scanner of webhooks that each have one space more than one look covers, and the recorded looks. */
function looking(webhooks: readonly WatchedWebhook[]) {
  const registry = new Registry()
  registry.replaceAll(webhooks)
  const looks: Piece[][] = []
  const deliveries = {
    retried: async (since: string | null) => ({ webhooks: [], until: since }),
    overlooked: async (pieces: readonly Piece[]) => {
      looks.push([...pieces])
      return pieces.map(({ tenantId, webhookId, after }) => {
        return { tenantId, webhookId, isDue: after !== '', upTo: after === '' ? 'plans' : null }
      })
    },
  }
  return { registry, scanner: new DueScanner(deliveries, registry), looks }
}

it('the due scanner looks at all webhooks in turn, and alternates between tenants', async () => {
  const many = Array.from({ length: 1_100 }, (_, n) => inbox(ONE, n))
  const few = [inbox(OTHER, 1), inbox(OTHER, 2)]
  const { scanner, looks } = looking([...many, ...few])
  for (let n = 0; n < 3; n++) await scanner.look()
  expect(looks.map(({ length }) => length)).toEqual([500, 500, 500])
  for (const pieces of looks) expect(pieces.filter(({ tenantId }) => tenantId === OTHER)).toHaveLength(2)
  expect(new Set(looks.flat().map(({ tenantId, webhookId }) => `${tenantId}/${webhookId}`)).size).toBe(1_102)
})

it('the due scanner continues in an inbox after the last space, and then starts over', async () => {
  const webhook = inbox(ONE, 1)
  const { scanner, looks, registry } = looking([webhook])
  const found = []
  for (let n = 0; n < 3; n++) found.push((await scanner.look()).length)
  expect(looks.flat().map(({ after }) => after)).toEqual(['', 'plans', ''])
  expect(found).toEqual([0, 1, 0])
  registry.replace(webhook, null)
  expect(registry.nextOf(10)).toEqual([])
})
