import { randomUUID } from 'node:crypto'
import { type Actor, type Answer, type Client, NOTHING, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { type Operation, operations, resolved, type Schema } from './support/document.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'
import { exampleOf, REFERENCES, type Request, World } from './support/world.js'

/**
 * Every operation answers an outsider about a private space exactly as about a space that does not exist. Each is
 * called as every kind of outsider.
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
/** The outsiders with the most rights; they suffice for ids within a space, which one function resolves. */
const FEW = ['member', 'removed member', 'admin'] as const

/** Inputs that name a space or an object in one, with the name of that id in the answer of its creation. */
const KINDS: Readonly<Record<string, string>> = {
  ...REFERENCES,
  ...{ before: 'event_id', decision_id: 'decision_id', event_id: 'event_id', event_ids: 'event_id', focus: 'event_id' },
  ...{
    file_id: 'file_id',
    from: 'event_id',
    incoming_webhook_id: 'incoming_webhook_id',
    link_id: 'link_id',
    since: 'event_id',
    space_ids: 'space_id',
    webhook_id: 'webhook_id',
  },
}
/** Inputs that use these names for times, positions, sizes, entries of the security log, or threads instead. */
const OTHERWISE: Readonly<Record<string, string | null>> = {
  ...{ 'space_acts since': null, 'space_acts before': null, 'activity_get since': null, 'audit_list since': null },
  ...{ 'audit_list before': null, 'log_consistency from': null, 'audit_consistency from': null },
  ...{ 'notification_set from': null, 'thread_get event_id': 'thread_id', 'thread_list before': 'thread_id' },
  ...{ 'space_list cursor': 'space_id', 'actor_mySpaces cursor': 'space_id', 'decision_list cursor': 'decision_id' },
  'file_list before': 'file_id',
  // These reach the caller's own inbox only: `snooze.test.ts`.
  ...{ 'inbox_snooze space_id': null, 'inbox_snooze event_id': null, 'inbox_snooze decision_id': null },
}
/** The ids in inputs that name no object of a space. A new id belongs here or above. */
const OTHER_IDS = new Set([
  ...['actor_id', 'actor_ids', 'channel_id', 'code_id', 'credential_id', 'entry_id', 'installation_id', 'invite_id'],
  // Only its uploader can name a file (`file.test.ts`).
  'file_ids',
  ...['participant_id', 'pat_id', 'speaker_id', 'subject_id', 'tenant_id', 'user_code'],
])

/** The owner chooses the id of a space, so a creation reveals that an id is taken. */
const TELLS = ['space_create']
/** Operations that show admins that a private space exists, its participants and invites, and URLs of webhooks. */
const FOR_ADMINS = ['tenant_privateSpaces', 'audit_list', 'audit_export', 'audit_proof', 'invite_list', 'webhook_get']

const nowhere = 'no-such-space'

const clients = {} as Record<Outsider, Client>
let ada: Actor
let bob: Actor
let scout: Actor
/** The objects in the private space, and those in the open one. */
let home: World
let beside: World
let tenant: string
let space: string
/** A private space for requests that change something. */
let room: string
/** Strings that no answer to an outsider may contain. */
let secrets: string[]

beforeAll(async () => {
  tenant = await foundTenant(h.connection)
  ada = await h.registerHuman('Ada')
  bob = await h.registerHuman('Bob')
  const [eve, carol, dave, grace] = [
    await h.registerHuman('Eve'),
    await h.registerHuman('Carol'),
    await h.registerHuman('Dave'),
    await h.registerHuman('Grace'),
  ]
  const [spy, aide] = [await h.registerAgent(eve, 'Spy', EVERYTHING), await h.registerAgent(dave, 'Aide', EVERYTHING)]
  scout = await h.registerAgent(bob, 'Scout', EVERYTHING)
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
  // Dave posts and is mentioned while he is a participant.
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

  // An open space with every actor as a participant.
  const open = await h.openSpace(ada)
  await h.as(ada).post(`${open}/links`, { target_id: space_id }).expect(200)
  for (const { actor_id } of [eve, spy, carol, dave, aide, grace]) {
    await h.as(ada).post(`${open}/participants`, { actor_id }).expect(200)
  }

  home = new World(h.as(ada), { tenant_id: tenant, space_id })
  beside = new World(h.as(ada), { tenant_id: tenant, space_id: spaceIdOf(open) })
  room = await openRoom()
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

/** The path to a value in the input of an operation, with `[]` for the entries of an array. */
type Steps = readonly string[]

function placesOf(shown: Schema): Steps[] {
  const schema = resolved(shown)
  if (schema.anyOf) return schema.anyOf.filter(({ type }) => type !== 'null').flatMap(placesOf)
  if (schema.items) return placesOf(schema.items).map((steps) => ['[]', ...steps])
  if (!schema.properties) return [[]]
  return Object.entries(schema.properties).flatMap(([name, field]) => placesOf(field).map((steps) => [name, ...steps]))
}

const nameOf = (steps: Steps) => steps.findLast((step) => step !== '[]') ?? ''

const allPlaces = ({ names, query, body }: Operation): Steps[] => [
  ...names.map((name) => [name]),
  ...query.map(({ name }) => [name]),
  ...(body ? placesOf(body) : []),
]

it('lists every kind of id that an operation accepts', () => {
  const ids = operations
    .flatMap(allPlaces)
    .map(nameOf)
    .filter((name) => /_ids?$|_to$|^supersedes$/.test(name))
  expect([...new Set(ids)].filter((name) => !(name in KINDS) && !OTHER_IDS.has(name))).toEqual([])
})

/** Returns the parts of an answer by which a caller could distinguish it from another. */
const visiblePartsOf = ({ status, body, headers }: Answer) => {
  const { date: _, 'x-request-id': __, ...others } = Object.fromEntries(headers)
  return { status, body, headers: others }
}

const searched = ({ id }: Operation) => (['search_events', 'search_decisions'].includes(id) ? '?q=hidden' : '')

/** Returns the path of an operation about an object in the private space. */
async function pathIn(operation: Operation): Promise<string> {
  const ids = await home.everything()
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] as string) + searched(operation)
}

/** Returns the kind of id that an operation expects at a path; undefined for an id of no space. */
function kindOf({ id }: Operation, steps: Steps): string | undefined {
  const name = nameOf(steps)
  return (`${id} ${name}` in OTHERWISE ? OTHERWISE[`${id} ${name}`] : KINDS[name]) ?? undefined
}

/** Returns the inputs that can name an object in the private space, except the space in the path. */
const hintsIn = (operation: Operation) =>
  allPlaces(operation)
    .filter((steps) => !TELLS.includes(operation.id) && !isSpaceOfPath(operation, steps))
    .flatMap((steps) => {
      const kind = kindOf(operation, steps)
      if (kind === undefined || kind === 'code') return []
      const isInPath = operation.names.includes(steps[0] ?? '')
      return [{ title: steps.join('.'), steps, kind, isInPath }]
    })

const isSpaceOfPath = ({ names }: Operation, [first]: Steps) => first === 'space_id' && names.includes('space_id')

/** Mutually exclusive inputs. */
const ALTERNATIVES = ['decision_id', 'event_id', 'key', 'parent_event_id']

/** Returns the request with an id at one path. The fields that are required beside it come from the world. */
async function placed(
  operation: Operation,
  { path, body, ...request }: Request,
  steps: Steps,
  id: string,
  world: World,
): Promise<Request> {
  const [first = ''] = steps
  if (operation.names.includes(first)) {
    const at = operation.path.split('/').indexOf(`{${first}}`)
    return { ...request, body, path: path.split('/').with(at, id).join('/') }
  }
  const others = ALTERNATIVES.includes(first) ? ALTERNATIVES.filter((name) => name !== first) : []
  if (operation.body) {
    const rest = Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => !others.includes(name)))
    return { ...request, path, body: (await put(operation.body, rest, steps, id, world)) as Request['body'] }
  }
  const url = new URL(path, h.url)
  for (const other of others) url.searchParams.delete(other)
  url.searchParams.set(first, id)
  return { ...request, body, path: url.pathname + url.search }
}

async function put(shown: Schema, value: unknown, steps: Steps, id: string, world: World): Promise<unknown> {
  const schema = resolved(shown)
  const [step, ...rest] = steps
  if (step === undefined) return id
  if (schema.anyOf) return put(schema.anyOf.find(({ type }) => type !== 'null') as Schema, value, steps, id, world)
  if (step === '[]') return [await put(schema.items as Schema, (value as unknown[])?.[0], rest, id, world)]
  const fields = { ...((value ?? (await filled(schema, world))) as Record<string, unknown>) }
  fields[step] = await put(schema.properties?.[step] as Schema, fields[step], rest, id, world)
  return fields
}

/** Returns an example of an object whose ids exist in a world. */
async function filled(schema: Schema, world: World): Promise<Record<string, unknown>> {
  const example = exampleOf(schema) as Record<string, unknown>
  for (const name of Object.keys(example)) {
    if (name in KINDS) example[name] = await world.id(KINDS[name] as string)
  }
  return example
}

/** Creates another private space of Ada's with Bob's agent as a participant. */
async function openRoom(): Promise<string> {
  const space_id = `room-${randomUUID()}`
  await h.as(ada).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
  await h.as(ada).post(`/api/spaces/${space_id}/participants`, { actor_id: scout.actor_id }).expect(200)
  return space_id
}

/** Returns a world for a request that may change it. */
const newWorld = (space_id: string) => new World(h.as(ada), { tenant_id: tenant, space_id })

const titled = operations
  .map((operation) => ({ operation, hints: hintsIn(operation), title: `${operation.method} ${operation.path}` }))
  .filter(
    ({ operation: { method, names }, hints }) => method === 'GET' || names.includes('space_id') || hints.length > 0,
  )

describe.each(titled)('$title', ({ operation, hints }) => {
  const { id, method, names } = operation
  const isRead = method === 'GET'

  if (names.includes('space_id')) {
    it('answers outsiders as if the private space did not exist', async () => {
      const request = await home.request(operation, { space_id: spaceIdOf(space) })
      const path = request.path.replace(space, `/api/spaces/${nowhere}`)
      expect(path).not.toBe(request.path)
      const send = async (outsider: Outsider, path: string) =>
        visiblePartsOf(await clients[outsider].send(method, path, request.body))
      // Some operations are refused to guests in any space.
      const [none, noneToGuest] = [await send('member', path), await send('guest', path)]
      for (const outsider of OUTSIDE) {
        expect(await send(outsider, request.path), outsider).toEqual(outsider === 'guest' ? noneToGuest : none)
      }
    })

    it('lets the sponsor of a participating agent read the space, but not change it', async () => {
      const world = isRead ? home : newWorld(ENDS.includes(id) ? await openRoom() : room)
      const request = await world.request(operation, { space_id: await world.id('space_id') })
      const send = (by: Actor) => h.as(by).send(isRead ? 'HEAD' : method, request.path, request.body)
      if (isRead || LOOKS.includes(id)) {
        await send(bob).expect(200)
      } else {
        if (id === 'space_unarchive') await world.owner.post(request.path.replace(/un(?=archive$)/, '')).expect(200)
        await send(bob).expect(id === 'claim_progress' ? 409 : 403)
        await send(ada).expect(200)
      }
    })
  }

  it.runIf(hints.length > 0).each(hints)(
    'reveals nothing to outsiders through the input $title',
    async ({ steps, kind, isInPath }) => {
      const openRequest = await beside.request(operation)
      // Uses the client's own actor or webhook if it may have one.
      const own = { tenant_id: tenant, space_id: await beside.id('space_id') }
      const requestBy = (client: Client) =>
        isInPath || names.length === 0 || names.includes('space_id')
          ? openRequest
          : new World(client, own).request(operation).catch(() => openRequest)
      const send = async (client: Client, value: string) => {
        const request = await placed(operation, await requestBy(client), steps, value, home)
        return client.send(method, request.path, request.body)
      }
      const hidden = await home.id(kind)
      const unknown = kind === 'space_id' ? nowhere : NOTHING
      for (const outsider of kind === 'space_id' ? OUTSIDE : FEW) {
        if (outsider === 'admin' && kind === 'webhook_id') continue
        const [there, none] = [await send(clients[outsider], hidden), await send(clients[outsider], unknown)]
        expect(visiblePartsOf(there), outsider).toEqual(visiblePartsOf(none))
      }
      // The test above sends the owner's request with this path.
      if (isInPath && names.includes('space_id')) return
      const world = isRead ? home : newWorld(room)
      const valid = isRead && !names.includes('space_id') ? openRequest : await world.request(operation)
      const beyond = kind === 'space_id' ? home : world
      const allowed = await placed(operation, valid, steps, await beyond.id(kind), beyond)
      await h.as(ada).send(method, allowed.path, allowed.body).expect(200)
    },
  )

  if (isRead && !names.includes('space_id')) {
    it.each(OUTSIDE)('shows nothing of the private space to: %s', async (outsider) => {
      if (outsider === 'admin' && FOR_ADMINS.includes(id)) return
      const { text } = await clients[outsider].get(await pathIn(operation))
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    })
  }
})

/** Operations other than GET that change nothing in a space. */
const LOOKS = [
  'event_findMentions',
  'event_streamTicket',
  'file_ticket',
  'participant_leave',
  'preference_change',
  'seen_mark',
  'seen_unmark',
]
/** Operations that change the status of a space. */
const ENDS = ['space_archive', 'space_unarchive']
