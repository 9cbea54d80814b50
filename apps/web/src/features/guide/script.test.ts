import type { Event, SpaceAct } from '@collab-spaces/client'
import { expect, it } from 'vitest'
import { NO_ACTS } from '../history/acts'
import { nextAct, type ObservedHistory } from './script'

const CAST = { actorId: 'ada', name: 'Ada', guideId: 'guide' }

const event = (event_id: string, posted_by: string, change: Partial<Event> = {}): Event => ({
  event_id,
  space_id: 'sample',
  speaker_id: posted_by,
  speaker_name: posted_by,
  speaker_type: posted_by === 'ada' ? 'human' : 'agent',
  text: event_id,
  timestamp: '2026-01-05T09:00:00.000Z',
  parent_event_id: null,
  references: [],
  thread_id: null,
  metadata: null,
  posted_by,
  posted_by_name: posted_by,
  posted_by_type: posted_by === 'ada' ? 'human' : 'agent',
  ...change,
})

const WELCOME = event('welcome', 'guide', { metadata: { guide: 'welcome' } })
const HELLO = event('hello', 'ada')
const ANSWER = event('answer', 'guide', { parent_event_id: 'hello', metadata: { guide: 'answer' } })
const QUESTION = event('question', 'ada', { metadata: { mentions: ['guide'] } })
const END = event('end', 'guide', { metadata: { guide: 'end' } })

const ON_IT = { decision_id: 'decision', actor_id: 'guide' }
const PROPOSED = { kind: 'proposed', ...ON_IT } as SpaceAct
const SETTLED = { kind: 'settled', status: 'rejected', ...ON_IT, actor_id: 'ada' } as SpaceAct

const next = (events: readonly Event[], acts: readonly SpaceAct[] = [], hasOlder = false) => {
  const observed: ObservedHistory = { events, acts: { ...NO_ACTS, acts }, hasOlder }
  return nextAct(observed, CAST)?.key ?? null
}

it('the guide welcomes, answers the first message, proposes, and ends after the decision', () => {
  expect(next([])).toBe('guide welcome')
  expect(next([WELCOME])).toBe(null)
  expect(next([WELCOME, HELLO, QUESTION])).toBe('guide answer hello')
  expect(next([WELCOME, HELLO, ANSWER])).toBe('guide proposal')
  expect(next([WELCOME, HELLO, ANSWER], [PROPOSED])).toBe(null)
  expect(next([WELCOME, HELLO, ANSWER], [PROPOSED, SETTLED])).toBe('guide end')
  expect(next([WELCOME, HELLO, ANSWER, END], [PROPOSED, SETTLED])).toBe(null)
})

it('the guide answers further messages to it once, and no other messages', () => {
  const reply = event('reply', 'ada', { parent_event_id: 'answer' })
  const answered = event('second answer', 'guide', { parent_event_id: 'question' })
  expect(next([WELCOME, HELLO, ANSWER, event('aside', 'ada')], [PROPOSED])).toBe(null)
  expect(next([WELCOME, HELLO, ANSWER, QUESTION], [PROPOSED])).toBe('guide answer question')
  expect(next([WELCOME, HELLO, ANSWER, QUESTION, answered], [PROPOSED])).toBe(null)
  expect(next([WELCOME, HELLO, ANSWER, reply], [PROPOSED])).toBe('guide answer reply')
})

it('the guide does not restart in a partly loaded history', () => {
  expect(next([HELLO], [PROPOSED, SETTLED], true)).toBe('guide end')
  expect(next([], [], true)).toBe(null)
})
