import { LIMITS, type Receipt } from '@collab-spaces/client'
import { expect, it } from 'vitest'
import { ReceiptBatch } from './receipt-batch'

const receipt = (actor_id: string) => ({ actor_id }) as Receipt

function batched() {
  const requests: (readonly string[])[] = []
  const batch = new ReceiptBatch(async (ids) => {
    requests.push(ids)
    if (ids.includes('broken')) throw new Error('Gone')
    return ids.filter((id) => id !== 'unknown').map((event_id) => ({ event_id, receipts: [receipt(event_id)] }))
  })
  return { requests, batch }
}

it('batches concurrent requests, without duplicates', async () => {
  const { requests, batch } = batched()
  const answers = await Promise.all(['a', 'b', 'a', 'unknown'].map((id) => batch.ofEvent(id)))
  expect(answers).toEqual([[receipt('a')], [receipt('b')], [receipt('a')], []])
  expect(requests).toEqual([['a', 'b', 'unknown']])
  await batch.ofEvent('c')
  expect(requests).toHaveLength(2)
})

it('splits batches at the limit of the API', async () => {
  const { requests, batch } = batched()
  const ids = Array.from({ length: LIMITS.receiptEvents + 1 }, (_, n) => `event-${n}`)
  await Promise.all(ids.map((id) => batch.ofEvent(id)))
  expect(requests.map(({ length }) => length)).toEqual([LIMITS.receiptEvents, 1])
})

it('rejects all requests of a failed batch', async () => {
  const { batch } = batched()
  const answers = await Promise.allSettled([batch.ofEvent('broken'), batch.ofEvent('a')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
