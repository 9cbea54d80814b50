import { expect, it } from 'vitest'
import { redactedAct, renderAct } from './act.js'
import { DEFAULT_POLICY } from './policy.js'

const done = {
  spaceId: 'plans',
  position: 7,
  decisionId: '0190f3a2-0000-7000-8000-000000000000',
  author: { actorId: 'agt_scout', actorType: 'agent', sponsorId: 'usr_ada', credentialId: 'api_key', displayName: 'x' },
  at: new Date('2026-03-01T09:30:00.000Z'),
} as const

const common = {
  space_id: 'plans',
  position: 7,
  decision_id: done.decisionId,
  actor_id: 'agt_scout',
  actor_type: 'agent',
  sponsor_id: 'usr_ada',
  credential_id: 'api_key',
  created_at: '2026-03-01T09:30:00.000Z',
}

it('renders who did what, with which credential, and all that it made of the decision', () => {
  const proposed = {
    proposedBy: 'the board',
    text: 'Move',
    assignees: ['usr_ada'],
    supersedes: null,
    reviewAt: done.at,
  }
  const settled = { status: 'resolved', resolvedBy: 'ada', resolution: 'Yes' } as const
  const { settle } = DEFAULT_POLICY
  const approvals = { required: 0, given: 1, by: ['usr_ada'] }
  const deeds = [
    { kind: 'proposed', ...proposed },
    { kind: 'reviewed', verdict: 'approve', note: null },
    { kind: 'settled', ...settled, rules: settle, approvals },
    { kind: 'superseded', supersededBy: 'another' },
  ] as const
  expect(deeds.map((deed) => JSON.parse(renderAct({ ...done, deed })))).toEqual([
    {
      ...common,
      kind: 'proposed',
      proposed_by: 'the board',
      text: 'Move',
      assignees: ['usr_ada'],
      supersedes: null,
      review_at: '2026-03-01T09:30:00.000Z',
    },
    { ...common, kind: 'reviewed', verdict: 'approve', note: null },
    {
      ...common,
      kind: 'settled',
      status: 'resolved',
      resolved_by: 'ada',
      resolution: 'Yes',
      rules: { who: 'anyone', named: [], approvals: 0, independent: false, proposer_may_settle: true },
      approvals,
    },
    { ...common, kind: 'superseded', superseded_by: 'another' },
  ])
})

it('is redacted in what was said, and in nothing else', () => {
  const wire = (deed: object) => JSON.stringify({ ...common, ...deed })
  const settled = {
    kind: 'settled',
    status: 'resolved',
    resolved_by: 'ada',
    resolution: 'Yes',
    approvals: { given: 1 },
  }
  const rows: [object, object][] = [
    [{ kind: 'proposed', proposed_by: 'ada', text: 'Move' }, { text: '[redacted]' }],
    [{ kind: 'reviewed', verdict: 'approve', note: 'Good' }, { note: '[redacted]' }],
    [{ kind: 'reviewed', verdict: 'approve', note: null }, {}],
    [settled, { resolution: '[redacted]' }],
    [{ kind: 'superseded', superseded_by: 'another' }, {}],
  ]
  for (const [deed, changed] of rows) {
    expect(redactedAct(wire(deed))).toBe(wire({ ...deed, ...changed }))
    expect(redactedAct(redactedAct(wire(deed)))).toBe(redactedAct(wire(deed)))
  }
})
