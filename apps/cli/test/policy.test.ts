import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let grace: Actor
let scout: Actor
let env: Record<string, string>
let graceEnv: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  grace = await server.registerHuman('Grace')
  scout = await server.registerAgent(ada, 'Scout')
  env = signedInAs(server, ada)
  graceEnv = signedInAs(server, grace)
})

let count = 0

/** Creates a space of Ada's that all three have joined. */
async function space(): Promise<string> {
  const space_id = `plans${++count}`
  await server.as(ada).post('/api/spaces', { space_id }).expect(200)
  for (const actor of [ada, grace, scout]) await server.as(actor).post(`/api/spaces/${space_id}/join`).expect(200)
  return space_id
}

describe('spaces policy', () => {
  it('shows the policy, and changes the named settings', async () => {
    const plans = await space()
    const shown = await spaces(['policy', 'show', plans], { env }).expect(0)
    expect(shown.stdout).toMatch(/^settled by +anyone\napprovals +none needed\nloop guard +off$/m)
    const set = ['policy', 'set', plans, '--settle', 'named', '--named', 'grace', '--approvals', '1', '--independent']
    const changed = await spaces([...set, '--guard-per-agent', '15', '--json'], { env }).expect(0)
    expect(changed.json).toEqual(await server.as(ada).get(`/api/spaces/${plans}/policy`).expect(200))
    expect(changed.json).toMatchObject({
      settle: { who: 'named', named: [grace.actor_id], approvals: 1, independent: true },
      loop_guard: { total: 0, per_agent: 15 },
    })
    const after = await spaces(['policy', 'set', plans, '--no-independent', '--no-proposer-may-settle'], {
      env,
    }).expect(0)
    expect(after.stdout).toMatch(
      /^settled by +Grace, but not the proposer\napprovals +1 by others than the proposer\n/m,
    )
    expect(after.stdout).toMatch(/^loop guard +15 by each agent, until a human posts\nchanged +just now by Ada$/m)
  })

  it('explains invalid settings', async () => {
    const plans = await space()
    await spaces(['policy', 'set', plans], { env }).expect(2, 'Nothing to change')
    await spaces(['policy', 'set', plans, '--settle', 'admins'], { env }).expect(2, 'Allowed choices')
    await spaces(['policy', 'set', plans, '--named', 'Zoe'], { env }).expect(1, 'No participant of')
    await spaces(['policy', 'set', plans, '--approvals', '11'], { env }).expect(1, 'settle.approvals: must be')
    await spaces(['policy', 'set', plans, '--approvals', '1'], { env: graceEnv }).expect(
      1,
      'Only owners of this space may do this',
      'spaces space show SPACE',
    )
  })
})

describe('spaces policy history', () => {
  it('shows who changed which setting, with old and new values', async () => {
    const plans = await space()
    const none = await spaces(['policy', 'history', plans], { env }).expect(0)
    expect(none.stdout).toBe('The policy and the owners were never changed.\n')
    await spaces(['policy', 'set', plans, '--approvals', '1', '--guard-total', '60'], { env }).expect(0)
    await spaces(['space', 'edit', plans, '--owner', 'Grace', '--owner', ada.actor_id], { env }).expect(0)
    const { stdout } = await spaces(['policy', 'history', plans], { env }).expect(0)
    expect(stdout).toMatch(/^TIME +BY +WITH +CHANGED +FROM +TO$/m)
    expect(stdout).toMatch(/Ada +API key +approvals +none needed +1 by others than the proposer$/m)
    expect(stdout).toMatch(/Ada +API key +loop guard +off +60 by all agents, until a human posts$/m)
    expect(stdout).toMatch(/Ada +API key +owners +Ada +(Ada, Grace|Grace, Ada)$/m)
    const { json } = await spaces(['policy', 'history', plans, '--json'], { env }).expect(0)
    expect(json).toEqual(await server.as(ada).get(`/api/spaces/${plans}/acts?about=space`).expect(200))
  })
})

describe('spaces decision', () => {
  it('is proposed to an actor, approved and resolved, and its history is shown', async () => {
    const plans = await space()
    await spaces(['policy', 'set', plans, '--settle', 'humans', '--approvals', '1'], { env }).expect(0)
    const old = (await spaces(['decision', 'propose', plans, 'By train', '--json'], { env }).expect(0)).json.decision_id
    const proposal = ['decision', 'propose', plans, 'We fly', '--assign', 'Grace', '--supersedes', old]
    const { json } = await spaces([...proposal, '--review-at', '30d', '--json'], { env }).expect(0)
    expect(json).toMatchObject({ assignees: [grace.actor_id], supersedes: old, approvals: { required: 1, given: 0 } })
    const { decision_id } = json
    const resolve = ['decision', 'resolve', plans, decision_id, '--resolution', 'Agreed']
    const refused = await spaces([...resolve, '--json'], { env }).expect(5)
    expect(refused.error).toMatchObject({
      detail: 'Needs 1 more approval',
      error: 'approvals_missing',
      required: 1,
      given: 0,
    })
    const against = ['decision', 'disapprove', plans, decision_id, '--note', '-']
    await spaces(against, { env: graceEnv, stdin: 'Too dear\n' }).expect(0)
    const approved = await spaces(['decision', 'approve', plans, decision_id], { env: graceEnv }).expect(0)
    expect(approved.stdout).toMatch(/^approvals +1 of 1, by Grace$/m)
    await spaces(resolve, { env }).expect(0)
    const shown = await spaces(['decision', 'show', plans, decision_id], { env }).expect(0)
    expect(shown.stdout).toMatch(
      /^assigned to +Grace\nsupersedes +[0-9a-f-]{36}\napprovals +1 of 1, by Grace\nresolved /m,
    )
    expect(shown.stdout).toMatch(/^review +in \d weeks|^review +next month/m)
    const superseded = await spaces(['decision', 'show', plans, old], { env }).expect(0)
    expect(superseded.stdout).toContain(`superseded by  ${decision_id}`)

    const history = await spaces(['decision', 'history', plans, decision_id, '--json'], { env }).expect(0)
    expect(history.json).toEqual(
      await server.as(ada).get(`/api/spaces/${plans}/decisions/${decision_id}/acts`).expect(200),
    )
    const table = await spaces(['decision', 'history', plans, decision_id], { env }).expect(0)
    expect(table.stdout).toMatch(/Ada +\S.* +proposed it +We fly\n.*Grace .*disapproved of it +Too dear\n.*approved it/)
    expect(table.stdout).toMatch(/resolved it +Agreed/)
  })

  it('shows which approvals count, and why the rest does not', async () => {
    const plans = await space()
    await spaces(['policy', 'set', plans, '--approvals', '2'], { env }).expect(0)
    const scoutEnv = signedInAs(server, scout)
    const proposal = ['decision', 'propose', plans, 'By train', '--json']
    const { decision_id } = (await spaces(proposal, { env: scoutEnv }).expect(0)).json
    for (const reviewer of [env, graceEnv]) {
      await spaces(['decision', 'approve', plans, decision_id], { env: reviewer }).expect(0)
    }
    const { stdout } = await spaces(['decision', 'show', plans, decision_id], { env }).expect(0)
    expect(stdout).toMatch(/^approvals +1 of 2, by Grace\nnot counted +Ada \(on the side of the proposer\)$/m)
    const resolve = ['decision', 'resolve', plans, decision_id, '--resolution', 'Agreed']
    await spaces(resolve, { env }).expect(5, 'Needs 1 more approval', 'See which count: spaces decision show')
  })

  it('is settled only by actors that the policy names', async () => {
    const plans = await space()
    await spaces(['policy', 'set', plans, '--settle', 'named', '--named', 'Grace'], { env }).expect(0)
    const { decision_id } = (await spaces(['decision', 'propose', plans, 'By train', '--json'], { env })).json
    const resolve = ['decision', 'resolve', plans, decision_id, '--resolution', 'Agreed']
    await spaces(resolve, { env }).expect(1, 'See who may: spaces policy show SPACE')
    await spaces(resolve, { env: graceEnv }).expect(0)
  })

  it('shows its proposer the next step', async () => {
    const plans = await space()
    const propose = ['decision', 'propose', plans, 'By train']
    const expectStep = async (env: Record<string, string>, step: RegExp) =>
      expect((await spaces(propose, { env }).expect(0)).stderr).toMatch(step)
    const scoutEnv = signedInAs(server, scout)
    const { actor_id } = scout

    await expectStep(scoutEnv, /^Resolve it: spaces decision resolve plans\d+ \S+$/m)
    await spaces(['policy', 'set', plans, '--settle', 'humans', '--approvals', '2'], { env }).expect(0)
    await expectStep(scoutEnv, /^Only humans may settle decisions here\. Wait until it is settled: .* --wait$/m)
    await expectStep(
      env,
      /^It needs 2 approvals of others: spaces decision approve .*\nThen resolve it: spaces decision resolve /m,
    )
    await spaces(['policy', 'set', plans, '--settle', 'named', '--named', 'Grace', '--named', actor_id], {
      env,
    }).expect(0)
    await expectStep(env, /^Only Grace, Scout may settle decisions here/m)
    await spaces(['policy', 'set', plans, '--approvals', '0', '--no-proposer-may-settle'], { env }).expect(0)
    await expectStep(graceEnv, /^The proposer of a decision may not settle it here/m)
  })
})
