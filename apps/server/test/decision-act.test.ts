import { type Actor, type Client, query } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { useServer } from './support/server.js'

const here = useServer()
const there = useServer({}, here)

let ada: Actor
let bob: Actor
let scout: Actor

beforeAll(async () => {
  ;[ada, bob] = [await here.registerHuman('Ada'), await here.registerHuman('Bob')]
  scout = await here.registerAgent(ada, 'Scout')
})

const DEFAULT_RULES = { who: 'anyone', named: [], approvals: 0, independent: false, proposer_may_settle: true }

// biome-ignore lint/suspicious/noExplicitAny: acts of every kind
type Act = any

const propose = (client: Client, space: string, body: object = {}) =>
  client.post(`${space}/decisions`, { proposed_by: 'the board', text: 'Move', ...body }).expect(200)

const settlement = (status = 'resolved') => ({ resolved_by: 'the board', resolution: 'So be it', status })

const actsOf = (space: string, decision_id: string): Promise<Act[]> =>
  here.as(ada).get(`${space}/decisions/${decision_id}/acts`).expect(200)

/** Returns the decision that results from its acts. */
function replay(acts: readonly Act[]) {
  const [{ space_id, decision_id, actor_id, created_at, ...proposal }] = acts
  const decision = {
    decision_id,
    space_id,
    proposed_by: proposal.proposed_by,
    text: proposal.text,
    status: 'proposed',
    resolved_by: null,
    resolved_at: null,
    resolution: null,
    created_at,
    posted_by: actor_id,
    settled_by: null,
    assignees: proposal.assignees,
    supersedes: proposal.supersedes,
    superseded_by: null,
    review_at: proposal.review_at,
    approvals: { required: 0, given: 0, by: [] as string[], not_counted: [] as object[] },
    rules_at_proposal: proposal.rules,
    // The thread is in the history, not in the acts.
    thread_id: null,
  }
  for (const act of acts.slice(1)) apply(decision, act)
  return decision
}

function apply(decision: Act, act: Act): void {
  const { approvals } = decision
  switch (act.kind) {
    case 'reviewed': {
      const others = approvals.by.filter((approver: string) => approver !== act.actor_id)
      const isAgain = others.length < approvals.by.length
      if (act.verdict === 'reject') approvals.by = others
      else if (!isAgain) approvals.by.push(act.actor_id)
      // Ada's approval does not count, as her agent is the proposer.
      approvals.not_counted = approvals.by
        .filter((actor_id: string) => actor_id === ada.actor_id)
        .map((actor_id: string) => ({ actor_id, reason: 'proposer' }))
      approvals.given = approvals.by.length - approvals.not_counted.length
      break
    }
    case 'settled': {
      const { status, resolved_by, resolution, created_at: resolved_at, actor_id: settled_by } = act
      Object.assign(decision, { status, resolved_by, resolution, resolved_at, settled_by, approvals: act.approvals })
      break
    }
    case 'superseded':
      decision.superseded_by = act.superseded_by
  }
}

it('the acts of a decision name the actor, the credential and what each did', async () => {
  const space = await here.openSpace(ada)
  const { pat_id, token } = await here.as(bob).post('/api/personal-access-tokens', { name: 'x' }).expect(200)
  const { decision_id } = await propose(here.as(scout), space, { assignees: [bob.actor_id] })
  const decision = `${space}/decisions/${decision_id}`
  await here.as(token).post(`${decision}/reviews`, { verdict: 'reject', note: 'Why?' }).expect(200)
  await here.as(bob).post(`${decision}/reviews`, { verdict: 'approve' }).expect(200)
  await here.as(ada).put(`${decision}/resolve`, settlement()).expect(200)
  const by = ({ actor_id }: Actor, credential_id = 'api_key') => ({
    space_id: space.split('/').at(-1),
    decision_id,
    actor_id,
    actor_type: actor_id === scout.actor_id ? 'agent' : 'human',
    sponsor_id: actor_id === scout.actor_id ? ada.actor_id : null,
    credential_id,
    created_at: expect.stringMatching(TIMESTAMP),
  })
  expect(await actsOf(space, decision_id)).toEqual([
    {
      ...by(scout),
      position: 1,
      kind: 'proposed',
      proposed_by: 'the board',
      text: 'Move',
      assignees: [bob.actor_id],
      supersedes: null,
      review_at: null,
      rules: DEFAULT_RULES,
    },
    { ...by(bob, pat_id), position: 2, kind: 'reviewed', verdict: 'reject', note: 'Why?' },
    { ...by(bob), position: 3, kind: 'reviewed', verdict: 'approve', note: null },
    {
      ...by(ada),
      position: 4,
      kind: 'settled',
      ...settlement(),
      rules: DEFAULT_RULES,
      approvals: { required: 0, given: 1, by: [bob.actor_id], not_counted: [] },
    },
  ])
})

it('a superseded decision has an act by the actor that resolved its successor', async () => {
  const space = await here.openSpace(ada)
  const old = await propose(here.as(scout), space)
  const successor = await propose(here.as(scout), space, { supersedes: old.decision_id })
  await here.as(bob).put(`${space}/decisions/${successor.decision_id}/resolve`, settlement()).expect(200)
  const acts = [...(await actsOf(space, old.decision_id)), ...(await actsOf(space, successor.decision_id))]
  expect(acts.map(({ position, kind, actor_id }) => [position, kind, actor_id])).toEqual([
    [1, 'proposed', scout.actor_id],
    [4, 'superseded', bob.actor_id],
    [2, 'proposed', scout.actor_id],
    [3, 'settled', bob.actor_id],
  ])
  expect(acts[1].superseded_by).toBe(successor.decision_id)
})

it('a rejected request leaves no act', async () => {
  const space = await here.openSpace(ada)
  await here
    .as(ada)
    .put(`${space}/policy`, { settle: { who: 'humans', approvals: 1 } })
    .expect(200)
  const { decision_id } = await propose(here.as(scout), space)
  const decision = `${space}/decisions/${decision_id}`
  await here.as(scout).put(`${decision}/resolve`, settlement()).expect(403)
  await here.as(ada).put(`${decision}/resolve`, settlement()).expect(409)
  expect(await actsOf(space, decision_id)).toHaveLength(1)
})

it('GET /api/spaces/{space_id}/decisions/{decision_id}/acts returns any number of acts', async () => {
  const space = await here.openSpace(ada)
  const { decision_id } = await propose(here.as(scout), space)
  for (let n = 0; n < 45; n++) {
    const verdict = n % 2 ? 'reject' : 'approve'
    await here
      .as(bob)
      .post(`${space}/decisions/${decision_id}/reviews`, { verdict, note: `${n}` })
      .expect(200)
  }
  const acts = await actsOf(space, decision_id)
  expect(acts.slice(1).map(({ note }) => note)).toEqual(Array.from({ length: 45 }, (_, n) => `${n}`))
})

describe('the acts of a space after concurrent writes through two instances', () => {
  it('are gapless, and replay to each decision', async () => {
    const space = await here.openSpace(ada)
    const first = await propose(here.as(ada), space)
    const via = (turn: number) => (turn % 2 ? here : there)
    await Promise.all(
      Array.from({ length: 8 }, async (_, turn) => {
        const supersedes = turn < 2 ? { supersedes: first.decision_id } : {}
        const { decision_id } = await propose(via(turn).as(scout), space, {
          ...supersedes,
          review_at: '2030-01-01',
          assignees: [ada.actor_id],
        })
        const decision = `${space}/decisions/${decision_id}`
        await Promise.all([
          via(turn).as(bob).post(`${decision}/reviews`, { verdict: 'approve' }),
          via(turn + 1)
            .as(ada)
            .post(`${decision}/reviews`, { verdict: 'approve' }),
          via(turn).as(bob).post(`${decision}/reviews`, { verdict: 'reject' }),
        ])
        await Promise.all(
          ['resolved', 'rejected'].map((status) =>
            via(turn)
              .as(ada)
              .put(`${decision}/resolve`, settlement(turn < 2 ? 'resolved' : status)),
          ),
        )
      }),
    )
    const decisions = await here.as(ada).get(`${space}/decisions`).expect(200)
    expect(decisions).toHaveLength(9)
    for (const decision of decisions) expect(replay(await actsOf(space, decision.decision_id))).toEqual(decision)

    const { rows } = await query(
      here.connection,
      'SELECT position::int, wire FROM decision_acts WHERE space_id = $1 ORDER BY position',
      [space.split('/').at(-1)],
    )
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1))
    for (const { position, wire } of rows) expect(JSON.parse(wire as string).position).toBe(position)
    const of = (kind: string) => rows.filter(({ wire }) => JSON.parse(wire as string).kind === kind)
    expect([of('proposed').length, of('superseded').length]).toEqual([9, 1])
  })
})
