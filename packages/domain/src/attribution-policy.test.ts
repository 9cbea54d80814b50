import { describe, expect, it } from 'vitest'
import { isForbidden } from './attribution-policy.js'

const scout = { id: 'agt_scout', name: 'Scout', type: 'agent' }
const ada = { id: 'usr_ada', name: 'Ada', type: 'human' }

describe('an attribution policy', () => {
  it.each([
    ['itself', scout, [false, false, false]],
    ['itself, by the endpoint for humans', { ...scout, type: 'human' }, [false, false, false]],
    ['itself, of another type', { ...scout, type: 'system' }, [false, false, true]],
    ['a stranger', ada, [false, null, true]],
    ['the id of a member', { ...scout, id: ada.id }, [false, null, true]],
    ['the name of a member', { ...scout, name: 'Ada' }, [false, null, true]],
  ])('allows or forbids an agent to speak as %s', (_, speaker, expected) => {
    const policies = ['free', 'no_members', 'none'] as const
    expect(policies.map((policy) => isForbidden(policy, scout, speaker))).toEqual(expected)
  })
})
