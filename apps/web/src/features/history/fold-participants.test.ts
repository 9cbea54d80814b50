import type { SpaceAct } from '@collab-spaces/client'
import { describe, expect, it } from 'vitest'
import { NO_ACTS } from './acts'
import { foldParticipants, participantsOf } from './fold-participants'
import { rowsOf } from './rows'

const act = (participant_id: string, change: Partial<SpaceAct> = {}) => ({
  kind: 'participant_added' as const,
  space_id: 'plans',
  decision_id: null,
  actor_id: 'ada',
  created_at: '2026-01-05T09:00:00.000Z',
  participant_id,
  ...change,
})

/** Returns the participants of each row, after acts in this order. */
function fold(...acts: readonly ReturnType<typeof act>[]) {
  const positioned = acts.map((act, at) => ({ ...act, position: at + 1 }) as unknown as SpaceAct)
  const rows = rowsOf({
    events: [],
    acts: { ...NO_ACTS, acts: positioned },
    outgoing: [],
    isAtStart: true,
    isAtTail: true,
    unreadAfter: null,
    actorId: 'grace',
  })
  return foldParticipants(rows).map((row) => (row.kind === 'act' ? participantsOf(row) : []))
}

describe('participants that one actor adds', () => {
  it('are one row', () => {
    expect(fold(act('grace'), act('scout'), act('kay'))).toEqual([['grace', 'scout', 'kay']])
  })

  it.each([
    ['another actor adds', { actor_id: 'kay' }],
    ['are removed', { kind: 'participant_removed' as never }],
    ['are added on another day', { created_at: '2026-01-06T09:00:00.000Z' }],
  ])('are another row than those that %s', (_which, change) => {
    expect(fold(act('grace'), act('scout', change))).toEqual([['grace'], ['scout']])
  })
})
