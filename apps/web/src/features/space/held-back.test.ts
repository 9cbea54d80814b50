import type { Event, SpaceAct } from '@collab-spaces/client'
import { expect, it } from 'vitest'
import { heldBack } from './held-back'

const eventBy = (posted_by: string, second: number) =>
  ({
    posted_by,
    posted_by_name: posted_by,
    posted_by_type: posted_by === 'ada' ? 'human' : 'agent',
    timestamp: `2026-01-05T09:00:0${second}.000Z`,
  }) as Event

const act = (kind: string, actor_id: string, second: number) =>
  ({ kind, actor_id, created_at: `2026-01-05T09:00:0${second}.500Z` }) as SpaceAct

it.each([
  ['all agents at the total limit', ['ada', 'x', 'y'], [], { total: 2, per_agent: 0 }, { agent: null }],
  ['one agent at its own limit', ['ada', 'x', 'y', 'x'], [], { total: 9, per_agent: 2 }, { agent: 'x' }],
  ['none below the limit', ['ada', 'x', 'y'], [], { total: 3, per_agent: 2 }, null],
  ['none without a guard', ['x', 'x', 'x'], [], { total: 0, per_agent: 0 }, null],
  ['none after a human has posted', ['x', 'y', 'ada'], [], { total: 2, per_agent: 1 }, null],
  ['none after a human has settled', ['x', 'y'], [act('settled', 'usr_1', 2)], { total: 2, per_agent: 1 }, null],
  [
    'agents after an agent has settled',
    ['x', 'y'],
    [act('settled', 'agt_1', 2)],
    { total: 2, per_agent: 0 },
    { agent: null },
  ],
  ['none after a policy change', ['x', 'y'], [act('policy_changed', 'usr_1', 2)], { total: 2, per_agent: 0 }, null],
])('the loop guard holds back %s', (_, speakers, acts, guard, expected) => {
  expect(heldBack({ events: speakers.map(eventBy), acts }, guard)).toEqual(expected)
})
