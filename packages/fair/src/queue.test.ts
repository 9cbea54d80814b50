import { expect, it } from 'vitest'
import { type FairKey, FairQueue } from './queue.js'

const ADA = ['acme', 'ada', 'key']
const AGENT_OF_ADA = ['acme', 'ada', 'key of her agent']
const BOB = ['acme', 'bob', 'key of bob']
const EVE = ['elsewhere', 'eve', 'key of eve']

function queueOf(...items: [FairKey, string][]): FairQueue<string> {
  const queue = new FairQueue<string>()
  for (const [fairKey, item] of items) queue.push(fairKey, item)
  return queue
}

function drain(queue: FairQueue<string>): string[] {
  const items: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}

it('keeps the order of a credential, and has tenants, humans and credentials take turns', () => {
  const queue = queueOf(
    [ADA, 'a1'],
    [ADA, 'a2'],
    [ADA, 'a3'],
    [AGENT_OF_ADA, 's1'],
    [BOB, 'b1'],
    [EVE, 'e1'],
    [EVE, 'e2'],
  )
  expect(queue.size).toBe(7)
  expect(drain(queue)).toEqual(['a1', 'e1', 'b1', 'e2', 's1', 'a2', 'a3'])
  expect(queue.size).toBe(0)
})

it('skips rejected items, and keeps the turn of their keys', () => {
  const queue = queueOf([ADA, 'a1'], [BOB, 'b1'], [EVE, 'e1'])
  expect(queue.shift(undefined, (item) => item === 'e1')).toBe('e1')
  expect(queue.shift(undefined, () => false)).toBeUndefined()
  expect(drain(queue)).toEqual(['a1', 'b1'])
})

it('does not look below a rejected name', () => {
  const queue = queueOf([ADA, 'a1'], [BOB, 'b1'], [EVE, 'e1'])
  const visited: string[] = []
  const mayAnyOf = (name: string, level: number) => {
    visited.push(`${level} ${name}`)
    return name !== 'acme'
  }
  expect(queue.shift(mayAnyOf)).toBe('e1')
  expect(visited).toEqual(['0 acme', '0 elsewhere', '1 eve', '2 key of eve'])
  expect(drain(queue)).toEqual(['a1', 'b1'])
})

it('removes the items that match a condition', () => {
  const queue = queueOf([ADA, 'a1'], [ADA, 'a2'], [EVE, 'e1'])
  expect(queue.remove((item) => item !== 'a2')).toEqual(['a1', 'e1'])
  expect(queue.size).toBe(1)
  expect(queue.some((item) => item === 'e1')).toBe(false)
  expect(drain(queue)).toEqual(['a2'])
})

it('deletes an item of a key, once', () => {
  const queue = queueOf([ADA, 'a1'], [ADA, 'a2'], [EVE, 'e1'])
  expect(queue.delete(ADA, 'a1')).toBe(true)
  expect(queue.delete(ADA, 'a1')).toBe(false)
  expect(queue.delete(['elsewhere', 'ada', 'key'], 'e1')).toBe(false)
  expect(queue.delete(EVE, 'e1')).toBe(true)
  expect(queue.size).toBe(1)
  expect(drain(queue)).toEqual(['a2'])
})

it('removes the newest item of the key with the most items', () => {
  const queue = queueOf([ADA, 'a1'], [AGENT_OF_ADA, 's1'], [BOB, 'b1'], [BOB, 'b2'], [BOB, 'b3'], [EVE, 'e1'])
  expect(queue.popFromLargest()).toBe('b3')
  expect(drain(queue)).toEqual(['a1', 'e1', 'b1', 's1', 'b2'])
})
