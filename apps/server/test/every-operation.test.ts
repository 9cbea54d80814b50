import { type Actor, type Client, NOTHING, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { operations } from './support/document.js'
import { MALFORMED, sendGarbage } from './support/garbage.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto, setTenantStatus } from './support/tenant.js'
import { openWorld as openWorldIn, REFERENCES, World } from './support/world.js'

/** Operations without a credential, for humans only, and among these for admins only. A new one must be listed here. */
const KEYLESS = [
  ...['signIn_ways', 'signIn_beginOidc', 'signIn_finishOidc', 'signIn_beginPasskey', 'signIn_finishPasskey'],
  ...[
    'signIn_beginEmail',
    'signIn_finishEmail',
    'signIn_redeem',
    'identity_bindEmail',
    'device_begin',
    'device_poll',
    'agentCode_redeem',
  ],
]
const OPEN = ['actor_register', ...KEYLESS]
const ADMIN_ONLY = [
  'actor_disable',
  'actor_enable',
  'invite_create',
  'invite_createBatch',
  'invite_list',
  'invite_revoke',
  'tenant_privateSpaces',
  'tenant_setAccess',
  'tenant_promote',
  'tenant_removeMember',
  'tenantPolicy_set',
  'audit_list',
  'audit_checkpoint',
  'audit_proof',
  'audit_consistency',
  'audit_export',
]
const HUMAN_ONLY = [
  'actor_myAgents',
  'actor_register',
  'actor_stop',
  'actor_start',
  'actor_stopMyAgents',
  'agentCode_create',
  'agentCode_list',
  'agentCode_revoke',
  'token_create',
  'token_list',
  'token_revoke',
  ...['signIn_code', 'signIn_out', 'passkey_begin', 'passkey_add', 'identity_bind', 'device_get', 'device_answer'],
  'identity_beginEmail',
  ...['block_list', 'block_add', 'block_remove'],
  ...[
    'notification_get',
    'notification_set',
    'notification_subscribe',
    'notification_removeChannel',
    'notification_reportPresence',
  ],
  'inbox_snooze',
  'tenant_create',
  'tenant_planMove',
  'tenant_leave',
  'invite_redeem',
  ...ADMIN_ONLY,
]
/** Fields that refer to another tenant by design, or to what the request creates. */
const NO_REFERENCE = [
  'invite_redeem code',
  'actor_register code',
  'agentCode_redeem code',
  'space_create space_id',
  ...['signIn_finishOidc code', 'signIn_redeem code', 'identity_bind code'],
  ...['signIn_finishEmail code', 'identity_bindEmail code'],
]
/** An unknown actor is valid here: it has no mentions. */
const ANY_VALUE = ['participant_id']

/** Operations about any actor that every member of the tenant may use. */
const ABOUT_ANY_VALUE = ['actor_card', 'block_add', 'block_remove', 'picture_content']
/** Their answers have numbers and hashes, what the query names, or settings of the caller. */
const NAMES_NOTHING = ['actor_stream', 'audit_consistency', 'audit_proof', 'notification_get']
/** The device code of these has no tenant until an actor answers. */
const OF_NO_TENANT = ['device_get', 'device_answer']

/** Documented to return 403 for another tenant. All other operations return 404. */
const FORBIDDEN = ['actor_change', 'actor_delete', 'actor_rotateKey', 'actor_release', 'tenant_get']
/** Unknown IDs of the valid form. */
const UNKNOWN: Readonly<Record<string, string>> = { actor_id: UNKNOWN_ACTOR, tenant_id: NOTHING }
/** Bodies with another actor, who must be in the caller's tenant. */
const NAMING_ACTORS: Readonly<Record<string, (actorId: string, body: object) => object>> = {
  decision_propose: (id, body) => ({ ...body, assignees: [id] }),
  policy_set: (id) => ({ settle: { who: 'named', named: [id] } }),
  participant_add: (id) => ({ actor_id: id }),
  conversation_start: (id) => ({ actor_ids: [id] }),
  claim_handOver: (id) => ({ to: id }),
  webhook_create: (id) => ({ url: 'https://127.0.0.1:9/', inbox_of: id }),
}

const UNKNOWN_KEY = `svc_${'0'.repeat(64)}`

const h = useServer()
let homeTenant: string
let ada: Actor
/** A member of the home tenant, not an admin. */
let member: Actor
/** An admin of another tenant. */
let stranger: Client
/** The stranger's agent. */
let strangersAgent: Actor
/** Ada's agent. */
let scout: Actor
const ended: Record<string, string> = {}
let suspendedHuman: Actor
let suspendedAgent: Actor

beforeAll(async () => {
  homeTenant = await foundTenant(h.connection)
  ada = await h.registerHuman()
  member = await h.registerHuman()
  await moveInto(h.connection, homeTenant, ada, member)
  await makeAdmin(h.connection, ada)

  const mallory = await h.registerHuman('Mallory')
  await moveInto(h.connection, await foundTenant(h.connection), mallory)
  await makeAdmin(h.connection, mallory)
  stranger = h.as(mallory)
  strangersAgent = await h.registerAgent(mallory)
  scout = await h.registerAgent(ada, 'Scout', EVERYTHING)

  const rotated = await h.registerHuman()
  await h.as(rotated).post(`/api/actors/${rotated.actor_id}/rotate-key`).expect(200)
  const deleted = await h.registerHuman()
  await h.as(deleted).delete(`/api/actors/${deleted.actor_id}`).expect(200)
  Object.assign(ended, { rotated: rotated.api_key, deleted: deleted.api_key })

  const tenant = await foundTenant(h.connection)
  suspendedHuman = await h.registerHuman()
  suspendedAgent = await h.registerAgent(suspendedHuman)
  await moveInto(h.connection, tenant, suspendedHuman, suspendedAgent)
  await setTenantStatus(h.connection, tenant, 'suspended')
})

/** Opens a world of a new actor in the home tenant, as some operations change the rights of their caller. */
async function openWorld(): Promise<World> {
  return (await openWorldIn(h, h.connection, homeTenant)).world
}

it('the tests list every operation without a credential', () => {
  expect(operations.filter(({ open }) => open).map(({ id }) => id)).toEqual(OPEN)
  expect(operations.filter(({ keyless }) => keyless).map(({ id }) => id)).toEqual(KEYLESS)
})

const titled = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

describe.each(titled.filter(([, { keyless }]) => keyless))('%s', (_title, operation) => {
  it.each([undefined, UNKNOWN_KEY, 'nonsense'])('ignores the key %s', async (key) => {
    await sendGarbage(h.as(key), operation).expect(400, /^\w+: /)
    const { method, path, body } = await (await openWorld()).request(operation)
    await h.as(key).send(method, path, body).expect(200)
  })
})

describe.each(titled.filter(([, { keyless }]) => !keyless))('%s', (_title, operation) => {
  const { id, method, names, body, query } = operation

  it('returns 401 without a key, whatever else is wrong', async () => {
    await sendGarbage(h, operation).expect(401, 'Authentication required')
  })

  it.each([UNKNOWN_KEY, 'svc_', 'nonsense', UNKNOWN_KEY.toUpperCase()])('returns 401 with the key %s', async (key) => {
    await sendGarbage(h.as(key), operation).expect(401, 'Authentication required')
  })

  it.each(['rotated', 'deleted'])('returns 401 with the key of an actor that was %s', async (end) => {
    await sendGarbage(h.as(ended[end]), operation).expect(401, 'Authentication required')
  })

  it('returns 403 in a suspended tenant, whatever else is wrong', async () => {
    await sendGarbage(h.as(suspendedHuman), operation).expect(403, 'Tenant is suspended')
    await sendGarbage(h.as(suspendedAgent), operation).expect(403, 'Tenant is suspended')
  })

  it('returns 403 to an agent before the input is checked, if it is for humans only', async () => {
    const answer = await sendGarbage(h.as(scout), operation)
    if (HUMAN_ONLY.includes(id)) answer.expect(403, 'Only a human actor may do this')
    else answer.expect(400)
  })

  it('returns 403 to a member before the input is checked, if it is for admins only', async () => {
    const answer = await sendGarbage(h.as(member), operation)
    if (ADMIN_ONLY.includes(id)) answer.expect(403, 'Only an admin of the tenant may do this')
    else answer.expect(400)
  })

  it('returns 400 when only the input is wrong', async () => {
    await sendGarbage(h.as(ada), operation).expect(400, /^\w+: /)
  })

  it('returns 200 to an authorized caller, with the headers of every answer', async () => {
    const home = await openWorld()
    const answer = await home.perform(operation)
    answer.expect(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(answer.headers.has('set-cookie')).toBe(false)
  })

  if (method === 'GET' && names.length === 0 && !NAMES_NOTHING.includes(id)) {
    it('returns nothing of another tenant', async () => {
      const home = await openWorld()
      const space = await home.id('space_id')
      const { actor_id } = await home.owner.get('/api/actors/me').expect(200)
      const ids = [actor_id, ...Object.values(await home.everything())]
      const { path } = await home.request(operation)
      await home.owner.post(`/api/spaces/${space}/join`).expect(200)

      const own = await home.owner.get(path).expect(200)
      expect(ids.filter((id) => JSON.stringify(own).includes(id))).not.toEqual([])
      const foreign = await stranger.get(path).expect(200)
      expect(ids.filter((id) => JSON.stringify(foreign).includes(id))).toEqual([])
    })
  }

  if (names.includes('space_id')) {
    it('returns 404 for another tenant, as for an unknown space', async () => {
      const home = await openWorld()
      const { path, body } = await home.request(operation)
      const nowhere = await home.request(operation, { space_id: 'no-such-space' })
      const unknown = await stranger.send(method, nowhere.path, nowhere.body)
      const foreign = await stranger.send(method, path, body)
      unknown.expect(404, / not found$/)
      expect(foreign.expect(404)).toEqual(unknown.body)
      expect(comparable(foreign.headers)).toEqual(comparable(unknown.headers))
      // Only the tenant was wrong.
      await home.owner.send(method, path, body).expect(200)
    })
  }

  const belowSpace = names.filter((name) => name !== 'space_id' && !ANY_VALUE.includes(name))
  const refersToEvent = Object.hasOwn(body?.properties ?? {}, 'parent_event_id')
  if (names.includes('space_id') && (belowSpace.length > 0 || refersToEvent)) {
    it("finds nothing of another tenant's space with the same ID", async () => {
      const home = await openWorld()
      const { path, body } = await home.request(operation)
      const event = await home.id('event_id')
      await stranger.post('/api/spaces', { space_id: await home.id('space_id') }).expect(200)
      const reference = refersToEvent && { parent_event_id: event }
      await stranger.send(method, path, body && { ...body, ...reference }).expect(404)
      await home.owner.send(method, path, body && { ...body, ...reference }).expect(200)
    })
  }

  const fields = [...query.map(({ name }) => name), ...Object.keys(body?.properties ?? {})]
  const references = fields.filter((field) => field in REFERENCES && !NO_REFERENCE.includes(`${id} ${field}`))
  it.runIf(references.length > 0).each(references)("returns 404 for another tenant's ID in %s", async (field) => {
    const away = new World(stranger)
    const sendWith = async (world: World, value: string) => {
      const request = await world.request(operation)
      const separator = request.path.includes('?') ? '&' : '?'
      const path = request.body ? request.path : `${request.path}${separator}${field}=${value}`
      return world.owner.send(method, path, request.body && { ...request.body, [field]: value })
    }
    const home = await openWorld()
    const foreign = await sendWith(away, await home.id(REFERENCES[field] as string))
    const unknown = await sendWith(away, NOTHING)
    expect(foreign.expect(404)).toEqual(unknown.expect(404))
    // Only the tenant was wrong.
    if (field !== 'target_id') (await sendWith(home, await home.id(REFERENCES[field] as string))).expect(200)
  })

  if (names.includes('actor_id') && !ABOUT_ANY_VALUE.includes(id)) {
    it('returns 403 for another actor, 404 for an unknown one', async () => {
      const home = await openWorld()
      const { path, body } = await home.request(operation)
      const neighbour = await h.registerHuman()
      await moveInto(h.connection, homeTenant, neighbour)
      await h.as(neighbour).send(method, path, body).expect(403)
      const unknown = await home.request(operation, { actor_id: UNKNOWN_ACTOR })
      await home.owner.send(method, unknown.path, unknown.body).expect(404, 'Actor not found')
      await home.owner.send(method, path, body).expect(200)
    })
  }

  if (names.length > 0 && !names.includes('space_id') && !OF_NO_TENANT.includes(id)) {
    it(`returns ${FORBIDDEN.includes(id) ? 403 : '404, as for an unknown ID,'} for another tenant`, async () => {
      const home = await openWorld()
      const { path, body } = await home.request(operation)
      const foreign = await stranger.send(method, path, body)
      const nowhere = await home.request(
        operation,
        Object.fromEntries(names.map((name) => [name, UNKNOWN[name] ?? '0'])),
      )
      const unknown = (await stranger.send(method, nowhere.path, nowhere.body)).expect(404)
      if (FORBIDDEN.includes(id)) foreign.expect(403)
      else {
        expect(foreign.expect(404)).toEqual(unknown)
        expect(comparable(foreign.headers)).toEqual(
          comparable((await stranger.send(method, nowhere.path, nowhere.body)).headers),
        )
      }
      await home.owner.send(method, path, body).expect(200)
    })
  }

  const named = Object.hasOwn(NAMING_ACTORS, id) ? NAMING_ACTORS[id] : undefined
  it.runIf(named)('returns 404 for an actor of another tenant in the body', async () => {
    const [home, away] = [await openWorld(), new World(stranger)]
    const { path, body } = await away.request(operation)
    const { actor_id } = await home.owner.get('/api/actors/me').expect(200)
    const sendWith = (actorId: string) => stranger.send(method, path, named?.(actorId, body ?? {}))
    const unknown = (await sendWith(UNKNOWN_ACTOR)).expect(404)
    expect((await sendWith(actor_id)).expect(404)).toEqual(unknown)
    ;(await sendWith(strangersAgent.actor_id)).expect(200)
  })

  const ids = names.filter((name) => name !== 'emoji')
  it.runIf(ids.length > 0).each(ids)('treats a malformed %s as unknown', async (name) => {
    const home = await openWorld()
    const sendWith = async (value: string) => {
      const { path, body } = await home.request(operation, { [name]: value })
      return home.owner.send(method, path, body)
    }
    for (const wrong of ['0', '..%2F..', 'a%2Fb', '%00', '%F0%9F%90%99', 'x'.repeat(3_000), '__proto__']) {
      const answer = await sendWith(wrong)
      if (!ANY_VALUE.includes(name) || wrong === '%00') answer.expect(404)
      else answer.expect(200)
    }
    const malformed = await sendWith(MALFORMED)
    malformed.expect(400, `${name}: is not valid percent-encoding`)
  })
})

describe.each([...new Set(operations.map(({ path }) => path))])('%s', (path) => {
  it('returns 404 with a trailing slash, in another case or with another segment', async () => {
    const target = path.replace(/\{\w+\}/g, 'any')
    for (const wrong of [`${target}/`, target.replace('/api', '/API'), `${target}/any/any/any`, `/${target}`]) {
      for (const client of [h, h.as(ada)]) await client.get(wrong).expect(404, 'Path not found: see /docs')
    }
  })
})

/** Returns the headers without those that differ each time. */
function comparable(headers: Headers): Record<string, string> {
  const { date: _, 'x-request-id': __, ...others } = Object.fromEntries(headers)
  return others
}
