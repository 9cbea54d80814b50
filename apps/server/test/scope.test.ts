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

/** Operations that create or replace a credential without limits. */
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

/** Operations that create agents, whose scopes a limited credential has to name. */
const OF_AGENTS = ['actor_register', 'agentCode_create']

/** Operations that also need the scope "read". */
const READS_TOO = ['webhook_create', 'webhook_change']

/** All operations that take a credential. */
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

it('the scope of each operation is the same in the OpenAPI document and in the router', () => {
  const entries = table.filter(({ meta }) => meta.caller !== 'none')
  const shown = limitable.map(({ id, scope }) => [id, scope])
  expect(shown.sort()).toEqual(entries.map(({ name, meta }) => [name.replace('.', '_'), meta.scope]).sort())
})

it('each scope is used by some operation', () => {
  expect([...new Set(limitable.map(({ scope }) => scope))].sort()).toEqual([...TOKEN_SCOPES].sort())
})

const titled = limitable.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

describe.each(titled)('%s', (_title, operation) => {
  it.each(TOKEN_SCOPES)('accepts the scope %s only if it is its own', async (scope) => {
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

describe('operations on actors, credentials and tenants', () => {
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

  it.each(titled)(
    'refuse a credential that is limited to some spaces if they need "account": %s',
    async (_title, operation) => {
      const answer = await sendGarbage(limited, operation)
      if (operation.scope === 'account') answer.expect(403, LIMITED)
      else answer.expect(400)
    },
  )

  it('need the scope "account", with listed exceptions', () => {
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

  it.each([null, ['here']])('let an agent connect and rotate its own key, with the spaces %s', async (spaces) => {
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
  })

  it('refuse a human token with the scope "write" only', async () => {
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

it('typed calls check scopes, too', async () => {
  const refused = plainClient(h.url, tokens.get('read')).space.create.mutate({ space_id: 'typed' })
  await expect(refused).rejects.toMatchObject({
    data: { httpStatus: 403, error: 'insufficient_scope', scope: 'write' },
  })
})

it('an agent with every scope still cannot list tokens', async () => {
  const agent = { display_name: 'Scout', actor_type: 'agent', scopes: [...TOKEN_SCOPES] }
  const scout = await h
    .as(await h.registerHuman())
    .post('/api/actors', agent)
    .expect(200)
  await h.as(scout).get(PATH).expect(403, 'Only a human actor may do this')
})
