import { operations as table } from '@collab-spaces/api'
import { TOKEN_SCOPES } from '@collab-spaces/domain'
import { type Client, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { AGENT_LIMITS } from './support/actor.js'
import { operations } from './support/document.js'
import { sendGarbage } from './support/garbage.js'
import { useServer } from './support/server.js'
import { foundTenant } from './support/tenant.js'
import { plainClient } from './support/trpc.js'
import { openWorld } from './support/world.js'

const h = useServer()
const PATH = '/api/personal-access-tokens'

/** Operations that make a credential without limits, or replace one. */
const UNLIMITED_ONLY = [
  ...[
    'invite_create',
    'incomingWebhook_create',
    'incomingWebhook_rotateSecret',
    'invite_createBatch',
    'actor_rotateKey',
    'signIn_code',
    'passkey_add',
    'identity_bind',
    'identity_beginEmail',
    'device_answer',
  ],
]

/** Operations that make agents, which get nothing of this scope unless it is asked for. */
const OF_AGENTS = ['actor_register', 'agentCode_create']

/** Operations that would show more than their own scope opens. */
const READS_TOO = ['webhook_create', 'webhook_change']

/** All that take a credential. */
const limitable = operations.filter(({ keyless }) => !keyless)

let tenant: string
/** A token for each scope, of an actor who may call every operation. */
const tokens = new Map<string, string>()

beforeAll(async () => {
  tenant = await foundTenant(h.connection)
  const { actor } = await openWorld(h, h.connection, tenant)
  for (const scope of TOKEN_SCOPES) {
    const { token } = await h
      .as(actor)
      .post(PATH, { name: scope, scopes: [scope] })
      .expect(200)
    tokens.set(scope, token)
  }
})

it('is shown in the document as it is in the router', () => {
  const asked = table.filter(({ meta }) => meta.caller !== 'none')
  const shown = limitable.map(({ id, scope }) => [id, scope])
  expect(shown.sort()).toEqual(asked.map(({ name, meta }) => [name.replace('.', '_'), meta.scope]).sort())
})

it('is used by some operation each', () => {
  expect([...new Set(limitable.map(({ scope }) => scope))].sort()).toEqual([...TOKEN_SCOPES].sort())
})

const titled = limitable.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

describe.each(titled)('%s', (_title, operation) => {
  it.each(TOKEN_SCOPES)('with the scope %s', async (scope) => {
    const answer = await sendGarbage(h.as(tokens.get(scope)), operation)
    if (scope === operation.scope) return answer.expect(400)
    answer.expect(403, `Token lacks the scope "${operation.scope}"`)
    expect(answer.body).toMatchObject({ error: 'insufficient_scope', scope: operation.scope })
  })

  it('needs no other scope than its own', async () => {
    const { actor, world } = await openWorld(h, h.connection, tenant)
    const { method, path, body } = await world.request(operation)
    const { token } = await h
      .as(actor)
      .post(PATH, { name: 'one', scopes: [operation.scope] })
      .expect(200)
    const answer = await h.as(token).send(method, path, body)
    if (UNLIMITED_ONLY.includes(operation.id)) answer.expect(403, /^A limited credential cannot create one/)
    else if (OF_AGENTS.includes(operation.id)) answer.expect(403, /name its scopes$/)
    else if (READS_TOO.includes(operation.id)) answer.expect(403, 'Token lacks the scope "read"')
    else answer.expect(200)
  })
})

describe('what is about actors, credentials and tenants', () => {
  const LIMITED =
    'A credential that is limited to some spaces can do nothing about actors, credentials or tenants; use one that ' +
    'opens every space'
  let limited: Client

  beforeAll(async () => {
    const { actor, world } = await openWorld(h, h.connection, tenant)
    const space_ids = [await world.id('space_id')]
    const { token } = await h.as(actor).post(PATH, { name: 'some', space_ids }).expect(200)
    limited = h.as(token)
  })

  it.each(titled)('is closed to a credential that is limited to some spaces: %s', async (_title, operation) => {
    const answer = await sendGarbage(limited, operation)
    if (operation.scope === 'account') answer.expect(403, LIMITED)
    else answer.expect(400)
  })

  it('is all that has to do with them', () => {
    const about =
      /^(actor|picture|agentCode|block|credential|notification|token|signIn|passkey|identity|device|invite|tenant|tenantPolicy|audit)_/
    const others = limitable.filter(({ id, scope }) => about.test(id) && scope !== 'account').map(({ id }) => id)
    expect(others.sort()).toEqual([
      'actor_card',
      'actor_me',
      'actor_myAgents',
      'actor_mySpaces',
      'actor_stream',
      'notification_get',
      'notification_reportPresence',
      'picture_content',
      'picture_list',
      'tenantPolicy_get',
      'tenant_get',
      'tenant_members',
    ])
    expect(limitable.filter(({ id, scope }) => !about.test(id) && scope === 'account')).toEqual([])
  })

  it.each([null, ['here']])(
    'is open to an agent about itself, with the usual limits and those of spaces: %s',
    async (spaces) => {
      const ada = await h.registerHuman()
      const space_ids = spaces ? [spaceIdOf(await h.openSpace(ada))] : undefined
      const scout = await h.registerAgent(ada, 'Scout', { space_ids })
      const self = `/api/actors/${scout.actor_id}`
      await h.as(scout).post(`${self}/connect`, { installation_id: 'laptop' }).expect(200)
      const rotate = () => h.as(scout).post(`${self}/rotate-key`, {}, { headers: { 'X-Installation-Id': 'laptop' } })
      await h.as(ada).post(`${self}/stop`).expect(200)
      await rotate().expect(403, 'The agent is stopped')
      await h.as(ada).post(`${self}/start`).expect(200)
      expect(await rotate().expect(200)).toMatchObject({ scopes: AGENT_LIMITS.scopes, space_ids: space_ids ?? null })
    },
  )

  it('is closed to a human that may only write', async () => {
    const ada = await h.registerHuman()
    const { token } = await h
      .as(ada)
      .post(PATH, { name: 'x', scopes: ['write'] })
      .expect(200)
    for (const verb of ['connect', 'rotate-key']) {
      await h.as(token).post(`/api/actors/${ada.actor_id}/${verb}`).expect(403, 'Token lacks the scope "account"')
    }
  })
})

it('is asked for by typed calls alike', async () => {
  const refused = plainClient(h.url, tokens.get('read')).space.create.mutate({ space_id: 'typed' })
  await expect(refused).rejects.toMatchObject({
    data: { httpStatus: 403, error: 'insufficient_scope', scope: 'write' },
  })
})

it('never opens more than the actor may do', async () => {
  const agent = { display_name: 'Scout', actor_type: 'agent', scopes: [...TOKEN_SCOPES] }
  const scout = await h
    .as(await h.registerHuman())
    .post('/api/actors', agent)
    .expect(200)
  await h.as(scout).get(PATH).expect(403, 'Only a human actor may do this')
})
