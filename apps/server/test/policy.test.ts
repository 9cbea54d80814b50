import { type Actor, type Answer, type Client, eventually, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { TIMESTAMP } from './support/form.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const here = useServer()
const there = useServer({}, here)

const DEFAULT = {
  settle: { who: 'anyone', named: [], approvals: 0, independent: false, proposer_may_settle: true },
  loop_guard: { total: 0, per_agent: 0 },
}

let ada: Actor
let bob: Actor
/** Ada's agents. */
let scout: Actor
let rover: Actor
/** Bob's agent. */
let aide: Actor
let ids: Readonly<Record<string, string>>

beforeAll(async () => {
  ;[ada, bob] = [await here.registerHuman('Ada'), await here.registerHuman('Bob')]
  ;[scout, rover, aide] = [
    await here.registerAgent(ada, 'Scout'),
    await here.registerAgent(ada, 'Rover'),
    await here.registerAgent(bob, 'Aide'),
  ]
  ids = { ada: ada.actor_id, bob: bob.actor_id, scout: scout.actor_id, rover: rover.actor_id, aide: aide.actor_id }
})

/** Creates a space of Ada's with a policy, and returns its path. */
async function spaceWith(policy?: object): Promise<string> {
  const space = await here.openSpace(ada)
  if (policy) await here.as(ada).put(`${space}/policy`, policy).expect(200)
  return space
}

/** Proposes a decision in a space as an agent, and returns its path. */
async function proposalIn(space: string, body: object = {}, proposer = scout): Promise<string> {
  const proposal = { proposed_by: 'zoe', text: 'Move', ...body }
  const { decision_id } = await here.as(proposer).post(`${space}/decisions`, proposal).expect(200)
  return `${space}/decisions/${decision_id}`
}

/** Settles a decision. `resolved_by` is an attribution without effect, so it is always the same. */
const settle = (client: Client, decision: string, status = 'resolved') =>
  client.put(`${decision}/resolve`, { resolved_by: 'zoe', resolution: 'So be it', status })

const approve = (client: Client, decision: string, verdict = 'approve') =>
  client.post(`${decision}/reviews`, { verdict })

async function tokenOf(human: Actor): Promise<string> {
  return (await here.as(human).post('/api/personal-access-tokens', { name: 'script' }).expect(200)).token
}

describe('GET and PUT /api/spaces/{space_id}/policy', () => {
  it('return defaults until an owner changes the policy', async () => {
    const space = await spaceWith()
    const policy = await here.as(aide).get(`${space}/policy`).expect(200)
    expect(policy).toEqual({ space_id: space.split('/').at(-1), ...DEFAULT, changed_by: null, changed_at: null })
  })

  it('change the given fields only', async () => {
    const space = await spaceWith({ settle: { who: 'named', named: [ids.bob, ids.bob], approvals: 2 } })
    const changed = await here
      .as(ada)
      .put(`${space}/policy`, { settle: { independent: true }, loop_guard: { total: 60 } })
      .expect(200)
    expect(changed).toMatchObject({
      settle: { who: 'named', named: [ids.bob], approvals: 2, independent: true, proposer_may_settle: true },
      loop_guard: { total: 60, per_agent: 0 },
      changed_by: ids.ada,
      changed_at: expect.stringMatching(TIMESTAMP),
    })
    expect(await here.as(bob).get(`${space}/policy`).expect(200)).toEqual(changed)
    expect(await here.as(ada).put(`${space}/policy`, DEFAULT).expect(200)).toMatchObject(DEFAULT)
  })

  it('return 403 for a change by callers other than owners, their agents and admins', async () => {
    const tenant = await foundTenant(here.connection)
    const [eve, admin, other] = [
      await here.registerHuman('Eve'),
      await here.registerHuman('Grace'),
      await here.registerHuman('Heidi'),
    ]
    const agent = await here.registerAgent(eve, 'Scout', EVERYTHING)
    await moveInto(here.connection, tenant, eve, agent, admin, other)
    await makeAdmin(here.connection, admin)
    for (const [creator, may] of [
      [eve, [eve, agent, admin]],
      [agent, [eve, agent, admin]],
      [other, [other, admin]],
    ] as const) {
      const space = await here.openSpace(creator)
      for (const caller of [eve, agent, admin, other]) {
        const answer = await here.as(caller).put(`${space}/policy`, { settle: { approvals: 1 } })
        if (may.includes(caller)) answer.expect(200)
        else answer.expect(403, 'Only owners of this space may do this')
      }
    }
  })

  it('return 404 for a named actor outside the tenant', async () => {
    const space = await spaceWith()
    const stranger = await here.registerHuman('Mallory')
    await moveInto(here.connection, await foundTenant(here.connection), stranger)
    for (const outsider of [UNKNOWN_ACTOR, 'zoe', stranger.actor_id]) {
      const settle = { who: 'named', named: [ids.bob, outsider] }
      await here.as(ada).put(`${space}/policy`, { settle }).expect(404, 'Actor not found')
    }
    expect(await here.as(ada).get(`${space}/policy`).expect(200)).toMatchObject(DEFAULT)
  })

  it.each([
    [{ settle: { who: 'admins' } }, /^settle\.who: must be one of anyone, humans, named$/],
    [{ settle: { who: 'named' } }, /^settle\.named: must name at least one actor if who is named$/],
    [{ settle: { named: Array(51).fill('x') } }, /^settle\.named: must have at most 50 entries$/],
    [{ settle: { approvals: 11 } }, /^settle\.approvals: must be a whole number from 0 to 10$/],
    [{ settle: { approvals: 1.5 } }, /^settle\.approvals: /],
    [{ settle: { independent: 'maybe' } }, /^settle\.independent: must be true or false$/],
    [{ settle: 'anyone' }, /^settle: must be a JSON object$/],
    [{ loop_guard: { total: 1_001 } }, /^loop_guard\.total: must be a whole number from 0 to 1000$/],
    [{ loop_guard: { per_agent: 201 } }, /^loop_guard\.per_agent: must be a whole number from 0 to 200$/],
    [{ loop_guard: { per_agent: -1 } }, /^loop_guard\.per_agent: /],
    [{ loop_guard: [] }, /^loop_guard: must be a JSON object$/],
  ])('400 names the invalid field: %#', async (policy, detail) => {
    const space = await spaceWith()
    await here.as(ada).put(`${space}/policy`, policy).expect(400, detail)
  })

  it('change a policy that names an actor who has left', async () => {
    const [cy, space] = [await here.registerHuman('Cy'), await spaceWith()]
    await here
      .as(ada)
      .put(`${space}/policy`, { settle: { who: 'named', named: [cy.actor_id] } })
      .expect(200)
    await here.as(cy).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
    const guarded = { loop_guard: { total: 60, per_agent: 15 } }
    expect(await here.as(ada).put(`${space}/policy`, guarded).expect(200)).toMatchObject({
      settle: { who: 'named', named: [cy.actor_id] },
      ...guarded,
    })
    await here
      .as(ada)
      .put(`${space}/policy`, { settle: { named: [cy.actor_id] } })
      .expect(404, 'Actor not found')
  })

  it('add the change to the security log', async () => {
    const tenant = await foundTenant(here.connection)
    const admin = await here.registerHuman('Grace')
    await moveInto(here.connection, tenant, admin)
    await makeAdmin(here.connection, admin)
    const space = await here.openSpace(admin)
    await here
      .as(admin)
      .put(`${space}/policy`, { settle: { who: 'humans' } })
      .expect(200)
    const [entry] = await here.as(admin).get('/api/audit?limit=1').expect(200)
    expect(entry).toMatchObject({
      action: 'space.policy_changed',
      actor_id: admin.actor_id,
      subject_id: space.split('/').at(-1),
      details: { before: DEFAULT, after: { ...DEFAULT, settle: { ...DEFAULT.settle, who: 'humans' } } },
    })
  })
})

const OK = 'ok'
const HUMANS = 'Only humans may settle decisions here'
const NAMED = 'Not a resolver of this space'
const PROPOSER = 'The proposer of a decision may not settle it in this space'
const MISSING = 'Needs 1 more approval'

/** Answers to callers who resolve a proposal of Scout's, each with its key and, if human, with a token. */
const TABLE: [policy: object, by: { scout: string; rover: string; aide: string; ada: string; bob: string }][] = [
  [{}, { scout: OK, rover: OK, aide: OK, ada: OK, bob: OK }],
  [{ who: 'humans' }, { scout: HUMANS, rover: HUMANS, aide: HUMANS, ada: OK, bob: OK }],
  [
    { who: 'named', named: ['bob', 'rover'] },
    { scout: NAMED, rover: OK, aide: NAMED, ada: NAMED, bob: OK },
  ],
  [
    { who: 'named', named: ['scout'] },
    { scout: OK, rover: NAMED, aide: NAMED, ada: NAMED, bob: NAMED },
  ],
  [{ proposer_may_settle: false }, { scout: PROPOSER, rover: OK, aide: OK, ada: OK, bob: OK }],
  [
    { who: 'named', named: ['scout', 'ada'], proposer_may_settle: false },
    { scout: PROPOSER, rover: NAMED, aide: NAMED, ada: OK, bob: NAMED },
  ],
  [{ approvals: 1 }, { scout: MISSING, rover: MISSING, aide: MISSING, ada: MISSING, bob: MISSING }],
  [
    { who: 'humans', approvals: 1 },
    { scout: HUMANS, rover: HUMANS, aide: HUMANS, ada: MISSING, bob: MISSING },
  ],
]

describe('the right to settle a decision', () => {
  it.each(TABLE)('follows the policy %j', async (rules, expected) => {
    const named = (rules as { named?: string[] }).named?.map((name) => ids[name])
    const space = await spaceWith({ settle: { ...rules, ...(named && { named }) } })
    const credentials: [name: keyof typeof expected, client: Client][] = [
      ['scout', here.as(scout)],
      ['rover', here.as(rover)],
      ['aide', here.as(aide)],
      ['ada', here.as(ada)],
      ['bob', here.as(bob)],
      ['ada', here.as(await tokenOf(ada))],
      ['bob', here.as(await tokenOf(bob))],
    ]
    for (const [name, client] of credentials) {
      const wanted = expected[name]
      const decision = await proposalIn(space)
      const answer = await settle(client, decision)
      if (wanted === OK) expect(answer.expect(200).settled_by).toBe(ids[name])
      else answer.expect(wanted === MISSING ? 409 : 403, wanted)
      // A rejection needs the same right, but no approval.
      const rejection = await settle(client, await proposalIn(space), 'rejected')
      if (wanted === OK || wanted === MISSING) rejection.expect(200)
      else rejection.expect(403, wanted)
    }
  })

  it('is checked after the existence of the decision, and before its status', async () => {
    const space = await spaceWith({ settle: { who: 'humans' } })
    const decision = await proposalIn(space)
    await settle(here.as(bob), decision).expect(200)
    await settle(here.as(scout), decision).expect(403, HUMANS)
    await settle(here.as(ada), decision).expect(409, 'Decision is already resolved')
    await settle(here.as(scout), `${space}/decisions/nothing`).expect(404, 'Decision not found')
  })

  it('follows the policies of now and of the time of the proposal, and none in between', async () => {
    const space = await spaceWith()
    const set = (who: string) => here.as(ada).put(`${space}/policy`, { settle: { who } }).expect(200)
    const early = await proposalIn(space)
    await set('humans')
    await settle(here.as(scout), early).expect(403, HUMANS)
    const late = await proposalIn(space)
    await set('anyone')
    await settle(here.as(scout), early).expect(200)
    await settle(here.as(scout), late).expect(403, HUMANS)
    await settle(here.as(ada), late).expect(200)
  })

  it('follows a stricter policy as soon as its change is answered', async () => {
    for (let round = 0; round < 5; round++) {
      const space = await spaceWith()
      const decisions = await Promise.all(Array.from({ length: 12 }, () => proposalIn(space)))
      let tightened = false
      const late: Promise<void>[] = decisions.map(async (decision, turn) => {
        const request = settle([here, there][turn % 2]?.as(scout) as Client, decision)
        const wasTightened = tightened
        const answer = await request
        if (wasTightened) answer.expect(403, HUMANS)
        else expect([200, 403]).toContain(answer.status)
      })
      await there
        .as(ada)
        .put(`${space}/policy`, { settle: { who: 'humans' } })
        .expect(200)
      tightened = true
      await Promise.all(late)
      await Promise.all(
        decisions.map(async (decision) => {
          const { status } = await here.as(ada).get(decision).expect(200)
          const [, settled] = await here.as(ada).get(`${decision}/acts`).expect(200)
          if (status === 'resolved') expect(settled.rules.who).toBe('anyone')
          else (await settle(here.as(scout), decision)).expect(403, HUMANS)
        }),
      )
    }
  })
})

describe('approvals', () => {
  const missing = (answer: Answer, given: number, required = 1) =>
    expect(answer.expect(409)).toEqual({
      detail: `Needs ${required - given} more ${required - given === 1 ? 'approval' : 'approvals'}`,
      error: 'approvals_missing',
      required,
      given,
    })

  it('are counted per actor', async () => {
    const decision = await proposalIn(await spaceWith({ settle: { approvals: 2 } }))
    expect((await approve(here.as(aide), decision).expect(200)).approvals).toEqual({
      required: 2,
      given: 1,
      by: [ids.aide],
      not_counted: [],
    })
    await approve(here.as(aide), decision).expect(200)
    missing(await settle(here.as(ada), decision), 1, 2)
    await approve(here.as(bob), decision).expect(200)
    expect((await settle(here.as(ada), decision).expect(200)).approvals).toEqual({
      required: 2,
      given: 2,
      by: [ids.aide, ids.bob],
      not_counted: [],
    })
  })

  it('are counted per human if they have to be independent', async () => {
    const decision = await proposalIn(await spaceWith({ settle: { approvals: 1, independent: true } }))
    for (const actor of [scout, rover, ada]) await approve(here.as(actor), decision).expect(200)
    missing(await settle(here.as(ada), decision), 0)
    await approve(here.as(aide), decision).expect(200)
    const { approvals } = await approve(here.as(bob), decision).expect(200)
    expect(approvals).toEqual({
      required: 1,
      given: 1,
      by: [ids.scout, ids.rover, ids.ada, ids.aide, ids.bob],
      not_counted: [
        ...[ids.scout, ids.rover, ids.ada].map((actor_id) => ({ actor_id, reason: 'proposer' })),
        { actor_id: ids.bob, reason: 'same_human' },
      ],
    })
    await settle(here.as(ada), decision).expect(200)
  })

  it.each([{ independent: true }, { independent: false }])(
    'do not count once their actor has left the tenant: %j',
    async (rule) => {
      const tenant = await foundTenant(here.connection)
      const [admin, grace, judy] = [
        await here.registerHuman('Admin'),
        await here.registerHuman('Grace'),
        await here.registerHuman('Judy'),
      ]
      await moveInto(here.connection, tenant, admin, grace, judy)
      await makeAdmin(here.connection, admin)
      const space = await here.openSpace(admin)
      await here
        .as(admin)
        .put(`${space}/policy`, { settle: { approvals: 1, ...rule } })
        .expect(200)
      const decision = await proposalIn(space, {}, admin)
      await approve(here.as(judy), decision).expect(200)
      await here.as(admin).delete(`/api/tenants/${tenant}/members/${judy.actor_id}`).expect(200)
      missing(await settle(here.as(grace), decision), 0)
      await approve(here.as(grace), decision).expect(200)
      const { approvals } = await settle(here.as(grace), decision).expect(200)
      expect(approvals).toEqual({
        required: 1,
        given: 1,
        by: [judy.actor_id, grace.actor_id],
        not_counted: [{ actor_id: judy.actor_id, reason: 'departed' }],
      })
    },
  )

  it('of one human and their agents are limited to 10', async () => {
    const decision = await proposalIn(await spaceWith({ settle: { approvals: 10 } }))
    for (let n = 0; n < 10; n++) await approve(here.as(await here.registerAgent(bob)), decision).expect(200)
    await approve(here.as(aide), decision).expect(
      409,
      'A decision can have at most 10 approvals of one human and their agents',
    )
    const cy = await here.registerHuman('Cy')
    expect((await approve(here.as(cy), decision).expect(200)).approvals.given).toBe(11)
  })

  it('do not count once their actor is deleted', async () => {
    const space = await spaceWith({ settle: { approvals: 1 } })
    const proposal = await proposalIn(space)
    const helper = await here.registerAgent(bob, 'Helper')
    await approve(here.as(helper), proposal).expect(200)
    await here.as(bob).delete(`/api/actors/${helper.actor_id}`).expect(200)
    expect((await settle(here.as(ada), proposal)).expect(409)).toMatchObject({ required: 1, given: 0 })
    await approve(here.as(bob), proposal).expect(200)
    await settle(here.as(ada), proposal).expect(200)
  })

  it('can be withdrawn until the decision is settled', async () => {
    const space = await spaceWith({ settle: { approvals: 1 } })
    const decision = await proposalIn(space)
    await approve(here.as(bob), decision).expect(200)
    const rejected = await approve(here.as(bob), decision, 'reject').expect(200)
    expect(rejected).toMatchObject({ status: 'proposed', approvals: { given: 0, by: [] } })
    missing(await settle(here.as(ada), decision), 0)
    await approve(here.as(bob), decision).expect(200)
    await settle(here.as(ada), decision).expect(200)
    await approve(here.as(bob), decision, 'reject').expect(409, 'Decision is already resolved')
  })

  it('of a settled decision do not change with the policy', async () => {
    const space = await spaceWith({ settle: { approvals: 1 } })
    const decision = await proposalIn(space)
    await approve(here.as(bob), decision).expect(200)
    const settled = await settle(here.as(ada), decision).expect(200)
    await here
      .as(ada)
      .put(`${space}/policy`, { settle: { approvals: 3, independent: true } })
      .expect(200)
    expect(await here.as(ada).get(decision).expect(200)).toEqual(settled)
    expect(await here.as(ada).get(`${space}/decisions`).expect(200)).toEqual([settled])
    const open = await proposalIn(space)
    const [, shown] = await here.as(ada).get(`${space}/decisions`).expect(200)
    expect(shown).toEqual(await here.as(ada).get(open).expect(200))
    expect(shown.approvals).toEqual({ required: 3, given: 0, by: [], not_counted: [] })
  })

  it('count once per actor when they are given concurrently', async () => {
    const decision = await proposalIn(await spaceWith({ settle: { approvals: 5 } }))
    const reviewers = [ada, bob, scout, rover, aide]
    await Promise.all(
      [...reviewers, ...reviewers].map((actor, turn) =>
        approve([here, there][turn % 2]?.as(actor) as Client, decision),
      ),
    )
    const { approvals } = await here.as(ada).get(decision).expect(200)
    expect(approvals.given).toBe(2)
    expect([...approvals.by].sort()).toEqual(reviewers.map(({ actor_id }) => actor_id).sort())
  })

  it.each([
    [{}, /^verdict: is required$/],
    [{ verdict: 'maybe' }, /^verdict: must be one of approve, reject$/],
    [{ verdict: 'approve', note: '' }, /^note: must not be empty$/],
    [{ verdict: 'approve', note: 'x'.repeat(2_001) }, /^note: must be at most 2,000 characters/],
  ])('400 names the invalid field: %#', async (review, detail) => {
    const decision = await proposalIn(await spaceWith())
    await here.as(bob).post(`${decision}/reviews`, review).expect(400, detail)
  })
})

describe('assignees, predecessors and dates of review', () => {
  it('are stored with the proposal', async () => {
    const space = await spaceWith()
    const first = await proposalIn(space)
    const supersedes = first.split('/').at(-1)
    const assignees = [ids.bob, ids.scout]
    const body = { assignees: [...assignees, ids.bob], supersedes, review_at: '2030-01-01T00:00:00+01:00' }
    const decision = await proposalIn(space, body)
    expect(await here.as(ada).get(decision).expect(200)).toMatchObject({
      assignees,
      supersedes,
      superseded_by: null,
      review_at: '2029-12-31T23:00:00.000Z',
    })
  })

  it('a successor supersedes a decision when it is resolved, not when it is rejected', async () => {
    const space = await spaceWith()
    const old = await proposalIn(space)
    await settle(here.as(ada), old).expect(200)
    const supersedes = old.split('/').at(-1)
    const [rejected, resolved, late] = [
      await proposalIn(space, { supersedes }),
      await proposalIn(space, { supersedes }),
      await proposalIn(space, { supersedes: supersedes?.toUpperCase() }),
    ]
    await settle(here.as(ada), rejected, 'rejected').expect(200)
    expect((await here.as(ada).get(old).expect(200)).superseded_by).toBeNull()
    const { decision_id } = await settle(here.as(ada), resolved).expect(200)
    expect(await here.as(ada).get(old).expect(200)).toMatchObject({ status: 'resolved', superseded_by: decision_id })
    await settle(here.as(ada), late).expect(409, 'Decision is already superseded')
    await settle(here.as(ada), late, 'rejected').expect(200)
    await here
      .as(scout)
      .post(`${space}/decisions`, { proposed_by: 'x', text: 'x', supersedes })
      .expect(409, 'Decision is already superseded')
  })

  it('only one of two concurrent successors is resolved', async () => {
    for (let round = 0; round < 5; round++) {
      const space = await spaceWith()
      const supersedes = (await proposalIn(space)).split('/').at(-1)
      const rivals = [await proposalIn(space, { supersedes }), await proposalIn(space, { supersedes })]
      const answers = await Promise.all(
        rivals.map((rival, turn) => settle([here, there][turn]?.as(ada) as Client, rival)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const won = answers.find(({ status }) => status === 200)?.body
      const old = await here.as(ada).get(`${space}/decisions/${supersedes}`).expect(200)
      expect(old.superseded_by).toBe(won.decision_id)
    }
  })

  it('a proposal that is superseded cannot be resolved', async () => {
    const space = await spaceWith()
    const draft = await proposalIn(space)
    await settle(here.as(ada), await proposalIn(space, { supersedes: draft.split('/').at(-1) })).expect(200)
    await settle(here.as(ada), draft).expect(409, 'Decision is already superseded')
    await settle(here.as(ada), draft, 'rejected').expect(200)
  })

  it('are refused from outside the tenant or the space', async () => {
    const space = await spaceWith()
    const elsewhere = (await proposalIn(await spaceWith())).split('/').at(-1)
    const propose = (body: object) =>
      here.as(scout).post(`${space}/decisions`, { proposed_by: 'x', text: 'x', ...body })
    await propose({ assignees: [UNKNOWN_ACTOR] }).expect(404, 'Actor not found')
    for (const supersedes of [elsewhere, 'nothing']) await propose({ supersedes }).expect(404, 'Decision not found')
    await propose({ assignees: Array(21).fill(ids.bob) }).expect(400, /^assignees: must have at most 20 entries$/)
    await propose({ review_at: 'soon' }).expect(400, /^review_at: must be an ISO 8601 timestamp/)
  })

  it('are returned unchanged for a retry of the proposal', async () => {
    const space = await spaceWith()
    const body = { proposed_by: 'x', text: 'x', assignees: [ids.bob], review_at: '2030-01-01' }
    const extras = { headers: { 'Idempotency-Key': 'k' } }
    const first = await here.as(scout).post(`${space}/decisions`, body, extras).expect(200)
    const decision = `${space}/decisions/${first.decision_id}`
    await approve(here.as(bob), decision).expect(200)
    await settle(here.as(bob), decision).expect(200)
    expect(await here.as(scout).post(`${space}/decisions`, body, extras).expect(200)).toEqual(first)
  })
})

describe('the inbox', () => {
  const inboxOf = (actor: Actor, query = '') => here.as(actor).get(`/api/actors/me/inbox${query}`).expect(200)

  it('lists an assigned decision until it is settled, with a notice that ends a long poll', async () => {
    const eve = await here.registerHuman('Eve')
    const space = await spaceWith({ settle: { approvals: 1 } })
    const longPoll = there.as(eve).get('/api/actors/me/inbox?wait=20')
    const decision = await proposalIn(space, { assignees: [eve.actor_id, ids.scout] })
    const { decision_id } = await here.as(eve).get(decision).expect(200)
    const { notices } = await longPoll.expect(200)
    expect(notices).toMatchObject([{ kind: 'decision_assigned', details: { decision_id } }])
    const { decisions, counts } = await inboxOf(eve)
    expect(decisions).toEqual([await here.as(eve).get(decision).expect(200)])
    expect(counts.decisions).toBe(1)
    expect((await inboxOf(eve, `?space_id=${space.split('/').at(-1)}`)).decisions).toHaveLength(1)
    const elsewhere = (await spaceWith()).split('/').at(-1)
    expect((await inboxOf(eve, `?space_id=${elsewhere}`)).decisions).toEqual([])
    await settle(here.as(eve), decision, 'rejected').expect(200)
    expect((await inboxOf(eve)).decisions).toEqual([])
  })

  it('has a notice of a decision that is due for review, unless it was rejected', async () => {
    const eve = await here.registerHuman('Eve')
    const space = await spaceWith()
    const due = { assignees: [eve.actor_id], review_at: '2020-01-01' }
    const longPoll = here.as(eve).get('/api/actors/me/inbox?wait=20')
    const rejected = await proposalIn(space, { assignees: [], review_at: '2099-01-01' })
    await settle(here.as(ada), rejected, 'rejected').expect(200)
    const decision = await proposalIn(space, due)
    await longPoll.expect(200)
    await eventually(async () => (await inboxOf(eve)).notices.length === 2)
    const { notices } = await inboxOf(eve)
    const { decision_id } = await here.as(eve).get(decision).expect(200)
    expect(notices.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['decision_assigned', 'review_due'])
    for (const { details } of notices) expect(details).toEqual({ decision_id })
    expect((await inboxOf(scout)).notices).toMatchObject([{ kind: 'review_due', details: { decision_id } }])
  })
})
