import { randomUUID } from 'node:crypto'
import { type Actor, Client, eventually, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from './support/document.js'
import { CLIENTS, useMcpClients } from './support/mcp.js'
import { useServer } from './support/server.js'
import { startStack } from './support/stack.js'
import { MessageReader } from './support/stream.js'
import { foundTenant, makeAdmin, moveInto, setTenantStatus } from './support/tenant.js'

/** Open streams and waits of an actor end when its rights change, on whichever server the change is made. */

const h = useServer()
const connected = useMcpClients()

let ada: Actor
/** An agent that an event in each space addresses, and whose receipts every reader may see. */
let scout: Actor
let tenant: string

beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  tenant = await foundTenant(h.connection)
  await moveInto(h.connection, tenant, ada)
  await makeAdmin(h.connection, ada)
  scout = await h.registerAgent(ada, 'Scout')
})

/** What an open request of an actor may refer to: a space with an event and a decision. */
interface Setting {
  /** The caller, at one server. */
  readonly client: Client
  readonly space: string
  readonly eventId: string
  readonly decisionId: string
}

/** An open request. `ended` resolves to the status of the answer, or to null for a stream. */
interface OpenRequest {
  readonly isWaiting: boolean
  readonly ended: Promise<number | null>
}

type Opens = (setting: Setting) => Promise<OpenRequest>

const streamAt =
  (path: (setting: Setting) => string): Opens =>
  async (setting) => {
    const reader = await MessageReader.openAt(setting.client, path(setting))
    return { isWaiting: false, ended: reader.ended.then(() => null) }
  }

const WAIT_S = 50

/** Rejects if only the timeout ended the wait. */
async function endedEarly<T>(answer: PromiseLike<T>): Promise<T> {
  const begun = performance.now()
  const answered = await answer
  expect(performance.now() - begun).toBeLessThan(WAIT_S * 1_000)
  return answered
}

const waitAt =
  (path: (setting: Setting) => string): Opens =>
  async (setting) => {
    const answer = endedEarly(setting.client.get(`${path(setting)}wait=${WAIT_S}`))
    return { isWaiting: true, ended: answer.then(({ status }) => status) }
  }

const inputOf = (value: object) => `input=${encodeURIComponent(JSON.stringify(value))}`

/** By the ID of the operation. */
const STREAMS: Readonly<Record<string, Opens>> = {
  event_stream: streamAt(({ space }) => `${space}/events/stream`),
  actor_stream: streamAt(({ space }) => `/api/actors/me/stream?follow=${spaceIdOf(space)}`),
}
const SUBSCRIPTIONS: readonly Opens[] = [
  streamAt(({ space }) => `/trpc/event.stream?${inputOf({ space_id: spaceIdOf(space) })}`),
  streamAt(() => `/trpc/actor.stream?${inputOf({})}`),
]
const WAITS: Readonly<Record<string, Opens>> = {
  event_list: waitAt(({ space, eventId }) => `${space}/events?since=${eventId}&`),
  receipt_list: waitAt(({ space, eventId }) => `${space}/events/${eventId}/receipts?`),
  decision_get: waitAt(({ space, decisionId }) => `${space}/decisions/${decisionId}?`),
  inbox_get: waitAt(() => '/api/actors/me/inbox?'),
}
/** A long poll by a tool over MCP. */
const TOOL: Opens = async ({ client }) => {
  const [, , connect] = CLIENTS[0] as (typeof CLIENTS)[number]
  const tools = await connected(connect, client.url, client.key as string)
  const refused = () => null
  const answer = endedEarly(tools.call('wait_for_attention', { wait: WAIT_S }).catch(refused))
  return { isWaiting: true, ended: answer.then(() => null) }
}

it('the tests cover every operation with a stream or a long poll', () => {
  const isStream = ({ responses }: (typeof operations)[number]) =>
    Object.hasOwn(responses[200]?.content ?? {}, 'text/event-stream')
  const waits = ({ query }: (typeof operations)[number]) => query.some(({ name }) => name === 'wait')
  expect(
    operations
      .filter(isStream)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(Object.keys(STREAMS).sort())
  expect(
    operations
      .filter(waits)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(Object.keys(WAITS).sort())
})

interface Change {
  /** Prepares the actor, who is otherwise a member in no space. */
  readonly before?: (actor: Actor, space: string) => PromiseLike<unknown>
  readonly visibility?: 'open' | 'private'
  readonly change: (actor: Actor, space: string) => PromiseLike<unknown>
  /** Whether the change concerns one space only, so that streams and waits of the actor itself continue. */
  readonly ofSpace?: true
  /** The status of a long poll in the space after the change. */
  readonly waits: number
}

const memberPath = ({ actor_id }: Actor) => `/api/tenants/${tenant}/members/${actor_id}`
const setAccess = (actor: Actor, access: 'all' | 'named') =>
  h
    .as(ada)
    .put(`${memberPath(actor)}/access`, { access })
    .expect(200)
const setAdmin = (actor: Actor, is_admin: boolean) => h.as(ada).patch(memberPath(actor), { is_admin }).expect(200)
const add = ({ actor_id }: Actor, space: string, role = 'member') =>
  h.as(ada).post(`${space}/participants`, { actor_id, role }).expect(200)

const CHANGES: Readonly<Record<string, Change>> = {
  'is made a guest': { change: (actor) => setAccess(actor, 'named'), waits: 404 },
  'is made a guest where it was added': { before: add, change: (actor) => setAccess(actor, 'named'), waits: 200 },
  'is no longer a guest': {
    before: async (actor, space) => {
      await add(actor, space)
      await setAccess(actor, 'named')
    },
    change: (actor) => setAccess(actor, 'all'),
    waits: 200,
  },
  'is made an admin': { change: (actor) => setAdmin(actor, true), waits: 200 },
  'is no longer an admin': {
    before: (actor) => setAdmin(actor, true),
    change: (actor) => setAdmin(actor, false),
    waits: 200,
  },
  'is removed from the private space': {
    visibility: 'private',
    before: add,
    change: ({ actor_id }, space) => h.as(ada).delete(`${space}/participants/${actor_id}`).expect(200),
    ofSpace: true,
    waits: 404,
  },
  'leaves the private space': {
    visibility: 'private',
    before: (actor, space) => add(actor, space, 'owner'),
    change: (actor, space) => h.as(actor).post(`${space}/leave`).expect(200),
    ofSpace: true,
    waits: 404,
  },
  'is not in a space that becomes private': {
    change: (_, space) => h.as(ada).patch(space, { visibility: 'private' }).expect(200),
    ofSpace: true,
    waits: 404,
  },
  'leaves the tenant': {
    change: (actor) => h.as(actor).post(`/api/tenants/${tenant}/leave`).expect(200),
    waits: 200,
  },
  'is removed from the tenant': { change: (actor) => h.as(ada).delete(memberPath(actor)).expect(200), waits: 200 },
  'is disabled': {
    change: ({ actor_id }) => h.as(ada).post(`/api/actors/${actor_id}/disable`).expect(200),
    waits: 401,
  },
  'is deleted': {
    change: (actor) => h.as(actor).delete(`/api/actors/${actor.actor_id}`).expect(200),
    waits: 401,
  },
  'rotates its key': {
    change: (actor) => h.as(actor).post(`/api/actors/${actor.actor_id}/rotate-key`).expect(200),
    waits: 401,
  },
  'is in a suspended tenant': {
    change: () => setTenantStatus(h.connection, tenant, 'suspended'),
    waits: 403,
  },
}

/** Opens requests at another server than the one of the change, and resolves when all have ended. */
async function endOf(
  { before, visibility = 'open', change }: Change,
  opens: readonly (Opens | undefined)[],
): Promise<(number | null)[]> {
  const actor = await h.registerHuman('Grace')
  await moveInto(h.connection, tenant, actor)
  const space_id = `plans-${randomUUID()}`
  const space = `/api/spaces/${space_id}`
  await h.as(ada).post('/api/spaces', { space_id, visibility }).expect(200)
  await add(scout, space)
  const metadata = { mentions: [scout.actor_id] }
  const { event_id } = await h.as(ada).post(`${space}/speech`, { text: 'One', metadata }).expect(200)
  // Assigned to Ada: otherwise it would be in the actor's inbox and end the wait.
  const proposal = { proposed_by: 'Ada', text: 'Go', assignees: [ada.actor_id] }
  const { decision_id } = await h.as(ada).post(`${space}/decisions`, proposal).expect(200)
  await before?.(actor, space)
  await h.as(actor).clearInbox()

  const { url, services } = await startStack(h.connection)
  const setting = { client: new Client(url).as(actor), space, eventId: event_id, decisionId: decision_id }
  const opened = await Promise.all(opens.map((open) => (open as Opens)(setting)))
  await eventually(() => services.longPolls.waiting === opened.filter(({ isWaiting }) => isWaiting).length)

  await change(actor, space)
  const ended = await Promise.all(opened.map(({ ended }) => ended))
  await query(h.connection, `UPDATE tenants SET status = 'active' WHERE tenant_id = $1`, [tenant])
  return ended
}

describe('open streams and long polls of an actor end when it', () => {
  const { event_stream, actor_stream } = STREAMS
  const { inbox_get, ...inSpace } = WAITS
  const [eventSubscription, actorSubscription] = SUBSCRIPTIONS
  const ofSpace = [event_stream, eventSubscription, ...Object.values(inSpace)]
  const ofActor = [actor_stream, actorSubscription, inbox_get]

  it.each(Object.entries(CHANGES))('%s', async (_what, change) => {
    const ended = await endOf(change, change.ofSpace ? ofSpace : [...ofSpace, ...ofActor])
    const waits = ended.slice(2, ofSpace.length)
    expect(waits).toEqual(waits.map(() => change.waits))
  })

  // By itself, as an actor can have only a limited number of long polls.
  it.each(Object.entries(CHANGES).filter(([, change]) => !change.ofSpace))('%s, over MCP', async (_what, change) => {
    await endOf(change, [TOOL])
  })
})
