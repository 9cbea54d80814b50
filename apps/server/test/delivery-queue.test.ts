import type { WatchedWebhook } from '@collab-spaces/db'
import type { TenantId } from '@collab-spaces/domain'
import { expect, it } from 'vitest'
import { DeliveryQueue } from '../src/webhooks/delivery-queue.js'

const scopeOf = (tenant: number) => `00000000-0000-4000-8000-${String(tenant).padStart(12, '0')}` as TenantId

const inSpace = (tenant: number, n: number): WatchedWebhook => ({
  tenantId: scopeOf(tenant),
  webhookId: `whk_${n}`,
  spaceId: 'plans',
  inboxOf: null,
  types: ['events.appended'],
})

/** Counts how often any property of these webhooks is read. */
function counting(webhooks: readonly WatchedWebhook[]) {
  const looks = { count: 0 }
  const counted = webhooks.map(
    (webhook) =>
      new Proxy(webhook, {
        get(target, property) {
          looks.count++
          return Reflect.get(target, property)
        },
      }),
  )
  return { looks, counted }
}

const MANY = 1_000

it.each([
  ['are new', false],
  ['have failed', true],
])('the delivery queue wakes each webhook at constant cost, however many that %s are waiting', (_, isTroubled) => {
  const queue = new DeliveryQueue()
  const { looks, counted } = counting(Array.from({ length: MANY }, (_, n) => inSpace(1, n)))
  for (const webhook of counted) queue.note(webhook, isTroubled)
  // Failing webhooks of other tenants take their places.
  const others = [2, 3].flatMap((tenant) => Array.from({ length: 8 }, (_, n) => inSpace(tenant, n)))
  for (const other of others) {
    queue.note(other, true)
    queue.push(other)
  }
  while (queue.next());
  looks.count = 0
  const wakeAll = () => {
    for (const webhook of counted) {
      queue.push(webhook)
      queue.next()
    }
  }
  wakeAll()
  wakeAll()
  expect(looks.count).toBeLessThan(40 * MANY)
})

it('the delivery queue serves no webhook twice at a time, and reports afterwards if it was woken', () => {
  const queue = new DeliveryQueue()
  const [one, two] = [inSpace(1, 1), inSpace(1, 2)]
  queue.push(one)
  const first = queue.next()
  queue.wake(one)
  queue.wake(one)
  queue.wake(two)
  expect(queue.next()?.webhook).toBe(two)
  expect(queue.next()).toBeUndefined()
  expect(first?.end(true)).toBe(true)
  expect(queue.next()).toBeUndefined()
  queue.wake(one)
  const again = queue.next()
  expect(again?.webhook).toBe(one)
  expect(again?.end(true)).toBe(false)
})

it('the delivery queue serves at most 4 spaces of an inbox, 8 webhooks of a tenant and 32 in total', () => {
  const queue = new DeliveryQueue()
  const inbox = { ...inSpace(1, 1), spaceId: null, inboxOf: 'scout' }
  const served = (webhook: WatchedWebhook, times = 1) => {
    let count = 0
    for (let n = 0; n < times; n++) {
      queue.push(webhook)
      if (queue.next()) count++
    }
    return count
  }
  expect(served(inbox, 6)).toBe(4)
  const ofTenant = (tenant: number) =>
    Array.from({ length: 9 }, (_, n) => inSpace(tenant, n + 10)).reduce((sum, each) => sum + served(each), 0)
  expect([1, 2, 3, 4, 5].map(ofTenant)).toEqual([4, 8, 8, 8, 0])
})

it('the delivery queue serves an inbox again after its running delivery ends, not before', () => {
  const queue = new DeliveryQueue()
  const inbox = { ...inSpace(1, 1), spaceId: null, inboxOf: 'scout' }
  queue.wake(inbox)
  const sending = queue.next()
  queue.wake(inbox)
  // A second turn finds nothing, as the news is in the space of the first.
  expect(queue.next()?.end(false)).toBe(false)
  expect(queue.next()).toBeUndefined()
  expect(sending?.end(true)).toBe(true)
})

it('the delivery queue keeps half of the places for healthy webhooks, and neither kind blocks the other', () => {
  const queue = new DeliveryQueue()
  const troubled = [1, 2, 3].flatMap((tenant) => Array.from({ length: 8 }, (_, n) => inSpace(tenant, n)))
  for (const webhook of troubled) {
    queue.note(webhook, true)
    queue.push(webhook)
  }
  const fine = [4, 5, 6].flatMap((tenant) => Array.from({ length: 8 }, (_, n) => inSpace(tenant, n)))
  for (const webhook of fine) queue.push(webhook)
  const turns = []
  for (let turn = queue.next(); turn; turn = queue.next()) turns.push(turn)
  const isTroubled = ({ webhook }: { webhook: WatchedWebhook }) => troubled.includes(webhook)
  expect(turns.filter(isTroubled)).toHaveLength(16)
  expect(turns).toHaveLength(32)
  turns.find(isTroubled)?.end(true)
  turns.find((turn) => !isTroubled(turn))?.end(true)
  const next = [queue.next(), queue.next()].map((turn) => turn && isTroubled(turn))
  expect(next.sort()).toEqual([false, true])
})
