import type { Event } from '@collab-spaces/client'
import { expect, it } from 'vitest'
import { throughRevisions, withRevisions } from './fold-revisions'

const event = (event_id: string, more: Partial<Event> = {}) =>
  ({ event_id, text: event_id, timestamp: event_id, posted_by: 'usr_1', ...more }) as Event

it('an edited event shows its newest text in its place', () => {
  const [first, other] = [event('a'), event('b')]
  const events = [first, other, event('c', { corrects: 'a' }), event('d', { corrects: 'a' })]
  const shown = withRevisions(events)
  expect(shown).toEqual([{ ...first, corrected_by: 'd', current_text: 'd' }, other])
  // The same object, so that its row does not render again.
  expect(withRevisions(events)[0]).toBe(shown[0])
  expect(withRevisions([first, other])[0]).toBe(first)
})

it('a retracted event shows the retraction in its place', () => {
  expect(withRevisions([event('a'), event('b', { retracts: 'a' })])).toMatchObject([{ retracted_by: 'b' }])
})

it('a revision without a row is seen with the event before it', () => {
  const events = [event('a'), event('b', { corrects: 'a' }), event('c', { corrects: '0' }), event('d')]
  const rowIds = new Set(['a', 'c', 'd'])
  expect(throughRevisions(events, event('a'), rowIds).event_id).toBe('b')
  expect(throughRevisions(events, event('c'), rowIds).event_id).toBe('c')
})
