import { DEFAULT_SCOPE, type Scope } from '@collab-spaces/domain'
import { expect, it } from 'vitest'
import { FairQueue } from '../src/fairness/queue.js'

const TENANT = '00000000-0000-4000-8000-000000000001' as Scope

function queueOf(...items: [Scope, string, string][]): FairQueue<string> {
  const queue = new FairQueue<string>()
  for (const [scope, actorId, item] of items) queue.push({ scope, actorId }, item)
  return queue
}

function drain(queue: FairQueue<string>): string[] {
  const items: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}

it('keeps the order of an actor, and has actors and tenants take turns', () => {
  const queue = queueOf(
    [DEFAULT_SCOPE, 'ada', 'a1'],
    [DEFAULT_SCOPE, 'ada', 'a2'],
    [DEFAULT_SCOPE, 'ada', 'a3'],
    [DEFAULT_SCOPE, 'bob', 'b1'],
    [TENANT, 'eve', 'e1'],
    [TENANT, 'eve', 'e2'],
  )
  expect(queue.size).toBe(6)
  expect(drain(queue)).toEqual(['a1', 'e1', 'b1', 'e2', 'a2', 'a3'])
  expect(queue.size).toBe(0)
})

it('passes over those who may not have theirs now, and does not cost them their turn', () => {
  const queue = queueOf([DEFAULT_SCOPE, 'ada', 'a1'], [DEFAULT_SCOPE, 'bob', 'b1'], [TENANT, 'eve', 'e1'])
  expect(queue.shift(({ actorId }) => actorId === 'eve')).toBe('e1')
  expect(queue.shift(({ actorId }) => actorId === 'nobody')).toBeUndefined()
  expect(drain(queue)).toEqual(['a1', 'b1'])
})

it('removes what a condition picks', () => {
  const queue = queueOf([DEFAULT_SCOPE, 'ada', 'a1'], [DEFAULT_SCOPE, 'ada', 'a2'], [TENANT, 'eve', 'e1'])
  expect(queue.remove((item) => item !== 'a2')).toEqual(['a1', 'e1'])
  expect(queue.size).toBe(1)
  expect(drain(queue)).toEqual(['a2'])
})

it('asks no actor of a tenant that may have nothing', () => {
  const queue = queueOf([DEFAULT_SCOPE, 'ada', 'a1'], [DEFAULT_SCOPE, 'bob', 'b1'], [TENANT, 'eve', 'e1'])
  const asked: string[] = []
  const may = ({ actorId }: { actorId: string }) => asked.push(actorId) > 0
  expect(queue.shift(may, (scope) => scope === TENANT)).toBe('e1')
  expect(asked).toEqual(['eve'])
  expect(drain(queue)).toEqual(['a1', 'b1'])
})

it('deletes an item of a payer, once', () => {
  const queue = queueOf([DEFAULT_SCOPE, 'ada', 'a1'], [DEFAULT_SCOPE, 'ada', 'a2'], [TENANT, 'eve', 'e1'])
  expect(queue.delete({ scope: DEFAULT_SCOPE, actorId: 'ada' }, 'a1')).toBe(true)
  expect(queue.delete({ scope: DEFAULT_SCOPE, actorId: 'ada' }, 'a1')).toBe(false)
  expect(queue.delete({ scope: TENANT, actorId: 'ada' }, 'e1')).toBe(false)
  expect(queue.delete({ scope: TENANT, actorId: 'eve' }, 'e1')).toBe(true)
  expect(queue.size).toBe(1)
  expect(drain(queue)).toEqual(['a2'])
})
