import { randomUUID } from 'node:crypto'
import type { ConnectionOptions } from '@collab-spaces/db'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import {
  type Actor,
  bearer,
  Client,
  eventually,
  freePorts,
  freshDatabase,
  query,
  servingConnection,
  spaceIdOf,
  useDatabase,
} from '@collab-spaces/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startServer } from './support/server.js'
import { Stack, startStack } from './support/stack.js'
import { setTenantStatus } from './support/tenant.js'

const INBOX = '/api/actors/me/inbox'

interface Two {
  readonly connection: ConnectionOptions
  /** Both are of the same database. */
  readonly here: Stack
  readonly there: Stack
  /** Ada, at both. */
  readonly ada: Client
  readonly adaThere: Client
  readonly scout: Actor
  readonly space: string
  /** Has Ada mention Scout here. */
  mention(text: string): Promise<unknown>
}

const database = useDatabase()
const stacks = [new Stack(), new Stack()] as const

beforeAll(async () => {
  for (const stack of stacks) await stack.start(database.connection)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => Promise.all(stacks.map((stack) => stack.stop())))

/** Returns two servers, by default those of this file, with a new Ada and a new Scout. */
async function twoServers(connection = database.connection, [here, there] = stacks): Promise<Two> {
  const { ada, client, path } = await new Client(here.url).adasSpace()
  const scout = await client.registerAgent(ada)
  const metadata = { mentions: [scout.actor_id] }
  return {
    connection,
    here,
    there,
    ada: client,
    adaThere: new Client(there.url, ada.api_key),
    scout,
    space: path,
    mention: (text) => client.post(`${path}/speech`, { text, metadata }).expect(200),
  }
}

/** Returns the number of open long polls at a server. */
const waiting = ({ services }: Stack) => services.longPolls.waiting

/** Resolves when a server has this many open long polls. */
const wait = (server: Stack, count = 1) => eventually(() => waiting(server) === count)

const textsIn = ({ items }: { items: { event: { text: string } }[] }) => items.map(({ event }) => event.text)

describe('a long poll of an inbox', () => {
  it('returns at once when the inbox has an item', async () => {
    const { here, scout, mention } = await twoServers()
    await mention('already there')
    const inbox = await new Client(here.url, scout.api_key).get(`${INBOX}?wait=50`).expect(200)
    expect(textsIn(inbox)).toEqual(['already there'])
  })

  it('returns a new item, at this and at another server', async () => {
    const { here, there, scout, mention } = await twoServers()
    const answers = [here, there].map(({ url }) => new Client(url, scout.api_key).get(`${INBOX}?wait=50`))
    await Promise.all([wait(here), wait(there)])
    await mention('hello')
    for (const answer of answers) expect(textsIn(await answer.expect(200))).toEqual(['hello'])
    expect([here, there].map(waiting)).toEqual([0, 0])
  })

  it('returns a plain event of a conversation, at this and at another server', async () => {
    const { here, there, ada, scout } = await twoServers()
    const { space_id } = await ada.post('/api/conversations', { actor_ids: [scout.actor_id] }).expect(200)
    const answers = [here, there].map(({ url }) => new Client(url, scout.api_key).get(`${INBOX}?wait=50`))
    await Promise.all([wait(here), wait(there)])
    await ada.post(`/api/spaces/${space_id}/speech`, { text: 'hello' }).expect(200)
    for (const answer of answers) expect(textsIn(await answer.expect(200))).toEqual(['hello'])
  })

  it('ignores an event that does not address the caller', async () => {
    const { here, ada, scout, space, mention } = await twoServers()
    const answer = new Client(here.url, scout.api_key).get(`${INBOX}?wait=50`)
    await wait(here)
    await ada.post(`${space}/speech`, { text: 'for no one' }).expect(200)
    expect(waiting(here)).toBe(1)
    await mention('for Scout')
    expect(textsIn(await answer.expect(200))).toEqual(['for Scout'])
  })

  it('returns a new item by polling when no signal arrives', async () => {
    const { here, there, scout, mention } = await twoServers()
    vi.spyOn(here.services.database.bus, 'publish').mockImplementation(() => {})
    const answer = new Client(there.url, scout.api_key).get(`${INBOX}?wait=50`)
    await wait(there)
    await mention('unannounced')
    expect(textsIn(await answer.expect(200))).toEqual(['unannounced'])
  })

  it('ignores a snoozed item, and returns it when the snooze ends', async () => {
    const { connection, here, ada, scout, space } = await twoServers()
    const { actor_id: actorId } = await ada.get('/api/actors/me').expect(200)
    const body = { text: 'later', metadata: { mentions: [actorId] } }
    const { event_id } = await ada.as(scout).post(`${space}/response`, body).expect(200)
    const found = () => here.services.database.inbox.withSomething([{ tenantId: DEFAULT_TENANT, actorId }])
    expect(await found()).toHaveLength(1)
    await ada.post(`${INBOX}/snooze`, { items: [{ space_id: spaceIdOf(space), event_id }] }).expect(200)
    expect(await found()).toEqual([])
    const answer = ada.get(`${INBOX}?wait=50`)
    await wait(here)
    await query(connection, 'UPDATE snoozes SET until = now() WHERE actor_id = $1', [actorId])
    expect(textsIn(await answer.expect(200))).toEqual(['later'])
  })

  it('returns a new item by polling while the channel of signals is down', async () => {
    const connection = await freshDatabase()
    const own = [await startStack(connection), await startStack(connection)] as const
    const { there, scout, mention } = await twoServers(connection, own)
    const answer = new Client(there.url, scout.api_key).get(`${INBOX}?wait=50`)
    await wait(there)
    const { rowCount } = await query(
      servingConnection(connection),
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND (query = 'LISTEN collaboration_spaces' OR query LIKE '%clock_timestamp()%')`,
    )
    expect(rowCount).toBeGreaterThanOrEqual(2)
    await mention('while it is cut')
    expect(textsIn(await answer.expect(200))).toEqual(['while it is cut'])
  })

  it('returns for a hundred requests at once on one event', async () => {
    const { there, ada, space } = await twoServers()
    const me = await ada.get('/api/actors/me').expect(200)
    const sponsor = { ...me, api_key: ada.key ?? '' }
    const agents: Actor[] = []
    for (let n = 0; n < 25; n++) agents.push(await ada.registerAgent(sponsor, `Agent ${n}`))
    const answers = agents.flatMap(({ api_key }) =>
      Array.from({ length: 4 }, () => new Client(there.url, api_key).get(`${INBOX}?wait=50`)),
    )
    await wait(there, 100)
    const metadata = { mentions: agents.map(({ actor_id }) => actor_id) }
    await ada.post(`${space}/speech`, { text: 'All of you', metadata }).expect(200)
    for (const answer of answers) expect(textsIn(await answer.expect(200))).toEqual(['All of you'])
    expect(waiting(there)).toBe(0)
  })

  it('returns for a notice, unless limited to another space', async () => {
    const { here, scout, ada, space, mention } = await twoServers()
    const { tenantId } = (await here.services.database.actors.find(scout.actor_id)) ?? { tenantId: null }
    if (tenantId === null) throw new Error('there is no Scout')
    const client = new Client(here.url, scout.api_key)
    const other = await ada.openSpace({ ...scout, api_key: ada.key ?? '' })
    const [all, narrow] = [client.get(`${INBOX}?wait=50`), client.get(`${INBOX}?wait=50&space_id=${spaceIdOf(space)}`)]
    await wait(here, 2)
    const notice = {
      tenantId,
      actorId: scout.actor_id,
      subject: 'd',
      sourceId: 'x',
      spaceId: spaceIdOf(other),
      details: {},
    }
    await here.services.database.notices.raise([{ ...notice, kind: 'review_due' }])
    here.services.longPolls.inboxGrew({ tenantId, actorId: scout.actor_id })
    expect((await all.expect(200)).notices).toHaveLength(1)
    expect(waiting(here)).toBe(1)
    await mention('here')
    expect(textsIn(await narrow.expect(200))).toEqual(['here'])
  })

  it('returns the unchanged inbox at the timeout', async () => {
    const { here, scout } = await twoServers()
    const inbox = await new Client(here.url, scout.api_key).get(`${INBOX}?wait=1`).expect(200)
    expect(inbox.items).toEqual([])
    expect(waiting(here)).toBe(0)
  })

  it('returns at once when its agent is stopped, at any server', async () => {
    const { here, there, ada, scout } = await twoServers()
    const answers = [here, there].map(({ url }) => new Client(url, scout.api_key).get(`${INBOX}?wait=50`))
    await Promise.all([wait(here), wait(there)])
    const { stopped } = await ada.post(`/api/actors/${scout.actor_id}/stop`, { reason: 'It loops' }).expect(200)
    for (const answer of answers) expect(await answer.expect(200)).toMatchObject({ items: [], stopped })
    // Later polls of a stopped agent wait, so that it does not poll in a busy loop.
    const again = new Client(here.url, scout.api_key).get(`${INBOX}?wait=2`)
    await wait(here)
    expect(await again.expect(200)).toMatchObject({ items: [], stopped })
  })

  it('returns soon when its agent was stopped before, with the final state', async () => {
    const { here, ada, scout, space, mention } = await twoServers()
    const set = (verb: string) => ada.post(`/api/actors/${scout.actor_id}/${verb}`, {}).expect(200)
    const ask = (agent: Actor) => new Client(here.url, agent.api_key).get(`${INBOX}?wait=50`)
    const running = await ada.post('/api/actors', { display_name: 'Other', actor_type: 'agent' }).expect(200)
    const other = ask(running)
    await wait(here)
    const { stopped } = await set('stop')
    expect(await ask(scout).expect(200)).toMatchObject({ items: [], stopped })
    expect(waiting(here)).toBe(1)
    const answer = ask(scout)
    await wait(here, 2)
    await set('start')
    await mention('Go on')
    expect(await answer.expect(200)).toMatchObject({ counts: { unread: 1 }, stopped: null })
    await ada.post(`${space}/speech`, { text: 'You, too', metadata: { mentions: [running.actor_id] } }).expect(200)
    await other.expect(200)
  })

  it('returns 401 when its credential ends, at any server', async () => {
    const { here, there, ada, scout } = await twoServers()
    const answers = [here, there].map(({ url }) => new Client(url, scout.api_key).get(`${INBOX}?wait=50`))
    await Promise.all([wait(here), wait(there)])
    await ada.post(`/api/actors/${scout.actor_id}/rotate-key`).expect(200)
    for (const answer of answers) await answer.expect(401, 'Authentication required')
  })

  it('returns 401 token_expired when its credential expires', async () => {
    const { here, ada } = await twoServers()
    const limits = { name: 'short', expires_at: new Date(Date.now() + 1_500).toISOString() }
    const { token } = await ada.post('/api/personal-access-tokens', limits).expect(200)
    const answer = await new Client(here.url, token).get(`${INBOX}?wait=50`)
    expect(answer.expect(401, 'The credential has expired')).toMatchObject({ error: 'token_expired' })
  })

  it('returns an empty inbox when the actor moves to another tenant, and the key stays valid', async () => {
    const { here, there, ada, scout } = await twoServers()
    const answers = [here, there].map(({ url }) => new Client(url, scout.api_key).get(`${INBOX}?wait=50`))
    await Promise.all([wait(here), wait(there)])
    await ada.post('/api/tenants', { name: 'Elsewhere' }).expect(200)
    for (const answer of answers) expect(textsIn(await answer.expect(200))).toEqual([])
    await new Client(here.url, scout.api_key).get('/api/actors/me').expect(200)
  })

  it('returns 403 when its tenant is suspended', async () => {
    const { connection, here, there, ada, scout } = await twoServers()
    const { tenant_id } = await ada.post('/api/tenants', { name: 'Late payers' }).expect(200)
    const answers = [here, there].map(({ url }) => new Client(url, scout.api_key).get(`${INBOX}?wait=50`))
    await Promise.all([wait(here), wait(there)])
    await setTenantStatus(connection, tenant_id, 'suspended')
    for (const answer of answers) await answer.expect(403, 'Tenant is suspended')
  })

  it('ends when its client disconnects', async () => {
    const { here, scout } = await twoServers()
    const leaving = new AbortController()
    const gone = fetch(`${here.url}${INBOX}?wait=50`, { headers: bearer(scout.api_key), signal: leaving.signal })
    await wait(here)
    leaving.abort()
    await expect(gone).rejects.toThrow('aborted')
    await wait(here, 0)
  })

  it('is limited to four per actor, unlike requests without wait', async () => {
    const { here, scout, mention } = await twoServers()
    const client = new Client(here.url, scout.api_key)
    const answers = Array.from({ length: 4 }, () => client.get(`${INBOX}?wait=50`))
    await wait(here, 4)
    const fifth = await client.get(`${INBOX}?wait=50`)
    fifth.expect(429, /^An actor can have at most 4 waiting requests/)
    expect(fifth.headers.get('retry-after')).toBe('5')
    await client.get(INBOX).expect(200)
    await mention('for all four')
    for (const answer of answers) expect(textsIn(await answer.expect(200))).toEqual(['for all four'])
  })

  it('returns an empty inbox at once when the server stops', async () => {
    const metrics = await freePorts(1)
    const server = await startServer(await freshDatabase(), { METRICS_PORT: `${metrics}` })
    const ada = await new Client(server.url).registerHuman()
    const answer = new Client(server.url, ada.api_key).get(`${INBOX}?wait=50`)
    const gauges = async () => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
    await eventually(async () => (await gauges()).includes('spaces_waits 1'))
    await server.stop()
    expect((await answer.expect(200)).items).toEqual([])
  })
})

describe('a long poll of events', () => {
  const events = (client: Client, space: string, query: string) => client.get(`${space}/events?${query}`)
  const texts = (page: { text: string }[]) => page.map(({ text }) => text)

  it('returns a new event, at this and at another server', async () => {
    const { here, there, ada, adaThere, space, mention } = await twoServers()
    const { event_id } = await ada.post(`${space}/speech`, { text: 'first' }).expect(200)
    const answers = [ada, adaThere].map((client) => events(client, space, `since=${event_id}&wait=50`))
    await Promise.all([wait(here), wait(there)])
    await mention('second')
    for (const answer of answers) expect(texts(await answer.expect(200))).toEqual(['second'])
    expect([here, there].map(waiting)).toEqual([0, 0])
  })

  it('returns existing events at once, and the first event of an empty space', async () => {
    const { here, ada, space } = await twoServers()
    const first = events(ada, space, 'wait=50')
    await wait(here)
    await ada.post(`${space}/speech`, { text: 'first' }).expect(200)
    expect(texts(await first.expect(200))).toEqual(['first'])
    expect(texts(await events(ada, space, 'wait=50').expect(200))).toEqual(['first'])
  })

  it('returns a new event by polling when no signal arrives', async () => {
    const { here, there, adaThere, space, mention } = await twoServers()
    vi.spyOn(here.services.database.bus, 'publish').mockImplementation(() => {})
    const answer = events(adaThere, space, 'wait=50')
    await wait(there)
    await mention('unannounced')
    expect(texts(await answer.expect(200))).toEqual(['unannounced'])
  })

  it('returns no events at the timeout', async () => {
    const { ada, space } = await twoServers()
    expect(await events(ada, space, 'wait=1').expect(200)).toEqual([])
  })

  it('returns the same errors as without wait, and 400 with before or tail', async () => {
    const { ada, space } = await twoServers()
    await events(ada, space, `since=${randomUUID()}&wait=50`).expect(404, 'Event not found')
    await events(ada, '/api/spaces/nowhere', 'wait=50').expect(404, 'Space not found')
    for (const other of ['tail=true', `before=${randomUUID()}`]) {
      await events(ada, space, `${other}&wait=50`).expect(400, 'wait: cannot be combined with before or tail')
      await events(ada, space, `${other}&wait=0`).then(({ status }) => expect([200, 404]).toContain(status))
    }
  })
})

describe('a long poll of a decision', () => {
  async function proposed() {
    const two = await twoServers()
    const { decision_id } = await two.ada
      .post(`${two.space}/decisions`, { proposed_by: 'ada', text: 'Ship it' })
      .expect(200)
    const path = `${two.space}/decisions/${decision_id}`
    const settlement = { resolved_by: 'ada', resolution: 'Yes', status: 'resolved' }
    return { ...two, path, settle: () => two.ada.put(`${path}/resolve`, settlement).expect(200) }
  }

  it('returns the settled decision at any server, and at once from then on', async () => {
    const { here, there, ada, adaThere, path, settle } = await proposed()
    const answers = [ada, adaThere].map((client) => client.get(`${path}?wait=50`))
    await Promise.all([wait(here), wait(there)])
    const settled = await settle()
    for (const answer of answers) expect(await answer.expect(200)).toEqual(settled)
    expect(await ada.get(`${path}?wait=50`).expect(200)).toEqual(settled)
  })

  it('returns the settled decision by polling when no signal arrives', async () => {
    const { here, there, adaThere, path, settle } = await proposed()
    vi.spyOn(here.services.database.bus, 'publish').mockImplementation(() => {})
    const answer = adaThere.get(`${path}?wait=50`)
    await wait(there)
    const settled = await settle()
    expect(await answer.expect(200)).toEqual(settled)
  })

  it('returns a decision that another one has superseded, at any server', async () => {
    const { here, there, ada, adaThere, space, path } = await proposed()
    const supersedes = path.split('/').at(-1)
    const successor = { proposed_by: 'ada', text: 'Wait', supersedes }
    const { decision_id } = await ada.post(`${space}/decisions`, successor).expect(200)
    const answers = [ada, adaThere].map((client) => client.get(`${path}?wait=50`))
    await Promise.all([wait(here), wait(there)])
    const settlement = { resolved_by: 'ada', resolution: 'Yes', status: 'resolved' }
    await ada.put(`${space}/decisions/${decision_id}/resolve`, settlement).expect(200)
    for (const answer of answers) expect((await answer.expect(200)).superseded_by).toBe(decision_id)
  })

  it('returns an open decision at the timeout, and 404 for an unknown one', async () => {
    const { ada, space, path } = await proposed()
    expect((await ada.get(`${path}?wait=1`).expect(200)).status).toBe('proposed')
    await ada.get(`${space}/decisions/${randomUUID()}?wait=50`).expect(404, 'Decision not found')
  })
})
