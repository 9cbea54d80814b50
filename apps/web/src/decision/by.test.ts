import { describe, expect, it } from 'vitest'
import { posterInWords } from '../components/claim'
import type { Person } from '../query/names'
import { doneBy } from './by'

const KNOWN: ReadonlyMap<string, Person> = new Map([
  ['usr_ada', { actorId: 'usr_ada', name: 'Ada', kind: 'human', sponsorId: null, isStopped: false }],
  ['agt_scout', { actorId: 'agt_scout', name: 'Scout', kind: 'agent', sponsorId: 'usr_ada', isStopped: false }],
])
const names = {
  find: (id: string) => KNOWN.get(id),
  nameOf: (id: string) => KNOWN.get(id)?.name ?? 'somebody unknown',
  kindOf: (id: string) => KNOWN.get(id)?.kind ?? 'agent',
}

describe('whoever did something about a decision', () => {
  it.each([
    ['agt_scout', 'agt_scout', 'Scout (agent)'],
    ['agt_scout', null, 'Scout (agent)'],
    ['agt_scout', 'usr_ada', 'Scout (agent) as Ada'],
    ['usr_ada', 'agt_scout', 'Ada as Scout'],
    ['agt_scout', 'the board', 'Scout (agent) as the board'],
    ['agt_gone', 'usr_ada', 'somebody unknown (agent) as Ada'],
  ])('is %s, whatever %s is said', (actorId, claimedId, words) => {
    expect(posterInWords(doneBy(actorId, claimedId, names))).toBe(words)
  })
})
