import { operations as table } from '@collab-spaces/api'
import { TOKEN_SCOPES } from '@collab-spaces/domain'
import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from './support/document.js'
import { sendGarbage } from './support/garbage.js'
import { useServer } from './support/server.js'
import { foundTenant } from './support/tenant.js'
import { plainClient } from './support/trpc.js'
import { openWorld } from './support/world.js'

const h = useServer()
const PATH = '/api/personal-access-tokens'

/** What makes a credential without limits, or replaces one. */
const UNLIMITED_ONLY = ['invite_create', 'actor_rotateKey']

/** What would show more than its own scope opens. */
const READS_TOO = ['webhook_create', 'webhook_change']

/** All that take a credential. */
const limitable = operations.filter(({ keyless }) => !keyless)

let tenant: string
/** A token for each scope, of somebody who may call every operation. */
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
  const asked = table.filter(({ meta }) => meta.caller !== 'anybody')
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
    else if (READS_TOO.includes(operation.id)) answer.expect(403, 'Token lacks the scope "read"')
    else answer.expect(200)
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
