import type { DecisionAct } from '@collab-spaces/client'
import { expect, it } from 'vitest'
import type { Person } from '../../shared/query/names'
import { actsInWords } from './act-summary'

const person = (name: string): Person => ({
  actorId: `usr_${name.toLowerCase()}`,
  name,
  kind: 'human',
  sponsorId: null,
  isStopped: false,
})
const KNOWN = new Map(['Ada', 'Bo', 'Cy'].map((name) => [`usr_${name.toLowerCase()}`, person(name)]))
const names = { find: (id: string) => KNOWN.get(id) }

const act = (name: string, fields: object) =>
  ({
    actor_id: `usr_${name.toLowerCase()}`,
    actor_type: 'human',
    sponsor_id: null,
    ...fields,
  }) as unknown as DecisionAct
const proposed = act('Ada', { kind: 'proposed', proposed_by: 'usr_ada' })
const review = (name: string, verdict: 'approve' | 'reject') => act(name, { kind: 'reviewed', verdict })
const settled = (name: string, status: 'resolved' | 'rejected') =>
  act(name, { kind: 'settled', status, resolved_by: `usr_${name.toLowerCase()}` })

it.each([
  ['Proposed by Ada', [proposed]],
  ['Proposed by Ada, approved by Bo', [proposed, review('Bo', 'approve')]],
  [
    'Proposed by Ada, approved by 2, resolved by Bo',
    [proposed, review('Bo', 'approve'), review('Cy', 'approve'), settled('Bo', 'resolved')],
  ],
  ['Proposed by Ada, not approved by Bo', [proposed, review('Bo', 'approve'), review('Bo', 'reject')]],
  [
    'Proposed by Ada, approved by Cy, not approved by Bo, rejected by Ada',
    [proposed, review('Bo', 'reject'), review('Cy', 'approve'), settled('Ada', 'rejected')],
  ],
  [
    'Proposed by Ada, resolved by Bo, used by Ada, replaced by another',
    [
      proposed,
      settled('Bo', 'resolved'),
      act('Ada', { kind: 'used', digest: 'sha-256:0' }),
      act('Cy', { kind: 'superseded', superseded_by: 'x' }),
    ],
  ],
])('%s', (line, acts) => {
  expect(actsInWords(acts, names)).toBe(line)
})
