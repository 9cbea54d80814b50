import { type Actor, type Client, eventually, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { operatorOf } from './support/operator.js'
import { Receiver } from './support/receiver.js'
import { useServer } from './support/server.js'

const h = useServer()
const operate = operatorOf(h)

interface Rules {
  readonly who?: 'anyone' | 'humans' | 'named'
  readonly named?: readonly string[]
  readonly approvals?: number
  readonly independent?: boolean
  readonly proposer_may_settle?: boolean
}

const NONE = { who: 'anyone', named: [], approvals: 0, independent: false, proposer_may_settle: true } as const

let ada: Actor
/** Ada's agent, which proposes. */
let scout: Actor
let rover: Actor
let bob: Actor
/** Bob's agent. */
let aide: Actor
/** The settler, who approves nothing. */
let judge: Actor

beforeAll(async () => {
  ;[ada, bob, judge] = [await h.registerHuman('Ada'), await h.registerHuman('Bob'), await h.registerHuman('Judge')]
  ;[scout, rover, aide] = [
    await h.registerAgent(ada, 'Scout'),
    await h.registerAgent(ada, 'Rover'),
    await h.registerAgent(bob, 'Aide'),
  ]
})

const setRules = (space: string, rules: Rules) =>
  h
    .as(ada)
    .put(`${space}/policy`, { settle: { ...NONE, ...rules } })
    .expect(200)

async function proposalIn(space: string, proposer = scout): Promise<string> {
  const proposal = { proposed_by: 'zoe', text: 'Move' }
  const { decision_id } = await h.as(proposer).post(`${space}/decisions`, proposal).expect(200)
  return `${space}/decisions/${decision_id}`
}

const settle = (client: Client, decision: string, status = 'resolved') =>
  client.put(`${decision}/resolve`, { resolved_by: 'zoe', resolution: 'So be it', status })

const approve = (client: Client, decision: string) =>
  client.post(`${decision}/reviews`, { verdict: 'approve' }).expect(200)

describe('the approvals of a decision', () => {
  const RULES: readonly Rules[] = [{}, { approvals: 2 }, { approvals: 1, independent: true }]
  const PAIRS = RULES.flatMap((then) => RULES.map((now) => [then, now] as const))

  /** Actors who approve, each with the reason why it does not count, or null. */
  type Approvers = readonly (readonly [Actor, string | null])[]

  it('count by the stricter of the rules at proposal and settlement, for active actors only', async () => {
    const [stopped, disabled, departed, deleted] = [
      await h.registerAgent(bob, 'Stopped'),
      await h.registerHuman('Disabled'),
      await h.registerHuman('Departed'),
      await h.registerHuman('Deleted'),
    ]
    const table: readonly Approvers[] = [
      [
        [scout, 'proposer'],
        [rover, 'proposer'],
        [ada, 'proposer'],
        [bob, null],
      ],
      [
        [aide, null],
        [bob, 'same_human'],
      ],
      [
        [stopped, 'stopped'],
        [disabled, 'disabled'],
        [departed, 'departed'],
        [deleted, 'deleted'],
        [judge, null],
      ],
    ]
    const spaces: { then: Rules; now: Rules; decisions: { decision: string; approvers: Approvers }[] }[] = []
    for (const [then, now] of PAIRS) {
      const space = await h.openSpace(ada)
      await setRules(space, then)
      const decisions = await Promise.all(
        table.map(async (approvers) => {
          const decision = await proposalIn(space)
          for (const [actor] of approvers) await approve(h.as(actor), decision)
          return { decision, approvers }
        }),
      )
      await setRules(space, now)
      spaces.push({ then, now, decisions })
    }
    await h.as(bob).post(`/api/actors/${stopped.actor_id}/stop`).expect(200)
    await operate('actor', 'disable', disabled.actor_id)
    await h.as(departed).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
    await h.as(deleted).delete(`/api/actors/${deleted.actor_id}`).expect(200)

    for (const { then, now, decisions } of spaces) {
      const required = Math.max(then.approvals ?? 0, now.approvals ?? 0)
      const isIndependent = then.independent || now.independent
      for (const { decision, approvers } of decisions) {
        const not_counted = approvers
          .filter(([, reason]) => reason !== null && (reason !== 'same_human' || isIndependent))
          .map(([{ actor_id }, reason]) => ({ actor_id, reason }))
        const by = approvers.map(([{ actor_id }]) => actor_id)
        const approvals = { required, given: by.length - not_counted.length, by, not_counted }
        const context = JSON.stringify({ then, now })
        expect((await h.as(judge).get(decision).expect(200)).approvals, context).toEqual(approvals)
        const answer = await settle(h.as(judge), decision)
        expect(answer.status, context).toBe(approvals.given < required ? 409 : 200)
        if (answer.status === 200) expect(answer.body.approvals).toEqual(approvals)
        else expect(answer.body).toMatchObject({ error: 'approvals_missing', required, given: approvals.given })
      }
    }
  })

  it('are the same in the list, and do not change after the settlement', async () => {
    const space = await h.openSpace(ada)
    await setRules(space, { approvals: 1 })
    const decision = await proposalIn(space, ada)
    const helper = await h.registerAgent(judge, 'Helper')
    for (const actor of [rover, helper, bob]) await approve(h.as(actor), decision)
    const stop = (verb: string) => h.as(judge).post(`/api/actors/${helper.actor_id}/${verb}`).expect(200)
    await stop('stop')
    const [listed] = await h.as(bob).get(`${space}/decisions`).expect(200)
    expect(listed).toEqual(await h.as(bob).get(decision).expect(200))
    expect(listed.approvals).toEqual({
      required: 1,
      given: 1,
      by: [rover.actor_id, helper.actor_id, bob.actor_id],
      not_counted: [
        { actor_id: rover.actor_id, reason: 'proposer' },
        { actor_id: helper.actor_id, reason: 'stopped' },
      ],
    })
    const settled = await settle(h.as(ada), decision).expect(200)
    expect(settled.approvals).toEqual(listed.approvals)
    expect((await h.as(bob).get(`${decision}/acts`).expect(200)).at(-1).approvals).toEqual(listed.approvals)
    await stop('start')
    expect(await h.as(bob).get(decision).expect(200)).toEqual(settled)
    expect(await h.as(bob).get(`${space}/decisions`).expect(200)).toEqual([settled])
  })
})

describe('the settler of a decision', () => {
  const HUMANS = 'Only humans may settle decisions here'
  const NAMED = 'Not a resolver of this space'
  const PROPOSER = 'The proposer of a decision may not settle it in this space'

  it('must be allowed by the rules at the proposal and at the settlement', async () => {
    /** Rules, and the errors for Scout, who proposes, Bob and Aide. */
    const table: readonly [rules: Rules, scout: string | null, bob: string | null, aide: string | null][] = [
      [{}, null, null, null],
      [{ who: 'humans' }, HUMANS, null, HUMANS],
      [{ who: 'named', named: [aide.actor_id] }, NAMED, NAMED, null],
      [{ proposer_may_settle: false }, PROPOSER, null, null],
    ]
    for (const [then, ...thenRefused] of table) {
      for (const [now, ...nowRefused] of table) {
        const space = await h.openSpace(ada)
        await setRules(space, then)
        const decisions = await Promise.all([0, 1, 2].map(() => proposalIn(space)))
        await setRules(space, now)
        for (const [index, settler] of [scout, bob, aide].entries()) {
          const refusals = [thenRefused[index], nowRefused[index]].filter(Boolean)
          const status = index === 0 ? 'rejected' : 'resolved'
          const answer = await settle(h.as(settler), decisions[index] as string, status)
          const context = JSON.stringify({ then, now, settler: settler.display_name })
          expect(answer.status, context).toBe(refusals.length > 0 ? 403 : 200)
          if (refusals.length > 0) expect(refusals, context).toContain(answer.body.detail)
        }
      }
    }
  })
})

describe('required approvals are not bypassed by', () => {
  it("an agent with the approvals of its sponsor and of the sponsor's other agent", async () => {
    const space = await h.openSpace(ada)
    await setRules(space, { approvals: 1 })
    const decision = await proposalIn(space)
    for (const actor of [scout, rover, ada]) await approve(h.as(actor), decision)
    for (const actor of [scout, rover, ada]) await settle(h.as(actor), decision).expect(409, 'Needs 1 more approval')
    await approve(h.as(aide), decision)
    await settle(h.as(scout), decision).expect(200)
  })

  it('an owner who lowers them for the settlement', async () => {
    const space = await h.openSpace(ada)
    await setRules(space, { approvals: 1 })
    const decision = await proposalIn(space, ada)
    await setRules(space, { approvals: 0 })
    await settle(h.as(ada), decision).expect(409, 'Needs 1 more approval')
    await setRules(space, { approvals: 1 })
    const { approvals, rules_at_proposal } = await h.as(ada).get(decision).expect(200)
    expect([approvals.required, rules_at_proposal.approvals]).toEqual([1, 1])
    const acts = await h.as(bob).get(`${space}/acts?about=space`).expect(200)
    expect(
      acts.map(({ before, after }: Record<string, { settle: Rules }>) => [
        before?.settle.approvals,
        after?.settle.approvals,
      ]),
    ).toEqual([
      [0, 1],
      [1, 0],
      [0, 1],
    ])
  })
})

describe('GET /api/spaces/{space_id}/acts', () => {
  it('returns the acts about the space and its decisions, in order or by subject', async () => {
    const space = await h.openSpace(ada)
    const changed = await setRules(space, { approvals: 1 })
    const decision = await proposalIn(space)
    await h
      .as(ada)
      .put(`${space}/policy`, { loop_guard: { total: 60 } })
      .expect(200)
    const acts = await h.as(aide).get(`${space}/acts`).expect(200)
    const guard = (total: number) => ({ total, per_agent: 0 })
    const policyOf = (approvals: number, total = 0) => ({ settle: { ...NONE, approvals }, loop_guard: guard(total) })
    const common = {
      space_id: spaceIdOf(space),
      decision_id: null,
      kind: 'policy_changed',
      actor_id: ada.actor_id,
      actor_type: 'human',
      sponsor_id: null,
      credential_id: 'api_key',
      created_at: expect.stringMatching(TIMESTAMP),
    }
    const [proposed] = await h.as(aide).get(`${decision}/acts`).expect(200)
    expect(acts).toEqual([
      { ...common, position: 1, created_at: changed.changed_at, before: policyOf(0), after: policyOf(1) },
      proposed,
      { ...common, position: 3, before: policyOf(1), after: policyOf(1, 60) },
    ])
    expect(proposed).toMatchObject({ position: 2, rules: { ...NONE, approvals: 1 } })
    expect(await h.as(aide).get(`${space}/acts?about=space`).expect(200)).toEqual([acts[0], acts[2]])
    expect(await h.as(aide).get(`${space}/acts?about=decisions`).expect(200)).toEqual([proposed])
  })

  it('returns 404 for an unknown space, 400 for an unknown subject', async () => {
    await h.as(ada).get('/api/spaces/nothing/acts').expect(404, 'Space not found')
    const space = await h.openSpace(ada)
    await h.as(ada).get(`${space}/acts?about=events`).expect(400, 'about: must be one of space, decisions')
    expect(await h.as(ada).get(`${space}/acts`).expect(200)).toEqual([])
  })

  it('returns acts of which webhooks get those of decisions only, without a lag after policy changes', async () => {
    const space = await h.openSpace(ada)
    const receiver = await Receiver.listen()
    const webhook = { url: receiver.url(), space_id: spaceIdOf(space), types: ['decision.changed'] }
    const { webhook_id, secret } = await h.as(ada).post('/api/webhooks', webhook).expect(200)
    receiver.secrets.set(webhook_id, secret)
    const lag = async () => (await h.as(ada).get(`/api/webhooks/${webhook_id}`).expect(200)).lag
    await setRules(space, { approvals: 1 })
    expect(await lag()).toBe(0)
    await proposalIn(space)
    await setRules(space, { approvals: 2 })
    await eventually(async () => (await lag()) === 0)
    const acts = receiver.received.filter(({ type }) => type === 'decision.changed').flatMap(({ data }) => data.acts)
    expect(acts.map(({ kind }) => kind)).toEqual(['proposed'])
  })
})
