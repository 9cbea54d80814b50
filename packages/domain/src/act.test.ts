import { expect, it } from 'vitest'
import { type Act, redactedAct, renderAct } from './act.js'
import { DEFAULT_POLICY } from './policy.js'
import { REDACTED_ACTION } from './redaction.js'

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

it('an act is rendered with its actor, its credential and its content', () => {
  const proposed = {
    proposedBy: 'the board',
    text: 'Move',
    assignees: ['usr_ada'],
    supersedes: null,
    reviewAt: done.at,
    options: null,
    action: null,
    expiresAt: null,
  }
  const settled = { status: 'resolved', resolvedBy: 'ada', resolution: 'Yes', option: null, edit: null } as const
  const { settle } = DEFAULT_POLICY
  const approvals = { required: 0, given: 0, by: ['usr_ada'] }
  const notCounted = [{ actorId: 'usr_ada', reason: 'proposer' }] as const
  const rules = { who: 'anyone', named: [], approvals: 0, independent: false, proposer_may_settle: true }
  const contents = [
    { kind: 'proposed', ...proposed, rules: settle },
    { kind: 'reviewed', verdict: 'approve', note: null },
    { kind: 'settled', ...settled, rules: settle, approvals: { ...approvals, notCounted } },
    { kind: 'superseded', supersededBy: 'another' },
  ] as const
  expect(contents.map((content) => JSON.parse(renderAct({ ...done, content })))).toEqual([
    {
      ...common,
      kind: 'proposed',
      proposed_by: 'the board',
      text: 'Move',
      assignees: ['usr_ada'],
      supersedes: null,
      review_at: '2026-03-01T09:30:00.000Z',
      rules,
    },
    { ...common, kind: 'reviewed', verdict: 'approve', note: null },
    {
      ...common,
      kind: 'settled',
      status: 'resolved',
      resolved_by: 'ada',
      resolution: 'Yes',
      rules,
      approvals: { ...approvals, not_counted: [{ actor_id: 'usr_ada', reason: 'proposer' }] },
    },
    { ...common, kind: 'superseded', superseded_by: 'another' },
  ])
})

it('an act is rendered with options, actions, edits and uses, if present', () => {
  const { settle } = DEFAULT_POLICY
  const approvals = { required: 0, given: 0, by: [], notCounted: [] }
  const options = [{ id: 'go', label: 'Go', description: null, denies: false }]
  const sent = { type: 'deploy', title: null, arguments: { b: 1, a: 2 }, digest: 'sha-256:0' }
  const edit = { arguments: { a: 3 }, digest: 'sha-256:1' }
  const rendered = (content: Act['content']) => renderAct({ ...done, content })
  const first = rendered({
    ...{ kind: 'proposed', proposedBy: 'ada', text: 'Deploy', assignees: [], supersedes: null, reviewAt: null },
    ...{ options, action: { ...sent, isEditable: true, usedBy: ['agt_bot'] }, expiresAt: done.at, rules: settle },
  })
  const second = rendered({
    ...{ kind: 'settled', status: 'resolved', resolvedBy: 'ada', resolution: 'Yes', option: 'go', edit },
    ...{ rules: settle, approvals },
  })
  const third = rendered({ kind: 'used', digest: edit.digest, rules: settle, approvals })
  expect(JSON.parse(first)).toMatchObject({
    options,
    action: { ...sent, editable: true, used_by: ['agt_bot'] },
    expires_at: '2026-03-01T09:30:00.000Z',
  })
  expect(first).toContain('"arguments":{"b":1,"a":2}')
  expect(JSON.parse(second)).toMatchObject({ option: 'go', edit })
  expect(JSON.parse(third)).toMatchObject({ kind: 'used', digest: 'sha-256:1', approvals: { given: 0 } })
})

it('a redacted act loses its texts only', () => {
  const json = (deed: object) => JSON.stringify({ ...common, ...deed })
  const settled = {
    kind: 'settled',
    status: 'resolved',
    resolved_by: 'ada',
    resolution: 'Yes',
    approvals: { given: 1 },
  }
  const rows: [object, object][] = [
    [
      { kind: 'proposed', proposed_by: 'ada', text: 'Move' },
      { text: '[redacted]', proposed_by: '[redacted]' },
    ],
    [{ kind: 'reviewed', verdict: 'approve', note: 'Good' }, { note: '[redacted]' }],
    [{ kind: 'reviewed', verdict: 'approve', note: null }, {}],
    [settled, { resolution: '[redacted]', resolved_by: '[redacted]' }],
    [{ kind: 'superseded', superseded_by: 'another' }, {}],
    [
      { kind: 'proposed', text: 'Move', proposed_by: 'ada', options: [{ id: 'go' }], action: { type: 'x' } },
      { text: '[redacted]', proposed_by: '[redacted]', options: [], action: REDACTED_ACTION },
    ],
    [
      { ...settled, option: 'go', edit: { arguments: { a: 1 }, digest: 'sha-256:1' } },
      {
        ...{ resolution: '[redacted]', resolved_by: '[redacted]', option: '[redacted]' },
        edit: { arguments: {}, digest: '[redacted]' },
      },
    ],
    [{ kind: 'used', digest: 'sha-256:1' }, { digest: '[redacted]' }],
  ]
  for (const [deed, changed] of rows) {
    expect(redactedAct(json(deed))).toBe(json({ ...deed, ...changed }))
    expect(redactedAct(redactedAct(json(deed)))).toBe(redactedAct(json(deed)))
  }
})

it('an act about the space is rendered, by an actor or by the operator', () => {
  const ofSpace = { ...done, decisionId: null }
  const policy = (approvals: number) => ({ ...DEFAULT_POLICY, settle: { ...DEFAULT_POLICY.settle, approvals } })
  const shown = (approvals: number) => ({
    settle: { who: 'anyone', named: [], approvals, independent: false, proposer_may_settle: true },
    loop_guard: { total: 0, per_agent: 0 },
  })
  const changed = { kind: 'policy_changed', before: policy(1), after: policy(0) } as const
  expect(JSON.parse(renderAct({ ...ofSpace, content: changed }))).toEqual({
    ...common,
    decision_id: null,
    kind: 'policy_changed',
    before: shown(1),
    after: shown(0),
  })
  const named = { kind: 'owners_changed', before: [], after: ['usr_ada'] } as const
  expect(JSON.parse(renderAct({ ...ofSpace, author: null, content: named }))).toEqual({
    ...common,
    decision_id: null,
    actor_id: null,
    actor_type: null,
    sponsor_id: null,
    credential_id: 'operator',
    kind: 'owners_changed',
    before: [],
    after: ['usr_ada'],
  })
})
