import { randomUUID } from 'node:crypto'
import { type Actor, type Answer, type Client, NOTHING } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { operations } from './support/document.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'
import { REFERENCES, World } from './support/world.js'

/**
 * A private space is to whoever is not in it as a space that never was, whatever is asked of it. Every operation of the
 * service is asked by everybody who might see more than that.
 */

const h = useServer()

const OUTSIDE = [
  'member',
  'agent of a member',
  'guest',
  'removed member',
  'agent of a removed member',
  'admin',
] as const
type Outsider = (typeof OUTSIDE)[number]

/** The ids that inputs have, each of which somebody has thought of. One that is new belongs here, and is tried then. */
const KNOWN_IDS = new Set([
  ...[
    'actor_id',
    'actor_ids',
    'channel_id',
    'claim_id',
    'code_id',
    'credential_id',
    'decision_id',
    'default_space_id',
    'entry_id',
    'event_id',
    'event_ids',
    'events',
  ],
  ...['focus', 'installation_id', 'invite_id', 'link_id', 'linked_to', 'parent_event_id', 'participant_id', 'pat_id'],
  ...[
    'space_id',
    'space_ids',
    'speaker_id',
    'subject_id',
    'supersedes',
    'target_id',
    'tenant_id',
    'thread_id',
    'webhook_id',
  ],
])
/** Of these, the ones that name a space. */
const SPACES = new Set(Object.entries(REFERENCES).flatMap(([field, id]) => (id === 'space_id' ? [field] : [])))

/** Ids are given by people: that one is taken is the one thing that shows. */
const TELLS = ['space_create']
/** What admins are told of: that there is such a space, who was let into it, and where webhooks of the tenant lead. */
const FOR_ADMINS = ['tenant_privateSpaces', 'audit_list', 'audit_export', 'audit_proof', 'webhook_get']

const nowhere = 'no-such-space'

const spaceId = () => space.split('/').at(-1) as string

const clients = {} as Record<Outsider, Client>
let ada: Actor
let bob: Actor
let home: World
let space: string
/** Everything that nobody outside may be shown. */
let secrets: string[]

beforeAll(async () => {
  const tenant = await foundTenant(h.connection)
  ada = await h.registerHuman('Ada')
  bob = await h.registerHuman('Bob')
  const [eve, carol, dave, grace] = [
    await h.registerHuman('Eve'),
    await h.registerHuman('Carol'),
    await h.registerHuman('Dave'),
    await h.registerHuman('Grace'),
  ]
  const [spy, aide, scout] = [
    await h.registerAgent(eve, 'Spy', EVERYTHING),
    await h.registerAgent(dave, 'Aide', EVERYTHING),
    await h.registerAgent(bob, 'Scout', EVERYTHING),
  ]
  await moveInto(h.connection, tenant, ada, bob, scout, eve, spy, carol, dave, aide, grace)
  await makeAdmin(h.connection, grace)
  await makeAdmin(h.connection, ada)
  const guest = { access: 'named' }
  await h.as(grace).put(`/api/tenants/${tenant}/members/${carol.actor_id}/access`, guest).expect(200)

  const space_id = `hidden-${randomUUID()}`
  space = `/api/spaces/${space_id}`
  await h
    .as(ada)
    .post('/api/spaces', { space_id, visibility: 'private', description: 'hidden-description' })
    .expect(200)
  for (const { actor_id } of [dave, aide, scout]) {
    await h.as(ada).post(`${space}/participants`, { actor_id }).expect(200)
  }
  // They said something, and were told something, while they were in it.
  await h.as(dave).post(`${space}/speech`, { text: 'hidden-text of Dave' }).expect(200)
  await h
    .as(ada)
    .post(`${space}/speech`, {
      text: 'hidden-text @Dave',
      metadata: { mentions: [dave.actor_id, eve.actor_id, carol.actor_id] },
    })
    .expect(200)
  for (const { actor_id } of [dave, eve, carol]) {
    const decision = { proposed_by: 'Ada', text: 'hidden-decision', assignees: [actor_id] }
    await h.as(ada).post(`${space}/decisions`, decision).expect(200)
  }
  await h.as(dave).post('/api/webhooks', { url: 'https://127.0.0.1:9/', space_id }).expect(200)
  await h.as(ada).delete(`${space}/participants/${dave.actor_id}`).expect(200)

  // An open space beside it, of which everybody knows, but for the guest.
  const open = await h.openSpace(ada)
  await h.as(ada).post(`${open}/links`, { target_id: space_id }).expect(200)
  await h.as(eve).post(`${open}/join`).expect(200)

  home = new World(h.as(ada), { tenant_id: tenant, space_id })
  const ids = await home.everything()
  secrets = ['hidden-', ids.event_id, ids.decision_id, ids.thread_id, ids.link_id, ids.webhook_id].map(String)
  Object.assign(clients, {
    member: h.as(eve),
    'agent of a member': h.as(spy),
    guest: h.as(carol),
    'removed member': h.as(dave),
    'agent of a removed member': h.as(aide),
    admin: h.as(grace),
  })
})

it('knows every kind of id that an operation takes', () => {
  const fields = operations.flatMap(({ names, query, body }) => [
    ...names,
    ...query.map(({ name }) => name),
    ...Object.keys(body?.properties ?? {}),
  ])
  const ids = fields.filter((field) => /_ids?$|_to$|^supersedes$/.test(field))
  expect([...new Set(ids)].filter((id) => !KNOWN_IDS.has(id))).toEqual([])
})

/** What somebody can tell of an answer. */
const told = ({ status, body, headers }: Answer) => {
  const { date: _, 'x-request-id': __, ...others } = Object.fromEntries(headers)
  return { status, body, headers: others }
}

const searched = ({ id }: (typeof operations)[number]) =>
  ['search_events', 'search_decisions'].includes(id) ? '?q=hidden' : ''

/** The path of an operation about what is in the private space. */
async function pathIn(operation: (typeof operations)[number]): Promise<string> {
  const ids = await home.everything()
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] as string) + searched(operation)
}

const namesSpace = (field: string) => SPACES.has(field) || field === 'space_ids'

const fieldsOf = ({ query, body }: (typeof operations)[number]) => [
  ...query.map(({ name }) => name),
  ...Object.keys(body?.properties ?? {}),
]

/** The fields by which an operation could tell that there is a space. */
const namingIn = (operation: (typeof operations)[number]) =>
  TELLS.includes(operation.id) ? [] : fieldsOf(operation).filter(namesSpace)

const titled = operations
  .filter(
    (operation) => operation.method === 'GET' || operation.names.includes('space_id') || namingIn(operation).length > 0,
  )
  .map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

describe.each(titled)('%s', (_title, operation) => {
  const { id, method, names } = operation

  if (names.includes('space_id')) {
    it.each(OUTSIDE)('is to a %s as that of no space', async (outsider) => {
      const asked = await home.request(operation, { space_id: spaceId() })
      const path = asked.path.replace(space, `/api/spaces/${nowhere}`)
      expect(path).not.toBe(asked.path)
      const send = (path: string) => clients[outsider].send(method, path, asked.body)
      expect(told(await send(asked.path))).toEqual(told(await send(path)))
    })

    it('lets the sponsor of an agent that is in it look, and no more', async () => {
      const asked = await home.request(operation, { space_id: spaceId() })
      const { status } = await h.as(bob).send(method === 'GET' ? 'HEAD' : method, asked.path, asked.body)
      if (method === 'GET' || LOOKS.includes(id)) expect(status).toBe(200)
      else expect([400, 403, 404, 409]).toContain(status)
    })
  }

  const naming = namingIn(operation)
  it.runIf(naming.length > 0).each(naming)('knows no private space by its %s', async (field) => {
    const given = { tenant_id: await home.id('tenant_id'), space_id: 'another-space', code: NOTHING }
    for (const outsider of OUTSIDE) {
      const asked = await new World(clients[outsider], given).request(operation).catch(() => null)
      if (!asked) continue
      const send = (spaceId: string) => {
        const value = field === 'space_ids' ? [spaceId] : spaceId
        const separator = asked.path.includes('?') ? '&' : '?'
        return asked.body
          ? clients[outsider].send(method, asked.path, { ...asked.body, [field]: value })
          : clients[outsider].send(method, `${asked.path}${separator}${field}=${spaceId}`)
      }
      expect(told(await send(spaceId())), outsider).toEqual(told(await send(nowhere)))
    }
  })

  if (method === 'GET' && !names.includes('space_id')) {
    it.each(OUTSIDE)('shows a %s nothing of it', async (outsider) => {
      if (outsider === 'admin' && FOR_ADMINS.includes(id)) return
      const { text } = await clients[outsider].get(await pathIn(operation))
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    })
  }
})

/** What changes nothing of a space though it is no GET. */
const LOOKS = ['event_findMentions', 'event_streamTicket', 'participant_leave', 'preference_change', 'seen_mark']
