import { type Actor, type Client, eventually, query } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { document, type Operation, operations } from './support/document.js'
import { Mailbox } from './support/mailbox.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'
import { World } from './support/world.js'

/**
 * Private fields of humans and agents, see `docs/auditors.md`. Each operation is performed by each kind of caller, and
 * no answer may contain the value of another actor's private field.
 */

const mailbox = new Mailbox()
const settings: Record<string, string> = {}
beforeAll(async () => {
  await mailbox.open()
  Object.assign(settings, mailbox.settings)
  return () => mailbox.close()
})
const h = useServer(settings)

/** Fields of answers that may be private by their names. A new one needs a rule, and a value below. */
const PRIVATE = ['address', 'agent_profile', 'email', 'last_seen_at', 'metadata']
/** Fields about the caller's own requests, or settings that every caller may see. */
const NOT_PRIVATE = ['emails', 'sends_email']

let tenant: string
let ada: Actor
let count = 0

beforeAll(async () => {
  tenant = await foundTenant(h.connection)
  ada = await h.registerHuman('Ada')
  await moveInto(h.connection, tenant, ada)
  await makeAdmin(h.connection, ada)
})

/** A human with an agent in the tenant, and their private values. */
interface Household {
  readonly human: Actor
  readonly agent: Actor
  readonly space: string
  readonly ids: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
}

async function household(): Promise<Household> {
  const id = ++count
  const email = `private-${id}@example.org`
  const address = `notified-${id}@example.org`
  const [agent_profile, metadata] = [`The profile of agent ${id}`, `The metadata of agent ${id}`]
  const human = await h.post('/api/actors', { display_name: `Grace ${id}`, email }).expect(200)
  await moveInto(h.connection, tenant, human)
  const asHuman = h.as(human)
  const body = { display_name: `Scout ${id}`, actor_type: 'agent', agent_profile, metadata: { note: metadata } }
  const agent = await asHuman.post('/api/actors', body).expect(200)
  const { token } = await asHuman.post('/api/personal-access-tokens', { name: 'laptop' }).expect(200)
  await h.as(token).put('/api/actors/me/notifications', { email: address }).expect(200)
  const space_id = `of-${id}`
  await asHuman.post('/api/spaces', { space_id }).expect(200)
  for (const actor of [human, agent]) await h.as(actor).post(`/api/spaces/${space_id}/join`).expect(200)
  const event = { text: 'Hello', metadata: { mentions: [human.actor_id, agent.actor_id] } }
  const { event_id } = await h.as(ada).post(`/api/spaces/${space_id}/speech`, event).expect(200)
  await eventually(async () => {
    const { rows } = await query(h.connection, 'SELECT FROM actors WHERE actor_id = $1 AND last_seen_at IS NOT NULL', [
      human.actor_id,
    ])
    return rows.length > 0
  })
  const secrets = { email, address, agent_profile, metadata }
  return { human, agent, space: space_id, ids: { space_id, event_id, tenant_id: tenant }, secrets }
}

/** Ranks deletions late, and those of the actor or of the caller's key last. */
const rankOf = ({ id, method }: Operation) =>
  ['actor_delete', 'tenant_removeMember', 'actor_rotateKey'].includes(id) ? 2 : Number(method === 'DELETE')

/** Returns whether an operation is tested. Participation in a space is no field of the actor. */
const isAsked = ({ names, method }: Operation) =>
  method === 'GET' || (names.includes('actor_id') && !names.includes('space_id'))

/**
 * Performs every read, and every operation about the agent and then about the human, as an admin would. Returns the
 * private fields in the answers, and the operations that show them.
 */
async function fieldsSeen(caller: Client, { human, agent, ids, secrets }: Household) {
  const seen = new Map<string, Set<string>>()
  let answered = 0
  const inOrder = [...operations].sort((a, b) => rankOf(a) - rankOf(b))
  for (const actor of [agent, human]) {
    const world = new World(h.as(ada), { ...ids, actor_id: actor.actor_id, participant_id: actor.actor_id })
    for (const operation of inOrder.filter(isAsked)) {
      const { method, path, body } = await world.request(operation)
      const { status, text } = await caller.send(method, path, body)
      if (status === 200) answered += 1
      for (const [field, secret] of Object.entries(secrets)) {
        if (text.includes(secret)) seen.set(field, (seen.get(field) ?? new Set()).add(operation.id))
      }
      for (const [, at] of text.matchAll(/"last_seen_at":"([^"]*)"/g)) expect(at).toMatch(/:00\.000Z$/)
    }
  }
  expect(answered).toBeGreaterThan(0)
  return Object.fromEntries([...seen].map(([field, by]) => [field, [...by].sort()]))
}

it('each field of an answer that may be private has a rule', () => {
  const names = new Set<string>()
  const look = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    const { properties } = value as { properties?: object }
    for (const name of Object.keys(properties ?? {})) names.add(name)
    for (const part of Object.values(value)) look(part)
  }
  for (const path of Object.values(document.paths)) {
    for (const { responses } of Object.values(path)) look(responses)
  }
  look(document.components.schemas)
  const suspects = [...names].filter((name) => /e?mail|address|profile|last_seen|metadata|phone|push_keys/.test(name))
  expect(suspects.sort()).toEqual([...PRIVATE, ...NOT_PRIVATE].sort())
})

describe('the private fields of a member and its agent', () => {
  it.each([
    ['an admin', async () => ada],
    ['another member', async () => member()],
    ['the agent of another member', async () => h.registerAgent(await member())],
    ['a guest of its space', (of: Household) => guest(of)],
    ['an actor of another tenant', async () => stranger()],
    ['an actor of the shared default tenant', async () => h.registerHuman('Eve')],
  ])('are in no answer to %s', async (_, callerFor) => {
    const of = await household()
    expect(await fieldsSeen(h.as(await callerFor(of)), of)).toEqual({})
  })

  it('are in the answers to the human, and only the agent’s own in those to the agent', async () => {
    const of = await household()
    const byAgent = await fieldsSeen(h.as(of.agent), of)
    expect(Object.keys(byAgent).sort()).toEqual(['agent_profile', 'metadata'])
    expect(byAgent.agent_profile).toContain('actor_me')
    const byHuman = await fieldsSeen(h.as(of.human), of)
    expect(Object.keys(byHuman).sort()).toEqual(['address', 'agent_profile', 'email', 'metadata'])
    expect(byHuman.address).toContain('credential_list')
    expect(byHuman.agent_profile).toEqual(expect.arrayContaining(['actor_card', 'actor_myAgents', 'actor_stop']))
  })
})

it('last_seen_at of a stranger is null in the shared default tenant', async () => {
  const [eve, mallory] = [await h.registerHuman('Eve'), await h.registerHuman('Mallory')]
  const scout = await h.registerAgent(mallory, 'Scout')
  const path = await h.openSpace(eve)
  for (const actor of [eve, mallory, scout]) await h.as(actor).post(`${path}/join`).expect(200)
  const mention = { text: 'Hello', metadata: { mentions: [eve.actor_id, scout.actor_id] } }
  const { event_id } = await h.as(mallory).post(`${path}/speech`, mention).expect(200)
  const seenBy = async (caller: Actor) => {
    const receipts = await h.as(caller).get(`${path}/events/${event_id}/receipts`).expect(200)
    const cards = [eve, scout].map(({ actor_id }) => h.as(caller).get(`/api/actors/${actor_id}`).expect(200))
    const all: { actor_id: string; last_seen_at: string | null }[] = [...receipts, ...(await Promise.all(cards))]
    return [...new Set(all.flatMap(({ actor_id, last_seen_at }) => (last_seen_at === null ? [] : [actor_id])))]
  }
  // Repeats the use, since it is not recorded while the row is locked.
  await eventually(async () => {
    await h.as(scout).get('/api/actors/me').expect(200)
    return (await seenBy(mallory)).length > 0
  })
  expect(await seenBy(mallory)).toEqual([scout.actor_id])
  await eventually(async () => (await seenBy(eve)).length > 0)
  expect(await seenBy(eve)).toEqual([eve.actor_id])
})

async function member(): Promise<Actor> {
  const bob = await h.registerHuman('Bob')
  await moveInto(h.connection, tenant, bob)
  return bob
}

async function stranger(): Promise<Actor> {
  const mallory = await h.registerHuman('Mallory')
  await moveInto(h.connection, await foundTenant(h.connection), mallory)
  await makeAdmin(h.connection, mallory)
  return mallory
}

async function guest({ space }: Household): Promise<Actor> {
  const gus = await member()
  await h.as(ada).put(`/api/tenants/${tenant}/members/${gus.actor_id}/access`, { access: 'named' }).expect(200)
  await h.as(ada).post(`/api/spaces/${space}/participants`, { actor_id: gus.actor_id }).expect(200)
  return gus
}
