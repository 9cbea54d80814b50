import { randomUUID } from 'node:crypto'
import { spaceIdOf } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { TIMESTAMP } from './support/form.js'
import { useServer } from './support/server.js'
import { foundTenant, moveInto } from './support/tenant.js'

const h = useServer()

describe('POST /api/spaces', () => {
  it('creates an active space without participants', async () => {
    const ada = await h.registerHuman()
    const created = await h.as(ada).post('/api/spaces', { space_id: 'opened' }).expect(200)
    expect(created).toEqual({ space_id: 'opened', status: { status: 'active' } })

    const view = await h.as(ada).get('/api/spaces/opened/status').expect(200)
    expect(view).toEqual({
      space_id: 'opened',
      visibility: 'open',
      title: null,
      description: '',
      status: 'active',
      links: [],
      owners: [ada.actor_id],
      started_at: expect.stringMatching(TIMESTAMP),
      ended_at: null,
      participants: [],
      preferences: { pinned: false, notices: 'mentions' },
      event_count: 0,
      last_event_at: null,
      seen_event_id: null,
      unread_count: 0,
    })
  })

  it('keeps description and links as they were sent', async () => {
    const ada = await h.registerHuman()
    const fields = { description: 'Where we plan 🗺️\n', links: ['https://example.org/a b', 'mailto:ada@example.org'] }
    await h
      .as(ada)
      .post('/api/spaces', { space_id: 'described', ...fields })
      .expect(200)
    expect(await h.as(ada).get('/api/spaces/described/status').expect(200)).toMatchObject(fields)
  })

  it('takes null for an optional field as absent, and ignores unknown fields', async () => {
    const ada = await h.registerHuman()
    const body = { space_id: 'nulls', description: null, links: null, status: 'archived', owner: 'me' }
    await h.as(ada).post('/api/spaces', body).expect(200)
    const view = await h.as(ada).get('/api/spaces/nulls/status').expect(200)
    expect(view).toMatchObject({ description: '', links: [], status: 'active' })
    expect(view).not.toHaveProperty('owner')
  })

  it('refuses a taken id, and does not change the space that has it', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    const path = await h.openSpace(ada, 'plans')
    for (const caller of [ada, bob]) {
      await h
        .as(caller)
        .post('/api/spaces', { space_id: 'plans', description: 'mine' })
        .expect(409, 'space_id is already taken')
    }
    expect(await h.as(ada).get(`${path}/status`).expect(200)).toMatchObject({ description: '', status: 'active' })
  })

  it('refuses the id of an archived space too', async () => {
    const { ada, path } = await h.adasSpace()
    await h.as(ada).post(`${path}/archive`).expect(200)
    await h
      .as(ada)
      .post('/api/spaces', { space_id: spaceIdOf(path) })
      .expect(409, 'space_id is already taken')
  })

  it('accepts only one of many concurrent requests for an id', async () => {
    const ada = await h.registerHuman()
    const requests = Array.from({ length: 8 }, () => h.as(ada).post('/api/spaces', { space_id: 'raced' }))
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
  })

  it('keeps ids unique within a tenant only, and each tenant sees its own', async () => {
    const ada = await h.registerHuman()
    const eve = await h.registerHuman('Eve')
    await moveInto(h.connection, await foundTenant(h.connection), eve)
    for (const [actor, description] of [
      [ada, 'ours'],
      [eve, 'theirs'],
    ] as const) {
      await h.as(actor).post('/api/spaces', { space_id: 'twice', description }).expect(200)
    }
    await h.as(eve).post('/api/spaces', { space_id: 'twice' }).expect(409)
    await h.as(eve).post('/api/spaces/twice/archive').expect(200)

    expect(await h.as(ada).get('/api/spaces/twice/status').expect(200)).toMatchObject({
      description: 'ours',
      status: 'active',
    })
    const seen = await h.as(eve).get('/api/spaces').expect(200)
    expect(seen.map(({ space_id, description }: Record<string, string>) => [space_id, description])).toEqual([
      ['twice', 'theirs'],
    ])
  })

  it.each(['a', '9', 'Plan-9.v2_x:y@z~', 'x'.repeat(128), 'me', 'a..'])('accepts the id %s', async (space_id) => {
    const ada = await h.registerHuman()
    await h.as(ada).post('/api/spaces', { space_id }).expect(200)
    expect((await h.as(ada).get(`/api/spaces/${space_id}/status`).expect(200)).space_id).toBe(space_id)
  })

  it.each(['', '.', '..', '-a', '_a', 'a b', 'a/b', 'a%2Fb', 'é', 'a\n', ' a', 'x'.repeat(129), 7, ['a'], {}, true])(
    'refuses the id %j',
    async (space_id) => {
      const ada = await h.registerHuman()
      await h
        .as(ada)
        .post('/api/spaces', { space_id })
        .expect(400, /^space_id: must be/)
    },
  )

  it.each([undefined, null])('returns 400 for the id %s', async (space_id) => {
    const ada = await h.registerHuman()
    await h.as(ada).post('/api/spaces', { space_id }).expect(400, 'space_id: is required')
  })
})

describe('a title', () => {
  const titleOf = async (client: ReturnType<typeof h.as>, path: string) => {
    const [{ title }, listed] = [
      await client.get(`${path}/status`).expect(200),
      await client.get('/api/spaces').expect(200),
    ]
    expect(listed.find(({ space_id }: { space_id: string }) => space_id === spaceIdOf(path))).toMatchObject({ title })
    return title
  }

  it('is set at creation or later, and does not change the id', async () => {
    const { ada, path: untitled } = await h.adasSpace()
    const client = h.as(ada)
    expect(await titleOf(client, untitled)).toBeNull()
    const space_id = `titled-${randomUUID()}`
    const path = `/api/spaces/${space_id}`
    await client.post('/api/spaces', { space_id, title: '  Spring release 🌷 ' }).expect(200)
    expect(await titleOf(client, path)).toBe('Spring release 🌷')
    expect(await client.patch(path, { title: 'Autumn' }).expect(200)).toMatchObject({ space_id, title: 'Autumn' })
    await client.patch(path, { title: null, description: 'Later' }).expect(200)
    expect(await titleOf(client, path)).toBe('Autumn')
    await client.patch(path, { title: ' ' }).expect(200)
    expect(await titleOf(client, path)).toBeNull()
  })

  it('is changed only by owners and their agents, while the space is not archived', async () => {
    const { ada, path } = await h.adasSpace()
    const [aide, bob] = [await h.registerAgent(ada, 'Aide', EVERYTHING), await h.registerHuman()]
    await h.as(bob).post(`${path}/join`).expect(200)
    await h.as(bob).patch(path, { title: 'Mine' }).expect(403, 'Only owners of this space may do this')
    await h.as(aide).patch(path, { title: 'By an agent of an owner' }).expect(200)
    await h.as(ada).post(`${path}/archive`).expect(200)
    await h.as(ada).patch(path, { title: 'Too late' }).expect(409, 'Space is archived')
    expect(await titleOf(h.as(bob), path)).toBe('By an agent of an owner')
  })

  it('is escaped in the context of the space', async () => {
    const { ada, path } = await h.adasSpace()
    await h.as(ada).patch(path, { title: 'Q&A "live"' }).expect(200)
    const { text } = await h.as(ada).get(`${path}/context`).expect(200)
    expect(text).toContain('<space title="Q&amp;A &quot;live&quot;" status="active"')
  })
})

describe('title, description and links, on creation and on change', () => {
  const refused: [string, unknown, RegExp][] = [
    ['title', 'x'.repeat(101), /^title: must be at most 100 characters, not 101$/],
    ['title', 7, /^title: must be a string$/],
    ['title', 'one\ntwo', /^title: must be one line, without control characters$/],
    ['title', 'one\u2028two', /^title: must be one line, without control characters$/],
    ['title', 'a\u001b[31mb', /^title: must be one line, without control characters$/],
    ['description', 'x'.repeat(2_001), /^description: must be at most 2,000 characters, not 2,001$/],
    ['description', 7, /^description: must be a string$/],
    ['description', ['a'], /^description: must be a string$/],
    ['links', 'https://example.org', /^links: must be an array/],
    ['links', { 0: 'https://example.org' }, /^links: must be an array/],
    ['links', ['example.org'], /^links\.0: must be an absolute URL/],
    ['links', ['https://example.org', '/relative'], /^links\.1: must be an absolute URL/],
    ['links', ['javascript:alert(1)'], /^links\.0: must be an absolute URL/],
    ['links', [' JavaScript:alert(1)'], /^links\.0: must be an absolute URL/],
    ['links', ['java\tscript:alert(1)'], /^links\.0: must be an absolute URL/],
    ['links', ['data:text/html,x'], /^links\.0: must be an absolute URL/],
    ['links', [''], /^links\.0: must not be empty/],
    ['links', [null], /^links\.0: /],
    ['links', [`https://example.org/${'x'.repeat(2_048)}`], /^links\.0: must be at most 2,048 characters/],
    ['links', Array.from({ length: 101 }, () => 'https://example.org'), /^links: must have at most 100 entries$/],
  ]

  it.each(refused)('%s cannot be %j', async (field, value, detail) => {
    const { ada, path } = await h.adasSpace()
    await h
      .as(ada)
      .patch(path, { [field]: value })
      .expect(400, detail)
    const space_id = `refused-${randomUUID()}`
    await h
      .as(ada)
      .post('/api/spaces', { space_id, [field]: value })
      .expect(400, detail)
    await h.as(ada).get(`/api/spaces/${space_id}/status`).expect(404, 'Space not found')
  })

  it('may be as large as documented, counted in code points', async () => {
    const { ada, path } = await h.adasSpace()
    const largest = {
      title: '😀'.repeat(100),
      description: '😀'.repeat(2_000),
      links: Array.from({ length: 100 }, (_, i) => `https://example.org/${String(i).padEnd(2_028, 'x')}`),
    }
    expect(await h.as(ada).patch(path, largest).expect(200)).toMatchObject(largest)
  })
})

describe('GET /api/spaces', () => {
  it('lists the newest first, with counts', async () => {
    const ada = await h.registerHuman()
    const scout = await h.registerAgent(ada)
    const first = await h.openSpace(ada)
    for (const actor of [ada, scout]) await h.as(actor).post(`${first}/join`).expect(200)
    let last = ''
    for (const text of ['one', 'two', 'three'])
      last = (await h.as(ada).post(`${first}/speech`, { text }).expect(200)).timestamp
    const second = await h.openSpace(ada)

    const spaces = await h.as(ada).get('/api/spaces').expect(200)
    expect(spaces.slice(0, 2)).toEqual([
      {
        space_id: spaceIdOf(second),
        visibility: 'open',
        title: null,
        description: '',
        status: 'active',
        links: [],
        owners: [ada.actor_id],
        started_at: expect.stringMatching(TIMESTAMP),
        ended_at: null,
        participant_count: 0,
        partners: [],
        preferences: { pinned: false, notices: 'mentions' },
        event_count: 0,
        last_event_at: null,
        seen_event_id: null,
        unread_count: 0,
      },
      expect.objectContaining({
        space_id: spaceIdOf(first),
        participant_count: 2,
        event_count: 3,
        last_event_at: last,
      }),
    ])
    const started = spaces.map(({ started_at }: { started_at: string }) => started_at)
    expect(started).toEqual([...started].sort().reverse())
  })

  it('filters by status', async () => {
    const ada = await h.registerHuman()
    const ids: Record<string, string> = {}
    for (const status of ['active', 'paused', 'archived']) {
      const path = await h.openSpace(ada)
      await h.as(ada).patch(path, { status }).expect(200)
      ids[status] = spaceIdOf(path)
    }
    for (const status of ['active', 'paused', 'archived']) {
      const spaces = await h.as(ada).get(`/api/spaces?status=${status}`).expect(200)
      expect(new Set(spaces.map((space: { status: string }) => space.status))).toEqual(new Set([status]))
      expect(spaces[0].space_id).toBe(ids[status])
    }
  })

  it.each(['', 'Active', 'closed', 'active,paused', 'null'])('refuses the status "%s"', async (status) => {
    const ada = await h.registerHuman()
    await h
      .as(ada)
      .get(`/api/spaces?status=${status}`)
      .expect(400, /^status: must be one of active, paused, archived$/)
  })
})

describe('GET /api/spaces/{space_id}/status', () => {
  it('returns participants, the number of events and the time of the last one', async () => {
    const { ada, path } = await h.adasSpace()
    const joined = await h.as(ada).post(`${path}/join`).expect(200)
    const event = await h.as(ada).post(`${path}/speech`, { text: 'Hello' }).expect(200)
    expect(await h.as(ada).get(`${path}/status`).expect(200)).toMatchObject({
      participants: [joined],
      event_count: 1,
      last_event_at: event.timestamp,
    })
  })

  it.each(['never-opened', 'a%2Fb', '%00', '%F0%9F%98%80', 'x'.repeat(4_000)])('returns 404 for %s', async (id) => {
    const ada = await h.registerHuman()
    await h.as(ada).get(`/api/spaces/${id}/status`).expect(404, 'Space not found')
  })

  it('distinguishes ids by case', async () => {
    const ada = await h.registerHuman()
    await h.openSpace(ada, 'CaseMatters')
    await h.as(ada).get('/api/spaces/casematters/status').expect(404, 'Space not found')
  })
})

describe('PATCH /api/spaces/{space_id}', () => {
  it('changes only the sent fields, and returns the status view', async () => {
    const { ada, path } = await h.adasSpace()
    const before = await h.as(ada).get(`${path}/status`).expect(200)

    const described = await h.as(ada).patch(path, { description: 'Plans' }).expect(200)
    expect(described).toEqual({ ...before, description: 'Plans' })
    const linked = await h
      .as(ada)
      .patch(path, { links: ['https://a.example', 'https://b.example'] })
      .expect(200)
    expect(linked).toEqual({ ...described, links: ['https://a.example', 'https://b.example'] })
    const paused = await h.as(ada).patch(path, { status: 'paused' }).expect(200)
    expect(paused).toEqual({ ...linked, status: 'paused' })
    expect(await h.as(ada).get(`${path}/status`).expect(200)).toEqual(paused)
  })

  it('replaces all links, even with none', async () => {
    const { ada, path } = await h.adasSpace()
    await h
      .as(ada)
      .patch(path, { links: ['https://a.example', 'https://b.example'] })
      .expect(200)
    const links = ['https://c.example']
    expect((await h.as(ada).patch(path, { links }).expect(200)).links).toEqual(links)
    expect((await h.as(ada).patch(path, { links: [] }).expect(200)).links).toEqual([])
  })

  it.each([undefined, {}, { description: null, status: null, links: null }, { space_id: 'other', owner: 'me' }])(
    'changes nothing with %j',
    async (body) => {
      const { ada, path } = await h.adasSpace()
      await h
        .as(ada)
        .patch(path, { description: 'Plans', links: ['https://a.example'] })
        .expect(200)
      const before = await h.as(ada).get(`${path}/status`).expect(200)
      expect(await h.as(ada).patch(path, body).expect(200)).toEqual(before)
    },
  )

  it('clears the description with an empty one', async () => {
    const { ada, path } = await h.adasSpace()
    await h.as(ada).patch(path, { description: 'Plans' }).expect(200)
    expect((await h.as(ada).patch(path, { description: '' }).expect(200)).description).toBe('')
  })

  it('changes nothing when one of several fields is wrong', async () => {
    const { ada, path } = await h.adasSpace()
    await h
      .as(ada)
      .patch(path, { description: 'Plans', status: 'closed' })
      .expect(400, /^status: /)
    expect(await h.as(ada).get(`${path}/status`).expect(200)).toMatchObject({ description: '', status: 'active' })
  })

  it.each(['Paused', 'closed', '', 7, ['paused']])('refuses the status %j', async (status) => {
    const { ada, path } = await h.adasSpace()
    await h.as(ada).patch(path, { status }).expect(400, 'status: must be one of active, paused, archived')
  })
})

describe('the status of a space', () => {
  const moves: [string[], string][] = [
    [['active'], 'active'],
    [['paused'], 'paused'],
    [['paused', 'paused'], 'paused'],
    [['paused', 'active'], 'active'],
    [['paused', 'archived'], 'archived'],
    [['archived'], 'archived'],
  ]

  it.each(moves)('changes through %j to %s', async (steps, end) => {
    const { ada, path } = await h.adasSpace()
    for (const status of steps) expect((await h.as(ada).patch(path, { status }).expect(200)).status).toBe(status)
    const view = await h.as(ada).get(`${path}/status`).expect(200)
    expect(view.status).toBe(end)
    expect(view.ended_at !== null).toBe(end === 'archived')
  })

  it('accepts events again after a pause', async () => {
    const { ada, path } = await h.adasSpace()
    await h.as(ada).patch(path, { status: 'paused' }).expect(200)
    await h.as(ada).post(`${path}/speech`, { text: 'Hello' }).expect(409, 'Space is not active')
    await h.as(ada).patch(path, { status: 'active' }).expect(200)
    await h.as(ada).post(`${path}/speech`, { text: 'Hello' }).expect(200)
  })

  it('is final once archived, by either operation', async () => {
    const ada = await h.registerHuman()
    for (const archive of [
      (path: string) => h.as(ada).post(`${path}/archive`),
      (path: string) => h.as(ada).patch(path, { status: 'archived' }),
    ]) {
      const path = await h.openSpace(ada)
      const archived = await archive(path).expect(200)
      for (const body of [
        { status: 'active' },
        { status: 'paused' },
        { status: 'archived' },
        { description: 'x' },
        { links: [] },
        {},
      ]) {
        await h.as(ada).patch(path, body).expect(409, 'Space is archived')
      }
      await h.as(ada).post(`${path}/archive`).expect(409, 'Space is archived')
      expect(await h.as(ada).get(`${path}/status`).expect(200)).toEqual(archived)
    }
  })

  it('leaves the history of an archived space readable', async () => {
    const { ada, path } = await h.adasSpace()
    await h.as(ada).post(`${path}/join`).expect(200)
    const event = await h.as(ada).post(`${path}/speech`, { text: 'Hello' }).expect(200)
    await h.as(ada).post(`${path}/archive`).expect(200)
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual([event])
    expect(await h.as(ada).get(`${path}/transcript`).expect(200)).toEqual([event])
    expect(await h.as(ada).get(`${path}/participants`).expect(200)).toHaveLength(1)
  })

  it('changes to archived once, however many requests arrive at once', async () => {
    const { ada, path } = await h.adasSpace()
    const requests = Array.from({ length: 6 }, () => h.as(ada).post(`${path}/archive`))
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409])
  })
})

describe('POST /api/spaces/{space_id}/archive', () => {
  const ways: [string, string | undefined, Record<string, string>][] = [
    ['no body and no content type', undefined, {}],
    ['a content type and no body', undefined, { 'content-type': 'application/json' }],
    ['an empty body', '', { 'content-type': 'application/json' }],
    ['an empty object', '{}', { 'content-type': 'application/json; charset=utf-8' }],
    ['an object as plain text', '{"reason": "done"}', { 'content-type': 'text/plain' }],
  ]

  it.each(ways)('archives with %s, and records the end', async (_, body, headers) => {
    const { ada, path } = await h.adasSpace()
    const before = Date.now()
    const view = await h.as(ada).post(`${path}/archive`, body, { headers }).expect(200)
    expect(view).toMatchObject({ status: 'archived', participants: [], ended_at: expect.stringMatching(TIMESTAMP) })
    expect(Date.parse(view.ended_at)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(view.ended_at)).toBeLessThanOrEqual(Date.now())
    expect(await h.as(ada).get(`${path}/status`).expect(200)).toEqual(view)
  })
})
