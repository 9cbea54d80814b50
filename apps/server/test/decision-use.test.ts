import { createHash } from 'node:crypto'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { type Actor, type Client, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'

const here = useServer()
const there = useServer({}, here)
const operate = operatorOf(here)

let ada: Actor
let bob: Actor
/** Ada's agent, which proposes and uses. */
let scout: Actor

beforeAll(async () => {
  ;[ada, bob] = [await here.registerHuman('Ada'), await here.registerHuman('Bob')]
  scout = await here.registerAgent(ada, 'Scout')
})

const ACTION = { type: 'deploy', arguments: { service: 'shop', version: 82 } }
const digestOf = (canonical: string) => `sha-256:${createHash('sha256').update(canonical).digest('hex')}`
const DIGEST = digestOf('{"arguments":{"service":"shop","version":82},"type":"deploy"}')

const OPTIONS = [
  { id: 'go', label: 'Deploy' },
  { id: 'no', label: 'Do not deploy', denies: true },
]

const proposal = (extra: object = {}) => ({ proposed_by: 'Scout', text: 'Deploy 82', action: ACTION, ...extra })

/** Proposes as Scout, and returns the path of the decision. */
async function propose(space: string, extra: object = {}): Promise<string> {
  const { decision_id } = await here.as(scout).post(`${space}/decisions`, proposal(extra)).expect(200)
  return `${space}/decisions/${decision_id}`
}

const settle = (client: Client, decision: string, extra: object = {}) =>
  client.put(`${decision}/resolve`, { resolved_by: 'Bob', resolution: 'So be it', status: 'resolved', ...extra })

async function approved(space: string, extra: object = {}, choice: object = {}): Promise<string> {
  const decision = await propose(space, extra)
  await settle(here.as(bob), decision, choice).expect(200)
  return decision
}

const use = (client: Client, decision: string, digest = DIGEST, key?: string) =>
  client.post(`${decision}/use`, { digest }, key === undefined ? {} : { headers: { 'Idempotency-Key': key } })

const actsOf = (decision: string) => here.as(ada).get(`${decision}/acts`).expect(200)

/** Expires a decision, by default now by the clock of the database. */
const expire = (decision: string, at = 'clock_timestamp()') =>
  query(here.connection, `UPDATE decisions SET expires_at = ${at} WHERE decision_id = $1`, [
    decision.split('/').at(-1) as string,
  ])

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe('a proposal with options and an action', () => {
  it('is returned, listed and recorded with them and the digest of the action', async () => {
    const space = await here.openSpace(ada)
    const expires_at = inDays(1)
    const action = { ...ACTION, title: 'Deploy the shop', editable: true, used_by: [bob.actor_id] }
    const sent = proposal({ options: OPTIONS, action, expires_at })
    const decision = await here.as(scout).post(`${space}/decisions`, sent).expect(200)
    const options = [
      { id: 'go', label: 'Deploy', description: null, denies: false },
      { id: 'no', label: 'Do not deploy', description: null, denies: true },
    ]
    const shown = { options, action: { ...action, digest: DIGEST }, expires_at }
    const unsettled = { option: null, edit: null, used_by: null, used_at: null, is_expired: false }
    expect(decision).toMatchObject({ ...shown, ...unsettled })
    expect(await here.as(ada).get(`${space}/decisions`).expect(200)).toEqual([decision])
    const path = `${space}/decisions/${decision.decision_id}`
    expect(await here.as(ada).get(path).expect(200)).toEqual(decision)
    expect(await actsOf(path)).toMatchObject([{ kind: 'proposed', ...shown }])
  })

  it('keeps the arguments in the order they were sent in', async () => {
    const space = await here.openSpace(ada)
    const decision = await propose(space, { action: { type: 'x', arguments: { b: 1, a: { d: 2, c: 3 } } } })
    const { action } = await here.as(ada).get(decision).expect(200)
    expect(JSON.stringify(action.arguments)).toBe('{"b":1,"a":{"d":2,"c":3}}')
  })

  it('has no new field without them', async () => {
    const space = await here.openSpace(ada)
    const bare = await here.as(scout).post(`${space}/decisions`, { proposed_by: 'Scout', text: 'Move' }).expect(200)
    const fields = ['options', 'option', 'action', 'edit', 'used_by', 'used_at', 'expires_at', 'is_expired']
    const settled = await settle(here.as(bob), `${space}/decisions/${bare.decision_id}`).expect(200)
    const acts = await actsOf(`${space}/decisions/${bare.decision_id}`)
    for (const shown of [bare, settled, ...acts]) {
      expect(Object.keys(shown).filter((field) => fields.includes(field))).toEqual([])
    }
  })

  it.each([
    [{ options: OPTIONS.slice(0, 1) }, /^options: must have at least 2 entries/],
    [
      { options: Array.from({ length: 11 }, (_, n) => ({ id: `o${n}`, label: 'x' })) },
      /^options: must have at most 10/,
    ],
    [{ options: [OPTIONS[0], OPTIONS[0]] }, /^options: must have different ids/],
    [{ options: [{ id: 'a b', label: 'x' }, OPTIONS[0]] }, /^options\.0\.id: must consist of letters/],
    [{ options: [{ id: 'x'.repeat(65), label: 'x' }, OPTIONS[0]] }, /^options\.0\.id: must be at most 64/],
    [{ options: [{ id: 'x', label: 'x'.repeat(101) }, OPTIONS[0]] }, /^options\.0\.label: must be at most 100/],
    [{ action: { ...ACTION, type: '' } }, /^action\.type: must not be empty/],
    [{ action: { type: 'x' } }, /^action\.arguments: is required/],
    [{ action: { type: 'x', arguments: [] } }, /^action\.arguments: must be a JSON object/],
    [
      { action: { type: 'x', arguments: { x: 'x'.repeat(65_536) } } },
      /^action\.arguments: must be at most 65536 bytes/,
    ],
    [{ action: { ...ACTION, digest: `${DIGEST.slice(0, -1)}x` } }, /^action\.digest: is not that of the action/],
    [{ action: { ...ACTION, used_by: Array(11).fill('x') } }, /^action\.used_by: must have at most 10 entries/],
    [{ expires_at: '2020-01-01' }, /^expires_at: must be in the future/],
    [{ expires_at: inDays(91) }, /^expires_at: must be at most 90 days from now/],
  ])('returns 400 naming the invalid field: %#', async (extra, detail) => {
    const space = await here.openSpace(ada)
    await here.as(scout).post(`${space}/decisions`, proposal(extra)).expect(400, detail)
  })

  it('returns 400 for a number that would lose digits, and 404 for an unknown actor', async () => {
    const space = await here.openSpace(ada)
    const raw = JSON.stringify(proposal()).replace('82}', '9007199254740993}')
    await here
      .as(scout)
      .post(`${space}/decisions`, raw)
      .expect(400, /^action.*: has a number that loses digits/)
    const stranger = { action: { ...ACTION, used_by: ['usr_nobody'] } }
    await here.as(scout).post(`${space}/decisions`, proposal(stranger)).expect(404, 'Actor not found')
    await here.as(ada).patch(space, { status: 'paused' }).expect(200)
    const late = proposal({ ...stranger, expires_at: '2020-01-01' })
    await here.as(scout).post(`${space}/decisions`, late).expect(400, 'expires_at: must be in the future')
  })
})

describe('a resolution', () => {
  it('chooses an option, which is recorded', async () => {
    const space = await here.openSpace(ada)
    const decision = await propose(space, { options: OPTIONS })
    await settle(here.as(bob), decision).expect(400, 'option: is required: one of go, no')
    await settle(here.as(bob), decision, { option: 'maybe' }).expect(400, 'option: must be one of go, no')
    expect(await settle(here.as(bob), decision, { option: 'go' }).expect(200)).toMatchObject({ option: 'go' })
    expect((await actsOf(decision)).at(-1)).toMatchObject({ kind: 'settled', option: 'go' })
  })

  it('edits the arguments of an editable action, and only the edited ones can be used', async () => {
    const space = await here.openSpace(ada)
    const edited = { service: 'shop', version: 81 }
    const fixed = await propose(space)
    await settle(here.as(bob), fixed, { arguments: edited }).expect(400, /^arguments: this decision has no action/)
    const decision = await propose(space, { action: { ...ACTION, editable: true } })
    const digest = digestOf('{"arguments":{"service":"shop","version":81},"type":"deploy"}')
    const edit = { arguments: edited, digest }
    expect(await settle(here.as(bob), decision, { arguments: edited }).expect(200)).toMatchObject({
      action: { arguments: ACTION.arguments, digest: DIGEST },
      edit,
    })
    expect((await actsOf(decision)).at(-1)).toMatchObject({ kind: 'settled', edit })
    const refusal = await use(here.as(scout), decision).expect(409, /^This is not the action that was approved/)
    expect(refusal).toMatchObject({ error: 'digest_mismatch', digest })
    await use(here.as(scout), decision, digest).expect(200)
  })

  it('has no edit when the arguments are equal', async () => {
    const space = await here.openSpace(ada)
    const decision = await propose(space, { action: { ...ACTION, editable: true } })
    const same = { arguments: { version: 82, service: 'shop' } }
    expect(await settle(here.as(bob), decision, same).expect(200)).toMatchObject({ edit: null })
    await use(here.as(scout), decision).expect(200)
  })
})

describe('POST /api/spaces/{space_id}/decisions/{decision_id}/use', () => {
  it('succeeds once on all servers, with one act', async () => {
    const decision = await approved(await here.openSpace(ada))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => use((n % 2 ? here : there).as(scout), decision)),
    )
    const used = answers.filter(({ status }) => status === 200)
    expect(used).toHaveLength(1)
    const { used_at, receipt_ready_after, decision: shown } = used[0]?.body ?? {}
    expect(shown).toMatchObject({ used_by: scout.actor_id, used_at, status: 'resolved' })
    expect(used_at).toMatch(TIMESTAMP)
    expect(Date.parse(receipt_ready_after) - Date.parse(used_at)).toBe(2_000)
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body]).toEqual([
        409,
        {
          detail: `Decision was already used, at ${used_at}`,
          error: 'decision_used',
          ...{ used_by: scout.actor_id, used_at },
        },
      ])
    }
    const acts = await actsOf(decision)
    expect(acts.map(({ kind }: { kind: string }) => kind)).toEqual(['proposed', 'settled', 'used'])
    expect(acts[2]).toMatchObject({
      actor_id: scout.actor_id,
      credential_id: 'api_key',
      created_at: used_at,
      digest: DIGEST,
      approvals: { required: 0 },
    })
    expect(await here.as(ada).get(decision).expect(200)).toEqual(shown)
  })

  it('requires the proposer, its sponsor or a named actor, and the scope write', async () => {
    const space = await here.openSpace(ada)
    const eve = await here.registerHuman('Eve')
    const only = /^Only the proposer of a decision/
    await use(here.as(ada), await approved(space)).expect(200)
    await use(here.as(eve), await approved(space, { action: { ...ACTION, used_by: [eve.actor_id] } })).expect(200)
    const decision = await approved(space)
    await use(here.as(bob), decision).expect(403, only)
    await use(here.as(eve), decision).expect(403, only)
    await here.as(scout).post(`${space}/decisions/nothing/use`, { digest: DIGEST }).expect(404, 'Decision not found')
    const settling = { name: 'x', scopes: ['read', 'settle'] }
    const { token } = await here.as(ada).post('/api/personal-access-tokens', settling).expect(200)
    await use(here.as(token), decision).expect(403, /scope/)
  })

  it('returns 409 with the reason', async () => {
    const space = await here.openSpace(ada)
    const refused = async (decision: string, error: string, digest?: string) =>
      expect((await use(here.as(scout), decision, digest).expect(409)).error).toBe(error)
    const open = await propose(space)
    await refused(open, 'decision_open')
    await settle(here.as(bob), open, { status: 'rejected' }).expect(200)
    await refused(open, 'decision_rejected')
    await refused(await approved(space, { options: OPTIONS }, { option: 'no' }), 'decision_denied')
    await use(here.as(scout), await approved(space, { options: OPTIONS }, { option: 'go' })).expect(200)
    await refused(await approved(space, { action: undefined }), 'no_action')
    const former = await approved(space)
    await approved(space, { supersedes: former.split('/').at(-1) })
    await refused(former, 'superseded')
  })

  it('succeeds in any status of the space, and with a claim that is still held', async () => {
    const space = await here.openSpace(ada)
    const decision = await approved(space)
    const decision_id = decision.split('/').at(-1)
    const { claim_id, fence } = await here.as(scout).post(`${space}/claims`, { decision_id }).expect(200)
    await here.as(ada).post(`${space}/archive`).expect(200)
    const held = { digest: DIGEST, claim: { claim_id, fence } }
    const lost = { digest: DIGEST, claim: { claim_id, fence: fence + 1 } }
    expect((await here.as(scout).post(`${decision}/use`, lost).expect(409)).error).toBe('claim_lost')
    await here.as(scout).post(`${decision}/use`, held).expect(200)
  })
})

describe('the digest of a use', () => {
  const SAME: readonly [string, string][] = [
    ['another order of keys', '{"arguments":{"b":[1,{"y":1,"x":2}],"a":"é"},"type":"t.x"}'],
    ['another form of a number', '{"type":"t.x","arguments":{"a":"é","b":[1.0,{"x":2e0,"y":10e-1}]}}'],
    ['an escaped character', '{"type":"t.x","arguments":{"\\u0061":"\\u00e9","b":[1,{"x":2,"y":1}]}}'],
  ]
  const OTHER: readonly [string, string][] = [
    ['an argument', '{"type":"t.x","arguments":{"a":"é","b":[1,{"x":2,"y":10}]}}'],
    ['a key', '{"type":"t.x","arguments":{"a":"é","b":[1,{"x":2,"Y":1}]}}'],
    ['the order of a list', '{"type":"t.x","arguments":{"a":"é","b":[{"x":2,"y":1},1]}}'],
    ['a number as a string', '{"type":"t.x","arguments":{"a":"é","b":["1",{"x":2,"y":1}]}}'],
    ['another Unicode form', '{"type":"t.x","arguments":{"a":"e\u0301","b":[1,{"x":2,"y":1}]}}'],
    ['a space', '{"type":"t.x","arguments":{"a":"é ","b":[1,{"x":2,"y":1}]}}'],
    ['an added key', '{"type":"t.x","arguments":{"a":"é","b":[1,{"x":2,"y":1}],"c":null}}'],
    ['the type', '{"type":"t.X","arguments":{"a":"é","b":[1,{"x":2,"y":1}]}}'],
  ]
  const action = { type: 't.x', arguments: { a: 'é', b: [1, { x: 2, y: 1 }] } }

  /** Returns the digest that the server computes for an action's exact text. */
  async function digestOfText(space: string, text: string): Promise<string> {
    const raw = `{"proposed_by":"x","text":"x","action":${text}}`
    return (await here.as(scout).post(`${space}/decisions`, raw).expect(200)).action.digest
  }

  it.each(SAME)('equals the digest of the action despite %s', async (_, text) => {
    const space = await here.openSpace(ada)
    await use(here.as(scout), await approved(space, { action }), await digestOfText(space, text)).expect(200)
  })

  it.each(OTHER)('is rejected when it differs in %s', async (_, text) => {
    const space = await here.openSpace(ada)
    const decision = await approved(space, { action })
    const refusal = await use(here.as(scout), decision, await digestOfText(space, text)).expect(409)
    expect(refusal.error).toBe('digest_mismatch')
    await use(here.as(scout), decision, refusal.digest).expect(200)
  })

  it.each(['', DIGEST.toUpperCase(), DIGEST.slice(0, -1), ` ${DIGEST}`])('cannot be "%s"', async (digest) => {
    const decision = await approved(await here.openSpace(ada))
    await use(here.as(scout), decision, digest).expect(400, /^digest: must be sha-256: and 64 hexadecimal digits/)
  })
})

describe('the Idempotency-Key of a use', () => {
  it('returns the first response again, on any server, even after the decision is superseded', async () => {
    const space = await here.openSpace(ada)
    const decision = await approved(space, { expires_at: inDays(1) })
    const first = await use(here.as(scout), decision, DIGEST, 'k').expect(200)
    expect(await use(there.as(scout), decision, DIGEST, 'k').expect(200)).toEqual(first)
    await approved(space, { supersedes: decision.split('/').at(-1) })
    expect(await use(there.as(scout), decision, DIGEST, 'k').expect(200)).toEqual(first)
    for (const key of [undefined, 'another']) {
      expect((await use(here.as(scout), decision, DIGEST, key).expect(409)).error).toBe('decision_used')
    }
    expect((await use(here.as(ada), decision, DIGEST, 'k').expect(409)).error).toBe('decision_used')
    expect((await actsOf(decision)).filter(({ kind }: { kind: string }) => kind === 'used')).toHaveLength(1)
  })

  it('is bound to one use, and stays unused after a rejected one', async () => {
    const space = await here.openSpace(ada)
    const open = await propose(space)
    await use(here.as(scout), open, DIGEST, 'k').expect(409)
    await settle(here.as(bob), open).expect(200)
    await use(here.as(scout), open, DIGEST, 'k').expect(200)
    const reused = /^Idempotency-Key was already used with a different request/
    await use(here.as(scout), open, digestOf('another'), 'k').expect(409, reused)
    await use(here.as(scout), await approved(space), DIGEST, 'k').expect(409, reused)
  })
})

describe('an expired decision', () => {
  it('cannot be resolved or used, but can be rejected', async () => {
    const space = await here.openSpace(ada)
    const [open, resolved] = [
      await propose(space, { expires_at: inDays(1) }),
      await approved(space, { expires_at: inDays(1) }),
    ]
    for (const decision of [open, resolved]) await expire(decision)
    for (const decision of [open, resolved]) {
      expect(await there.as(ada).get(decision).expect(200)).toMatchObject({ is_expired: true })
    }
    const listed = await here.as(ada).get(`${space}/decisions`).expect(200)
    expect(listed.map(({ is_expired }: { is_expired: boolean }) => is_expired)).toEqual([true, true])
    expect((await settle(here.as(bob), open).expect(409, /^Decision expired at/)).error).toBe('decision_expired')
    expect((await use(here.as(scout), resolved).expect(409, /^Decision expired at/)).error).toBe('decision_expired')
    expect((await use(here.as(scout), open).expect(409)).error).toBe('decision_expired')
    const rejected = await settle(here.as(bob), open, { status: 'rejected' }).expect(200)
    expect(rejected).toMatchObject({ status: 'rejected', is_expired: false })
  })

  const inboxOf = (actor: Actor) => here.as(actor).get('/api/actors/me/inbox').expect(200)

  it('that was denied in time is not expired, and raises no notice', async () => {
    const space = await here.openSpace(ada)
    const [first, last] = [
      await approved(space, { expires_at: inDays(1), options: OPTIONS }, { option: 'no' }),
      await approved(space, { expires_at: inDays(1) }),
    ]
    for (const decision of [first, last]) await expire(decision)
    expect(await here.as(ada).get(first).expect(200)).toMatchObject({ is_expired: false })
    expect((await use(here.as(scout), first).expect(409)).error).toBe('decision_denied')
    const expired = async () =>
      (await inboxOf(scout)).notices
        .filter(({ kind }: { kind: string }) => kind === 'decision_expired')
        .map(({ details }: { details: { decision_id: string } }) => details.decision_id)
    await expect.poll(expired).toContain(last.split('/').at(-1))
    expect(await expired()).not.toContain(first.split('/').at(-1))
  })

  it('leaves the inbox and the counts, ends a long poll, and notifies the proposer and assignees', async () => {
    const eve = await here.registerHuman('Eve')
    const space = await here.openSpace(ada)
    const decision = await propose(space, { expires_at: inDays(1), assignees: [eve.actor_id] })
    expect((await inboxOf(eve)).counts.decisions).toBe(1)
    const waiting = there.as(ada).get(`${decision}?wait=20`)
    await expire(decision)
    expect((await inboxOf(eve)).counts.decisions).toBe(0)
    expect(await here.as(ada).get(`${space}/decisions/summary`).expect(200)).toMatchObject({ proposed: 0 })
    expect(await waiting.expect(200)).toMatchObject({ status: 'proposed', is_expired: true })
    const decision_id = decision.split('/').at(-1)
    const expired = { kind: 'decision_expired', details: { decision_id } }
    const poll = (actor: Actor) => expect.poll(async () => (await inboxOf(actor)).notices)
    await poll(eve).toMatchObject([expired])
    await poll(scout).toContainEqual(expect.objectContaining(expired))
  })

  it('expires to the millisecond: no use is later', async () => {
    const space = await here.openSpace(ada)
    const decisions: string[] = []
    for (let n = 0; n < 60; n++) decisions.push(await approved(space, { expires_at: inDays(1) }))
    await query(
      here.connection,
      `UPDATE decisions SET expires_at = clock_timestamp() + interval '80 ms' WHERE space_id = $1`,
      [space.split('/').at(-1) as string],
    )
    const outcomes: string[] = []
    for (const [n, decision] of decisions.entries()) {
      const { status, body } = await use((n % 2 ? here : there).as(scout), decision)
      outcomes.push(status === 200 ? 'used' : body.error)
      if (status === 200) expect(body.used_at < body.decision.expires_at).toBe(true)
    }
    expect(outcomes).toContain('decision_expired')
    expect(outcomes.join()).toMatch(/^(used,)*(decision_expired,?)+$/)
  })
})

describe('the use of a decision after a change', () => {
  const RULES = { who: 'anyone', named: [], approvals: 0, independent: false, proposer_may_settle: true }
  const setRules = (space: string, rules: object) =>
    here
      .as(ada)
      .put(`${space}/policy`, { settle: { ...RULES, ...rules } })
      .expect(200)
  const approve = (client: Client, decision: string) =>
    client.post(`${decision}/reviews`, { verdict: 'approve' }).expect(200)
  const refused = async (decision: string) =>
    expect(await use(here.as(scout), decision).expect(409, /^Decision is no longer approved/)).toMatchObject({
      error: 'no_longer_approved',
    })

  it.each<[string, object]>([
    ['more approvals', { approvals: 1 }],
    ['other resolvers', { who: 'named' }],
  ])('is rejected while the policy requires %s, and accepted once it does not', async (_, rules) => {
    const space = await here.openSpace(ada)
    const decision = await approved(space)
    await setRules(space, { named: 'who' in rules ? [ada.actor_id] : [], ...rules })
    await refused(decision)
    await setRules(space, {})
    await use(here.as(scout), decision).expect(200)
  })

  it('is rejected once the settler or an approver is stopped, disabled, moved or deleted', async () => {
    const space = await here.openSpace(ada)
    const eve = await here.registerHuman('Eve')
    const ends: readonly [(actor: Actor) => Promise<unknown>, () => Promise<Actor>][] = [
      [
        ({ actor_id }) => here.as(eve).post(`/api/actors/${actor_id}/stop`).expect(200),
        () => here.registerAgent(eve, 'S'),
      ],
      [({ actor_id }) => operate('actor', 'disable', actor_id), () => here.registerHuman('Disabled')],
      [
        (actor) => here.as(actor).post('/api/tenants', { name: 'Elsewhere' }).expect(200),
        () => here.registerHuman('X'),
      ],
      [(actor) => here.as(actor).delete(`/api/actors/${actor.actor_id}`).expect(200), () => here.registerHuman('Gone')],
    ]
    for (const [end, register] of ends) {
      const [settler, approver] = [await register(), await register()]
      await setRules(space, {})
      const settled = await propose(space)
      await settle(here.as(settler), settled).expect(200)
      await setRules(space, { approvals: 1 })
      const reviewed = await propose(space)
      await approve(here.as(approver), reviewed)
      await settle(here.as(bob), reviewed).expect(200)
      await setRules(space, {})
      for (const actor of [settler, approver]) await end(actor)
      await refused(settled)
      await refused(reviewed)
    }
  })

  it('is rejected for a stopped agent, and accepted from its sponsor', async () => {
    const rover = await here.registerAgent(ada, 'Rover')
    const space = await here.openSpace(ada)
    const { decision_id } = await here.as(rover).post(`${space}/decisions`, proposal()).expect(200)
    const decision = `${space}/decisions/${decision_id}`
    await settle(here.as(bob), decision).expect(200)
    await here.as(ada).post(`/api/actors/${rover.actor_id}/stop`).expect(200)
    await use(here.as(rover), decision).expect(403, 'The agent is stopped')
    await use(here.as(ada), decision).expect(200)
  })
})

describe('the record of a use', () => {
  const problems = async (decisionId: string): Promise<string[]> => {
    const [json = ''] = await operate('check', '--json')
    const found: { problem: string }[] = JSON.parse(json).problems
    return found.map(({ problem }) => problem).filter((problem) => problem.includes(decisionId))
  }
  const SECRET = 'mangrove'

  async function editedUse() {
    const space = await here.openSpace(ada)
    const args = { service: SECRET }
    const action = { type: SECRET, title: SECRET, arguments: args, editable: true }
    const options = [{ id: SECRET, label: SECRET, description: SECRET }, OPTIONS[1]]
    const decision = await propose(space, { action, options })
    const { edit } = await settle(here.as(bob), decision, {
      option: SECRET,
      arguments: { service: `${SECRET} 2` },
    }).expect(200)
    await use(here.as(scout), decision, edit.digest, 'k').expect(200)
    return { space, decision, decision_id: decision.split('/').at(-1) as string, digest: edit.digest as string }
  }

  it('is equal in the acts and the row, and a check finds a change of the row', async () => {
    const { decision_id } = await editedUse()
    expect(await problems(decision_id)).toEqual([])
    const fields = ['digest', 'option', 'used_by', 'used_at']
    for (const field of fields) {
      await query(
        here.connection,
        `CREATE TABLE kept AS SELECT ${field} FROM decisions WHERE decision_id = '${decision_id}'`,
      )
      await query(here.connection, `UPDATE decisions SET ${field} = NULL WHERE decision_id = $1`, [decision_id])
      const found = await problems(decision_id)
      expect(found.length, field).toBeGreaterThan(0)
      for (const problem of found) expect(problem).toMatch(/^decision \S+: \w+ differs from what the acts tell$/)
      await query(here.connection, `UPDATE decisions SET ${field} = kept.${field} FROM kept WHERE decision_id = $1`, [
        decision_id,
      ])
      await query(here.connection, 'DROP TABLE kept')
    }
    expect(await problems(decision_id)).toEqual([])
  })

  it('is erased with the action, which no digest can use any more', async () => {
    const { space, decision, decision_id, digest } = await editedUse()
    const shown = async () => {
      const all = await Promise.all([decision, `${decision}/acts`].map((path) => here.as(ada).get(path)))
      return all.map(({ text }) => text).join()
    }
    expect(await shown()).toContain(SECRET)
    await operate('decision', 'redact', DEFAULT_TENANT, spaceIdOf(space), decision_id, '--by', 'Ada', '--yes')
    const text = await shown()
    for (const gone of [SECRET, digest]) expect(text).not.toContain(gone)
    expect(await here.as(ada).get(decision).expect(200)).toMatchObject({
      action: { type: '[redacted]', arguments: {}, digest: '[redacted]' },
      edit: { arguments: {}, digest: '[redacted]' },
      ...{ options: [], option: '[redacted]', used_by: scout.actor_id },
    })
    expect(await problems(decision_id)).toEqual([])
    const retried = await use(here.as(scout), decision, digest, 'k').expect(200)
    expect(retried).toMatchObject({ decision: { decision_id, text: '[redacted]', used_by: scout.actor_id } })
    await query(here.connection, 'UPDATE decisions SET used_at = NULL, used_by = NULL WHERE decision_id = $1', [
      decision_id,
    ])
    expect((await use(here.as(scout), decision, digest).expect(409)).error).toBe('decision_denied')
    await use(here.as(scout), decision, '[redacted]').expect(400, /^digest: must be sha-256:/)
  })
})
