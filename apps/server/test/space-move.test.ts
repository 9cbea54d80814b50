import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { readReceipt } from '@collab-spaces/merkle'
import { type Actor, eventually, query } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const h = useServer()
const operator = operatorOf(h)

const PREVIEW = '/api/actors/me/space-move'

const found = (actor: Actor, fields: object = { bring_spaces: true }, name = 'Acme') =>
  h
    .as(actor)
    .post('/api/tenants', { name, ...fields })
    .expect(200)

const preview = (actor: Actor) => h.as(actor).get(PREVIEW).expect(200)

const idOf = (path: string) => path.split('/').at(-1) as string

const say = (actor: Actor, path: string, text: string, more: object = {}) =>
  h
    .as(actor)
    .post(`${path}/speech`, { text, ...more })
    .expect(200)

/** Returns the problems that the operator's check finds. */
async function problems(): Promise<object[]> {
  const [json = ''] = await operator('check', '--json')
  return JSON.parse(json).problems
}

/** Creates a human with an agent, and a space that both have joined. */
async function trial() {
  const ada = await h.registerHuman('Ada')
  const scout = await h.registerAgent(ada, 'Scout')
  const path = await h.openSpace(ada)
  for (const actor of [ada, scout]) await h.as(actor).post(`${path}/join`).expect(200)
  return { ada, scout, path, id: idOf(path) }
}

describe('POST /api/tenants with bring_spaces', () => {
  let ada: Actor
  let scout: Actor
  let deleted: Actor
  let path: string
  let notes: string
  let conversation: string
  let receipts: { readonly event: object; readonly decision: object }
  let checkpoint: { readonly size: number; readonly root: string; readonly origin: string }
  const before = new Map<string, unknown>()
  let key: string
  let keyed: { readonly body: object; readonly event_id: string }
  let webhookId: string
  let limited: string

  /** Reads what must be the same for members after the move. */
  const read = async () => {
    const found = new Map<string, unknown>()
    for (const space of [path, notes, conversation]) {
      for (const part of [
        'status',
        'events?limit=200',
        'events?tail=true',
        'transcript',
        'participants',
        'threads',
        'links?direction=both',
        'policy',
        'acts',
        'decisions',
        'decisions/summary',
        'receipts',
        `mentions/${scout.actor_id}`,
        'activity?since=2020-01-01',
        'claims',
      ]) {
        found.set(`${space}/${part}`, (await h.as(ada).get(`${space}/${part}`)).body)
      }
    }
    for (const actor of [ada, scout]) {
      found.set(`inbox of ${actor.display_name}`, await h.as(actor).get('/api/actors/me/inbox?peek=true').expect(200))
      found.set(`spaces of ${actor.display_name}`, await h.as(actor).get('/api/actors/me/spaces').expect(200))
    }
    found.set('search', await h.as(ada).get('/api/search?q=luggage').expect(200))
    return found
  }

  beforeAll(async () => {
    const made = await trial()
    ;({ ada, scout, path } = made)
    deleted = await h.registerAgent(ada, 'Gone')
    notes = await h.openSpace(ada)
    await h.as(ada).patch(notes, { visibility: 'private', title: 'Notes' }).expect(200)
    const started = await h
      .as(ada)
      .post('/api/conversations', { actor_ids: [scout.actor_id] })
      .expect(200)
    conversation = `/api/spaces/${started.space_id}`
    const first = await say(ada, path, 'Who packs the luggage?', { metadata: { mentions: [scout.actor_id] } })
    await say(deleted, path, 'I was here')
    await h.as(ada).delete(`/api/actors/${deleted.actor_id}`).expect(200)
    const thread = { parent_event_id: first.event_id, subject: 'Luggage' }
    const { thread_id } = await h.as(scout).post(`${path}/threads`, thread).expect(200)
    await say(scout, path, 'I do', { thread_id, parent_event_id: first.event_id })
    for (let n = 0; n < 30; n++) await say(ada, path, `line ${n}`, { thread_id })
    const { event_id: typo } = await say(ada, notes, 'mine alnoe')
    await say(ada, notes, 'mine alone', { corrects: typo })
    const { event_id: secret } = await say(ada, notes, 'a secret')
    await operator('event', 'redact', DEFAULT_TENANT, idOf(notes), secret, '--by', 'Ada', '--yes')
    const { event_id: stray } = await say(ada, notes, 'luggage for another space')
    await say(ada, notes, 'Wrong space', { retracts: stray })
    await say(ada, conversation, 'between us')
    const { decision_id } = await h
      .as(scout)
      .post(`${path}/decisions`, { text: 'Two bags', proposed_by: 'Scout', assignees: [ada.actor_id] })
      .expect(200)
    await h
      .as(ada)
      .put(`${path}/decisions/${decision_id}/resolve`, { resolved_by: 'Ada', resolution: 'Yes', status: 'resolved' })
      .expect(200)
    await h
      .as(scout)
      .post(`${path}/decisions`, { text: 'A map', proposed_by: 'Scout', assignees: [ada.actor_id] })
      .expect(200)
    await h
      .as(ada)
      .put(`${path}/policy`, { settle: { who: 'named', named: [ada.actor_id] }, loop_guard: { total: 9 } })
      .expect(200)
    await h
      .as(ada)
      .post(`${path}/links`, { target_id: idOf(notes) })
      .expect(200)
    await h.as(ada).post(`${path}/links`, { target_uri: 'https://example.org/' }).expect(200)
    await h.as(scout).post(`${path}/claims`, { key: 'packing' }).expect(200)
    await h.as(ada).put(`${path}/seen`).expect(200)
    await h.as(ada).put(`${notes}/preferences`, { pinned: true }).expect(200)
    const body = { text: 'once only' }
    const { event_id } = await h
      .as(ada)
      .post(`${path}/speech`, body, { headers: { 'Idempotency-Key': 'once' } })
      .expect(200)
    keyed = { body, event_id }
    const webhook = { url: 'https://127.0.0.1:9/', space_id: idOf(path) }
    webhookId = (await h.as(ada).post('/api/webhooks', webhook).expect(200)).webhook_id
    limited = (
      await h
        .as(ada)
        .post('/api/personal-access-tokens', { name: 'limited', space_ids: [idOf(path)] })
        .expect(200)
    ).token
    await eventually(async () => (await h.as(ada).get(`${path}/log/checkpoint`).expect(200)).size === 33 + 1)
    checkpoint = await h.as(ada).get(`${path}/log/checkpoint`).expect(200)
    receipts = {
      event: await h.as(ada).get(`${path}/log/proof?event_id=${first.event_id}`).expect(200),
      decision: await eventually(async () => {
        const { status, body } = await h.as(ada).get(`${path}/log/proof?decision_id=${decision_id}`)
        return status === 200 ? (body as object) : null
      }),
    }
    key = (await h.get('/log/keys')).text.trim()
    for (const [name, value] of await read()) before.set(name, value)
    const plan = await preview(ada)
    expect(plan).toEqual({
      moves: expect.arrayContaining([
        { space_id: idOf(path), title: null, event_count: 34 },
        { space_id: idOf(notes), title: 'Notes', event_count: 5 },
        { space_id: idOf(conversation), title: null, event_count: 1 },
      ]),
      stays: [],
      links_removed: 0,
      webhooks_disabled: 1,
    })
    const tenant = await found(ada)
    expect(tenant.spaces).toEqual(plan)
    expect(tenant).toMatchObject({ name: 'Acme', status: 'active' })
  })

  it('keeps ids, order, threads, decisions, links, claims, inboxes and search results', async () => {
    const after = await read()
    for (const [name, value] of before) expect({ [name]: after.get(name) }).toEqual({ [name]: value })
    expect(after.size).toBe(before.size)
    expect(JSON.stringify([...before.values()])).toContain('packing')
  })

  it('keeps proofs valid: earlier receipts, the root, and consistency with earlier checkpoints', async () => {
    for (const receipt of Object.values(receipts)) {
      expect(readReceipt(JSON.stringify(receipt), key).entries.length).toBeGreaterThan(0)
    }
    const { origin, ...now } = await h.as(ada).get(`${path}/log/checkpoint`).expect(200)
    expect(now).toMatchObject({ size: checkpoint.size, root: checkpoint.root })
    const { tenant_id } = await h.as(ada).get('/api/actors/me').expect(200)
    expect(origin).toContain(tenant_id)
    expect(origin.replace(tenant_id, '')).toBe(checkpoint.origin.replace(/[0-9a-f-]{36}/, ''))
    await say(ada, path, 'And on')
    await eventually(
      async () => (await h.as(ada).get(`${path}/log/checkpoint`).expect(200)).size === checkpoint.size + 1,
    )
    await h.as(ada).get(`${path}/log/consistency?from=${checkpoint.size}`).expect(200)
  })

  it('repeats the answer for an earlier idempotency key', async () => {
    const again = await h
      .as(ada)
      .post(`${path}/speech`, keyed.body, { headers: { 'Idempotency-Key': 'once' } })
      .expect(200)
    expect(again.event_id).toBe(keyed.event_id)
  })

  it('keeps the conversation, and the spaces of limited credentials', async () => {
    const again = await h
      .as(ada)
      .post('/api/conversations', { actor_ids: [scout.actor_id] })
      .expect(200)
    expect(again.space_id).toBe(idOf(conversation))
    await h.as(limited).get(`${path}/events`).expect(200)
    await h.as(limited).get(`${notes}/events`).expect(404)
  })

  it('moves webhooks, disabled until their secret is rotated', async () => {
    const webhook = await h.as(ada).get(`/api/webhooks/${webhookId}`).expect(200)
    expect(webhook).toMatchObject({ space_id: idOf(path), disabled_reason: 'disabled' })
    await h.as(ada).post(`/api/webhooks/${webhookId}/rotate-secret`).expect(200)
    await h.as(ada).patch(`/api/webhooks/${webhookId}`, { disabled: false }).expect(200)
    await h.as(ada).patch(`/api/webhooks/${webhookId}`, { disabled: true }).expect(200)
  })

  it('lets invited members continue in the spaces, and no actor outside the tenant', async () => {
    const { code } = await h
      .as(ada)
      .post('/api/invites', { default_space_id: idOf(path) })
      .expect(200)
    const grace = await h.registerHuman('Grace')
    await h.as(grace).get(`${path}/events`).expect(404)
    await h.as(grace).post('/api/invites/redeem', { code }).expect(200)
    await say(grace, path, 'Hello from Grace')
    await say(scout, path, 'Hello Grace', { metadata: { mentions: [grace.actor_id] } })
    expect((await h.as(grace).get('/api/actors/me/inbox').expect(200)).items).toHaveLength(1)
    await h.as(grace).get(`${notes}/events`).expect(404)
  })

  it('keeps the ids taken in the previous tenant', async () => {
    const bob = await h.registerHuman('Bob')
    await h.as(bob).get(`${path}/status`).expect(404)
    await h
      .as(bob)
      .post('/api/spaces', { space_id: idOf(path) })
      .expect(409, /moved to another tenant/)
  })

  it('is in the security logs of both tenants, and passes the integrity check', async () => {
    const entries = await h.as(ada).get('/api/audit?action=space.arrived').expect(200)
    expect(entries.map(({ subject_id }: { subject_id: string }) => subject_id)).toContain(idOf(path))
    const { rows } = await query(
      h.connection,
      `SELECT count(*)::int FROM audit_entries WHERE action = 'space.left' AND subject_id = $1
         AND tenant_id = '00000000-0000-4000-8000-000000000000'`,
      [idOf(path)],
    )
    expect(rows).toEqual([{ count: 1 }])
    expect(await problems()).toEqual([])
  })
})

describe('spaces that stay behind', () => {
  /** What another person does, and the reason why the space then stays. */
  const CASES: readonly (readonly [string, string, (world: World) => Promise<unknown>])[] = [
    ['joined', 'participants', ({ bob, path }) => h.as(bob).post(`${path}/join`).expect(200)],
    ['posted', 'events', ({ bob, path }) => say(bob, path, 'hi')],
    [
      'posted and left',
      'events',
      async ({ bob, path }) => {
        await h.as(bob).post(`${path}/join`).expect(200)
        await say(bob, path, 'hi')
        await h.as(bob).post(`${path}/leave`).expect(200)
      },
    ],
    ['has an agent that posted', 'events', async ({ bob, path }) => say(await h.registerAgent(bob), path, 'hi')],
    [
      'posted and deleted the account',
      'events',
      async ({ bob, path }) => {
        await say(bob, path, 'hi')
        await h.as(bob).delete(`/api/actors/${bob.actor_id}`).expect(200)
      },
    ],
    [
      'started a thread',
      'events',
      async ({ ada, bob, path }) => {
        const { event_id } = await say(ada, path, 'hi')
        const thread = { parent_event_id: event_id, subject: 'Hm' }
        await h.as(bob).post(`${path}/threads`, thread).expect(200)
      },
    ],
    [
      'proposed a decision',
      'decisions',
      ({ bob, path }) => h.as(bob).post(`${path}/decisions`, { text: 'Go', proposed_by: 'Bob' }).expect(200),
    ],
    [
      'approved a decision',
      'decisions',
      async ({ ada, bob, path }) => {
        const body = { text: 'Go', proposed_by: 'Ada' }
        const { decision_id } = await h.as(ada).post(`${path}/decisions`, body).expect(200)
        await h.as(bob).post(`${path}/decisions/${decision_id}/reviews`, { verdict: 'approve' }).expect(200)
      },
    ],
    [
      'is assigned a decision',
      'decisions',
      ({ ada, bob, path }) =>
        h
          .as(ada)
          .post(`${path}/decisions`, { text: 'Go', proposed_by: 'Ada', assignees: [bob.actor_id] })
          .expect(200),
    ],
    [
      'is addressed',
      'addressed',
      ({ ada, bob, path }) => say(ada, path, 'hi', { metadata: { mentions: [bob.actor_id] } }),
    ],
    ['claimed work', 'claims', ({ bob, path }) => h.as(bob).post(`${path}/claims`, { key: 'it' }).expect(200)],
    [
      'linked from it',
      'links',
      ({ bob, path }) => h.as(bob).post(`${path}/links`, { target_uri: 'https://example.org/' }).expect(200),
    ],
    [
      'linked to it',
      'links',
      async ({ bob, id }) => {
        const other = await h.openSpace(bob)
        await h.as(bob).post(`${other}/links`, { target_id: id }).expect(200)
      },
    ],
    [
      'owns it',
      'participants',
      ({ ada, bob, path }) =>
        h
          .as(ada)
          .patch(path, { owners: [ada.actor_id, bob.actor_id] })
          .expect(200),
    ],
    [
      'is named in its policy',
      'participants',
      ({ ada, bob, path }) =>
        h
          .as(ada)
          .put(`${path}/policy`, { settle: { who: 'named', named: [ada.actor_id, bob.actor_id] } })
          .expect(200),
    ],
    [
      'was added and removed',
      'decisions',
      async ({ ada, bob, path }) => {
        await h.as(ada).patch(path, { visibility: 'private' }).expect(200)
        await h.as(ada).post(`${path}/participants`, { actor_id: bob.actor_id }).expect(200)
        await h.as(ada).delete(`${path}/participants/${bob.actor_id}`).expect(200)
      },
    ],
    [
      'has a webhook',
      'webhooks',
      ({ bob, id }) => h.as(bob).post('/api/webhooks', { url: 'https://127.0.0.1:9/', space_id: id }).expect(200),
    ],
    [
      'read it',
      'readers',
      async ({ ada, bob, path }) => {
        await say(ada, path, 'hi')
        await h.as(bob).put(`${path}/seen`).expect(200)
      },
    ],
    ['pinned it', 'readers', ({ bob, path }) => h.as(bob).put(`${path}/preferences`, { pinned: true }).expect(200)],
  ]

  interface World {
    readonly ada: Actor
    readonly bob: Actor
    readonly path: string
    readonly id: string
  }

  it.each(CASES)('include a space in which another person %s: %s', async (_, reason, act) => {
    const { ada, path, id } = await trial()
    const other = await h.openSpace(ada)
    const bob = await h.registerHuman('Bob')
    await act({ ada, bob, path, id })
    const history = (await h.as(ada).get(`${path}/transcript`).expect(200)) as unknown
    const plan = await preview(ada)
    expect(plan.moves).toMatchObject([{ space_id: idOf(other) }])
    expect(plan.stays).toMatchObject([{ space_id: id, reason, detail: expect.stringMatching(/ /) }])
    expect((await found(ada)).spaces).toEqual(plan)
    await h.as(ada).get(`${path}/status`).expect(404)
    await h.as(ada).get(`${other}/status`).expect(200)
    const cleo = await h.registerHuman('Cleo')
    if (reason !== 'decisions') expect(await h.as(cleo).get(`${path}/transcript`)).toMatchObject({ status: 200 })
    if (reason === 'events') expect(await h.as(cleo).get(`${path}/transcript`).expect(200)).toEqual(history)
  })

  it('pass the integrity check after all of these cases', async () => {
    expect(await problems()).toEqual([])
  })

  it('include spaces of other people, but list only visible ones', async () => {
    const { ada, id } = await trial()
    const bob = await h.registerHuman('Bob')
    const [theirs, hidden] = [await h.openSpace(bob), await h.openSpace(bob)]
    await h.as(bob).patch(hidden, { visibility: 'private' }).expect(200)
    await h.as(ada).post(`${theirs}/join`).expect(200)
    const { moves, stays } = await preview(ada)
    expect(moves).toMatchObject([{ space_id: id }])
    expect(stays).toMatchObject([{ space_id: idOf(theirs), reason: 'creator' }])
  })

  it('do not list what the founder created and may no longer read', async () => {
    const { ada, id } = await trial()
    const bob = await h.registerHuman('Bob')
    const [secret, talk] = [await h.openSpace(ada), await h.openConversation(ada, bob)]
    await h.as(ada).patch(secret, { visibility: 'private' }).expect(200)
    await h.as(ada).post(`${secret}/participants`, { actor_id: bob.actor_id, role: 'owner' }).expect(200)
    expect((await preview(ada)).stays).toHaveLength(2)
    for (const path of [secret, talk]) await h.as(ada).post(`${path}/leave`).expect(200)
    const { moves, stays } = await preview(ada)
    expect([moves, stays]).toMatchObject([[{ space_id: id }], []])
    expect((await found(ada)).spaces).toMatchObject({ moves, stays: [] })
  })

  it('are all spaces of a tenant that has other members', async () => {
    const { ada } = await trial()
    await found(ada)
    const { code } = await h.as(ada).post('/api/invites', {}).expect(200)
    const grace = await h.registerHuman('Grace')
    await h.as(grace).post('/api/invites/redeem', { code }).expect(200)
    const space_id = idOf(await h.openSpace(grace))
    const { spaces } = await found(grace, { bring_spaces: true }, 'Second')
    expect(spaces).toMatchObject({ moves: [], stays: [{ space_id, reason: 'tenant' }] })
  })

  it('lose their links with moved spaces, which the preview counts', async () => {
    const { ada, path } = await trial()
    const bob = await h.registerHuman('Bob')
    const theirs = await h.openSpace(bob)
    const shared = await h.openSpace(ada)
    await h.as(bob).post(`${shared}/join`).expect(200)
    for (const target of [theirs, shared]) {
      await h
        .as(ada)
        .post(`${path}/links`, { target_id: idOf(target) })
        .expect(200)
    }
    await h
      .as(ada)
      .post(`${shared}/links`, { target_id: idOf(path) })
      .expect(200)
    expect(await preview(ada)).toMatchObject({ moves: [{ space_id: idOf(path) }], links_removed: 3 })
    await found(ada)
    expect(await h.as(ada).get(`${path}/links`).expect(200)).toEqual([])
    expect(await h.as(bob).get(`${shared}/links`).expect(200)).toEqual([])
    expect(await problems()).toEqual([])
  })

  it('are all spaces without bring_spaces, and the answer has only the tenant', async () => {
    for (const fields of [{}, { bring_spaces: false }, { bring_spaces: null }]) {
      const { ada, path } = await trial()
      const tenant = await found(ada, fields)
      expect(Object.keys(tenant).sort()).toEqual(['created_at', 'name', 'schema_name', 'status', 'tenant_id'])
      await h.as(ada).get(`${path}/status`).expect(404)
    }
    const { ada } = await trial()
    await h
      .as(ada)
      .post('/api/tenants', { name: 'x', bring_spaces: 'perhaps' })
      .expect(400, /^bring_spaces: /)
    await h
      .as(await h.registerAgent(ada))
      .get(PREVIEW)
      .expect(403)
  })
})

describe('a move', () => {
  it('continues into a second tenant, and moves nothing back to the shared tenant', async () => {
    const { ada, scout, path } = await trial()
    const started = await h
      .as(ada)
      .post('/api/conversations', { actor_ids: [scout.actor_id] })
      .expect(200)
    await found(ada)
    await say(scout, path, 'in the first')
    const second = await found(ada, { bring_spaces: true }, 'Second')
    expect(second.spaces.moves).toHaveLength(2)
    await say(scout, path, 'in the second')
    const again = await h
      .as(ada)
      .post('/api/conversations', { actor_ids: [scout.actor_id] })
      .expect(200)
    expect(again.space_id).toBe(started.space_id)
    await h.as(ada).post(`/api/tenants/${second.tenant_id}/leave`).expect(200)
    await h.as(ada).get(`${path}/status`).expect(404)
    const anew = await h
      .as(ada)
      .post('/api/conversations', { actor_ids: [scout.actor_id] })
      .expect(200)
    expect(anew.space_id).not.toBe(started.space_id)
    expect(await problems()).toEqual([])
  })

  it('loses no acknowledged event under concurrent writes, and readers resume from their cursor', async () => {
    const { ada, scout, path } = await trial()
    const first = await say(ada, path, 'first')
    const reader = await StreamReader.open(h.as(scout), path)
    const acknowledged: string[] = [first.event_id]
    let isMoved = false
    const writers = [ada, scout].map(async (actor) => {
      for (let n = 0; n < 400 && !(isMoved && n > 20); n++) {
        const answer = await h.as(actor).post(`${path}/speech`, { text: `${n}` })
        if (answer.status === 200) acknowledged.push(answer.body.event_id)
        else expect([401, 404, 503]).toContain(answer.status)
      }
    })
    await eventually(async () => acknowledged.length > 10)
    await found(ada)
    isMoved = true
    await Promise.all(writers)
    await reader.ended
    const stored: { event_id: string }[] = await h.as(ada).get(`${path}/transcript`).expect(200)
    const ids = stored.map(({ event_id }) => event_id)
    expect([...acknowledged].sort()).toEqual(ids.filter((id) => acknowledged.includes(id)).sort())
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    const seen = reader.events.map(({ event_id }) => event_id)
    const since = seen.at(-1)
    const rest = await StreamReader.open(h.as(scout), path, { query: since ? `?since=${since}` : '' })
    await rest.read(ids.length - seen.length)
    expect([...seen, ...rest.events.map(({ event_id }) => event_id)]).toEqual(ids)
    await rest.close()
    expect(await problems()).toEqual([])
  })

  it('is atomic: a failure at its end changes nothing', async () => {
    const { ada, path } = await trial()
    await say(ada, path, 'here')
    const plan = await preview(ada)
    await query(
      h.connection,
      `CREATE FUNCTION fail_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'on purpose'; END $$;
       CREATE TRIGGER fail_move BEFORE INSERT ON audit_entries FOR EACH ROW
         WHEN (NEW.action = 'space.arrived') EXECUTE FUNCTION fail_move()`,
    )
    await h.as(ada).post('/api/tenants', { name: 'Acme', bring_spaces: true }).expect(500)
    await query(h.connection, 'DROP TRIGGER fail_move ON audit_entries; DROP FUNCTION fail_move()')
    expect((await h.as(ada).get('/api/actors/me').expect(200)).tenant_id).toBeNull()
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toHaveLength(1)
    expect(await preview(ada)).toEqual(plan)
    expect((await found(ada)).spaces).toEqual(plan)
    expect(await problems()).toEqual([])
  })
})

describe('move_spaces', () => {
  it('accepts only a tenant founded in its transaction, and updates every table with spaces', async () => {
    const { ada, id } = await trial()
    const { tenant_id } = await found(await h.registerHuman(), {})
    await expect(
      query(h.connection, 'SELECT move_spaces($1, $2, $3, $4)', [
        '00000000-0000-4000-8000-000000000000',
        tenant_id,
        [id],
        [ada.actor_id],
      ]),
    ).rejects.toThrow('founded in the same transaction')
    const { rows } = await query(
      h.connection,
      `SELECT c.relname::text AS name FROM pg_class c
       WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
         AND (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname IN ('tenant_id', 'space_id')) = 2
         AND (SELECT prosrc FROM pg_proc WHERE proname = 'move_spaces') !~ ('UPDATE ' || c.relname || ' ')`,
    )
    expect(rows).toEqual([])
  })
})
