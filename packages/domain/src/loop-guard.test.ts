import { expect, it } from 'vitest'
import { batchError } from './event.js'
import { loopGuardTripped } from './loop-guard.js'

it('the loop guard states its scope and its limit', () => {
  const byOne = loopGuardTripped({ scope: 'agent', limit: 15 })
  expect(byOne.kind).toBe('conflict')
  expect(byOne.detail).toBe('Loop guard: 15 events by this agent since a human last spoke')
  expect(byOne.fields).toEqual({ error: 'loop_guard', scope: 'agent', limit: 15 })
  const byAll = loopGuardTripped({ scope: 'space', limit: 1 })
  expect(byAll.detail).toBe('Loop guard: 1 event by agents since a human last spoke')
  expect(byAll.fields).toEqual({ error: 'loop_guard', scope: 'space', limit: 1 })
})

it('the loop guard rejects a batch as a whole, after unknown references', () => {
  const tripped = { scope: 'agent', limit: 15 } as const
  expect(batchError([null, tripped])).toEqual(loopGuardTripped(tripped))
  expect(batchError([tripped, 'unknown_thread']).detail).toBe('events.1: Thread not found')
})
