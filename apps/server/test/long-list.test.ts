import { randomUUID } from 'node:crypto'
import { type Actor, spaceIdOf } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const h = useServer()
const operate = operatorOf(h)

/** A list, the request that adds to it, and a count that one query does not read at once. */
interface LongList {
  readonly path: (space: string) => string
  readonly add: (space: string) => string
  readonly body: () => object
  readonly count: number
  readonly id: string
  readonly newestFirst?: true
}

const LISTS: Readonly<Record<string, LongList>> = {
  decisions: {
    path: (space) => `${space}/decisions`,
    add: (space) => `${space}/decisions`,
    body: () => ({ proposed_by: 'Ada', text: 'Go' }),
    count: 45,
    id: 'decision_id',
  },
  links: {
    path: (space) => `${space}/links`,
    add: (space) => `${space}/links`,
    body: () => ({ target_uri: `https://example.org/${randomUUID()}` }),
    count: 201,
    id: 'link_id',
  },
  spaces: {
    path: () => '/api/spaces',
    add: () => '/api/spaces',
    body: () => ({ space_id: randomUUID() }),
    count: 101,
    id: 'space_id',
    newestFirst: true,
  },
  agents: {
    path: () => '/api/actors/me/agents',
    add: () => '/api/actors',
    body: () => ({ display_name: 'Scout', actor_type: 'agent' }),
    count: 201,
    id: 'actor_id',
  },
  tokens: {
    path: () => '/api/personal-access-tokens',
    add: () => '/api/personal-access-tokens',
    body: () => ({ name: 'laptop' }),
    count: 501,
    id: 'pat_id',
    newestFirst: true,
  },
  invites: { path: () => '/api/invites', add: () => '/api/invites', body: () => ({}), count: 501, id: 'invite_id' },
}

/** Registers the admin of a new, empty tenant without quotas. */
async function admin(): Promise<Actor> {
  const ada = await h.registerHuman()
  const tenant = await foundTenant(h.connection)
  await operate('tenant', 'quota', 'set', tenant, '--agents-per-human', 'none', '--tokens-per-human', 'none')
  await moveInto(h.connection, tenant, ada)
  await makeAdmin(h.connection, ada)
  return ada
}

it.each(Object.entries(LISTS))('all %s are listed once and in order, however many', async (_noun, list) => {
  const ada = await admin()
  const space = await h.openSpace(ada, `a-${randomUUID()}`)
  const made: string[] = []
  // Concurrent requests, so that some items have the same millisecond.
  while (made.length < list.count) {
    const some = Array.from({ length: Math.min(10, list.count - made.length) }, () =>
      h.as(ada).post(list.add(space), list.body()).expect(200),
    )
    for (const item of await Promise.all(some)) made.push(item[list.id])
  }
  const listed: Record<string, string>[] = await h.as(ada).get(list.path(space)).expect(200)
  const ids = listed.map((item) => item[list.id] as string).filter((id) => !space.endsWith(id))
  expect([...ids].sort()).toEqual([...made].sort())
  const moments = listed.map((item) => item.created_at ?? (item.started_at as string))
  expect(moments).toEqual(list.newestFirst ? [...moments].sort().reverse() : [...moments].sort())
})

it('the spaces that an actor has joined are listed once and in order, whether few or many', async () => {
  const [ada, grace] = [await h.registerHuman('Ada'), await h.registerHuman('Grace')]
  const joined = new Map([ada, grace].map((actor) => [actor, [] as string[]]))
  for (let n = 0; n < 52; n++) {
    const spaces = await Promise.all(Array.from({ length: 10 }, () => h.openSpace(ada)))
    await Promise.all(spaces.map((path) => h.as(ada).post(`${path}/join`).expect(200)))
    joined.get(ada)?.push(...spaces.map(spaceIdOf))
    const [first] = spaces
    if (n % 10 === 0) await h.as(grace).post(`${first}/join`).expect(200)
    if (n % 10 === 0) joined.get(grace)?.push(spaceIdOf(first as string))
  }
  for (const [actor, ids] of joined) {
    const listed: Record<string, string>[] = await h.as(actor).get('/api/actors/me/spaces').expect(200)
    expect(listed.map(({ space_id }) => space_id).sort()).toEqual(ids.sort())
    const moments = listed.map(({ started_at }) => started_at)
    expect(moments).toEqual([...moments].sort().reverse())
  }
})
