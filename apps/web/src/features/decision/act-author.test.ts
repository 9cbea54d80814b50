import { posterInWords } from '@collab-spaces/client'
import { describe, expect, it } from 'vitest'
import type { Person } from '../../shared/query/names'
import { texts } from '../../shared/texts'
import { lastAuthor } from './act-author'

const KNOWN: ReadonlyMap<string, Person> = new Map([
  ['usr_ada', { actorId: 'usr_ada', name: 'Ada', kind: 'human', sponsorId: null, isStopped: false }],
  ['agt_scout', { actorId: 'agt_scout', name: 'Scout', kind: 'agent', sponsorId: 'usr_ada', isStopped: false }],
])
const names = { find: (id: string) => KNOWN.get(id) }

describe('the actor who proposed or settled a decision', () => {
  it.each([
    ['agt_scout', 'agt_scout', 'Scout (agent)'],
    ['agt_scout', 'Scout', 'Scout (agent)'],
    ['agt_scout', 'usr_ada', 'Scout (agent) as Ada'],
    ['usr_ada', 'agt_scout', 'Ada as Scout'],
    ['agt_scout', 'the board', 'Scout (agent) as the board'],
    ['agt_gone', 'usr_ada', `${texts.people.unknown} (agent) as Ada`],
    ['usr_ada', 'usr_gone', `Ada as ${texts.people.unknown}`],
  ])('is %s, also when it names %s', (actorId, claimed, words) => {
    const proposed = { posted_by: actorId, proposed_by: claimed, settled_by: null, resolved_by: null }
    const settled = { posted_by: 'usr_ada', proposed_by: 'usr_ada', settled_by: actorId, resolved_by: claimed }
    for (const decision of [proposed, settled]) expect(posterInWords(lastAuthor(decision, names))).toBe(words)
  })
})
