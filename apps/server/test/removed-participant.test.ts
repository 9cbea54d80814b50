import { randomUUID } from 'node:crypto'
import { type Actor, type Client, eventually, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { Receiver } from './support/receiver.js'
import { useServer } from './support/server.js'
import { startStack } from './support/stack.js'
import { StreamReader } from './support/stream.js'
import { foundTenant, moveInto } from './support/tenant.js'

/**
 * Actors removed from a private space receive nothing more of it over open connections, at any server: Bob, a
 * participant; Aide, his agent, who is removed with him; and Bob as the sponsor where only Aide took part.
 */

const h = useServer()
const beside = useServer({}, h)

const PATH = '/api/webhooks'

let ada: Actor
/** Stays in every one of Ada's spaces. */
let carol: Actor
let bob: Actor
let aide: Actor
beforeAll(async () => {
  ;[ada, bob, carol] = [await h.registerHuman('Ada'), await h.registerHuman('Bob'), await h.registerHuman('Carol')]
  aide = await h.registerAgent(bob, 'Aide', EVERYTHING)
  await moveInto(h.connection, await foundTenant(h.connection), ada, bob, aide, carol)
})

const REMOVED = [
  ['a participant', { reader: () => bob, members: () => [bob, aide], removed: () => bob }],
  ['the agent of one', { reader: () => aide, members: () => [bob, aide], removed: () => bob }],
  ['the sponsor of an agent', { reader: () => bob, members: () => [aide], removed: () => aide }],
] as const

async function inside(members: readonly Actor[]): Promise<string> {
  const space_id = `hiring-${randomUUID()}`
  const space = `/api/spaces/${space_id}`
  await h.as(ada).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
  for (const actor of [...members, carol]) await add(space, actor)
  return space
}

const add = (space: string, { actor_id }: Actor) => h.as(ada).post(`${space}/participants`, { actor_id }).expect(200)
const remove = (space: string, { actor_id }: Actor) => h.as(ada).delete(`${space}/participants/${actor_id}`).expect(200)
const say = (space: string, text: string, ...mentions: Actor[]): Promise<{ event_id: string }> => {
  const metadata = { mentions: mentions.map(({ actor_id }) => actor_id) }
  return h.as(ada).post(`${space}/speech`, { text, metadata }).expect(200)
}

describe.each(REMOVED)('%s who is removed', (_who, { reader, members, removed }) => {
  const servers = () => [h.as(reader()), beside.as(reader())]

  it('loses its streams, also those opened with a ticket, and cannot use a ticket again', async () => {
    const space = await inside(members())
    await say(space, 'One')
    const ticketOf = async (client: Client) =>
      (await client.post(`${space}/events/stream/tickets`).expect(200)).ticket as string
    const tickets = await Promise.all(servers().map(ticketOf))
    const streams = await Promise.all([
      ...servers().map((client) => StreamReader.open(client, space)),
      ...[h, beside].map((client, at) => StreamReader.open(client, space, { query: `?token=${tickets[at]}` })),
    ])
    for (const stream of streams) await stream.read(1)
    await remove(space, removed())
    for (const stream of streams) await stream.ended
    expect(streams.map(({ texts }) => texts)).toEqual(streams.map(() => ['One']))
    for (const client of [h, beside]) {
      for (const ticket of tickets) {
        await client.get(`${space}/events/stream?token=${ticket}`).expect(404, 'Space not found')
      }
    }
  })

  it('gets 404 for its open long polls', async () => {
    const space = await inside(members())
    // An agent, because only the poster may read the receipts of a human.
    const recipient = await h.registerAgent(carol, 'Asked', EVERYTHING)
    await add(space, recipient)
    const { event_id } = await say(space, 'One', recipient)
    // Assigned to Ada: an unassigned decision would be in the reader's inbox.
    const proposal = { proposed_by: 'Ada', text: 'Go', assignees: [ada.actor_id] }
    const { decision_id } = await h.as(ada).post(`${space}/decisions`, proposal).expect(200)
    await h.as(reader()).clearInbox()
    const stacks = [await startStack(h.connection), await startStack(h.connection)]
    const waits = stacks.flatMap(({ url }) => {
      const client = Object.assign(h.as(reader()), { url })
      return [
        client.get(`${space}/events?since=${event_id}&wait=30`),
        client.get(`${space}/events/${event_id}/receipts?wait=30`),
        client.get(`${space}/decisions/${decision_id}?wait=30`),
        client.get(`/api/actors/me/inbox?space_id=${spaceIdOf(space)}&wait=30`),
      ]
    })
    for (const { services } of stacks) await eventually(() => services.longPolls.waiting === 4)
    await remove(space, removed())
    for (const wait of waits) await wait.expect(404, 'Space not found')
  })
})

/** Creates a webhook whose receiver answers 500. */
async function refusing(by: Actor, body: object) {
  const receiver = await Receiver.listen()
  const { webhook_id, secret } = await h
    .as(by)
    .post(PATH, { url: receiver.url(), payload: 'full', ...body })
    .expect(200)
  receiver.secrets.set(webhook_id, secret)
  receiver.answer = (response) => response.writeHead(500).end()
  const hasFailed = async () => (await h.as(by).get(`${PATH}/${webhook_id}`).expect(200)).failing_since
  return { receiver, webhook_id: webhook_id as string, hasFailed }
}

/** Lets the receiver accept requests, and makes the failed delivery due. */
async function relent({ receiver, webhook_id }: Awaited<ReturnType<typeof refusing>>) {
  receiver.answer = (response) => response.writeHead(204).end()
  const due = 'UPDATE webhook_cursors SET next_attempt_at = now(), retry_at = now() WHERE webhook_id = $1'
  await query(h.connection, due, [webhook_id])
}

/** Waits until servers have polled for due deliveries three times, shown by deliveries to Ada. */
async function afterLooks(space: string) {
  const receiver = await Receiver.listen()
  await h
    .as(ada)
    .post(PATH, { url: receiver.url(), space_id: spaceIdOf(space) })
    .expect(200)
  for (const count of [1, 2, 3]) {
    await say(space, 'More')
    await receiver.until(count)
  }
}

describe.each(REMOVED.filter(([who]) => who !== 'the agent of one'))('the webhook of %s who is removed', (_who, of) => {
  const { reader, members, removed } = of
  it('sends nothing until they are added again, then resumes with the pending delivery', async () => {
    const space = await inside(members())
    const hook = await refusing(reader(), { space_id: spaceIdOf(space), types: ['events.appended'] })
    const { receiver, hasFailed } = hook
    await say(space, 'One')
    await eventually(hasFailed)
    await remove(space, removed())
    await relent(hook)
    await say(space, 'Two')
    await afterLooks(space)
    expect(receiver.received).toHaveLength(1)

    await add(space, removed())
    const [queued, ...sent] = await receiver.until(3)
    expect(sent.flatMap(({ data }) => data.events.map(({ text }: { text: string }) => text))).toEqual([
      ...['One', 'Two', 'More', 'More', 'More'],
    ])
    expect(sent[0]).toMatchObject({ id: queued?.id, text: queued?.text })
    expect(receiver.failures).toEqual([])
  })

  it('begins no delivery under a lease from before the removal', async () => {
    const space = await inside(members())
    const { webhook_id } = await refusing(reader(), { space_id: spaceIdOf(space) })
    const { services } = await startStack(h.connection)
    // As a server that has just leased the cursor.
    const { rows } = await query(
      h.connection,
      `UPDATE webhook_cursors SET lease_id = $2, leased_until = now() + interval '1 minute' WHERE webhook_id = $1
       RETURNING tenant_id AS "tenantId", webhook_id AS "webhookId", space_id AS "spaceId", lease_id AS "leaseId",
         position::int, act_position::int AS "actPosition"`,
      [webhook_id, randomUUID()],
    )
    const begin = () => services.database.webhookDeliveries.begin(rows[0], 'events.appended', 1)
    await remove(space, removed())
    await say(space, 'After')
    expect(await begin()).toBeNull()
    await add(space, removed())
    expect(await begin()).toMatchObject({ type: 'events.appended', end: 1 })
  })
})

it('the inbox webhook of an agent that was removed with its sponsor sends nothing until it is added again', async () => {
  const space = await inside([bob, aide])
  const hook = await refusing(aide, { inbox_of: aide.actor_id })
  await say(space, 'One', aide)
  await eventually(hook.hasFailed)
  await remove(space, bob)
  await relent(hook)
  await afterLooks(space)
  expect(hook.receiver.received).toHaveLength(1)
  await add(space, aide)
  const [queued, sent] = await hook.receiver.until(2)
  expect(sent).toMatchObject({ id: queued?.id, text: queued?.text })
})
