import type { ServerResponse } from 'node:http'
import { type Actor, type Client, eventually, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { TIMESTAMP } from './support/form.js'
import { Receiver } from './support/receiver.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const h = useServer()
const keyless = useServer({ SERVER_KEY: '' }, h)

const PATH = '/api/webhooks'
/** An address without a listener. */
const NOWHERE = 'https://127.0.0.1:9/hook?key=secret'

let tenant: string
let ada: Actor
let space: string
beforeEach(async () => {
  ada = await h.registerHuman()
  tenant = await foundTenant(h.connection)
  await moveInto(h.connection, tenant, ada)
  space = await h.openSpace(ada)
})

const make = (actor: Actor | string, body: object = {}) =>
  h.as(actor).post(PATH, { url: NOWHERE, ...('inbox_of' in body ? {} : { space_id: spaceIdOf(space) }), ...body })

async function member(client: Client = h): Promise<Actor> {
  const actor = await client.registerHuman('Bob')
  await moveInto(h.connection, tenant, actor)
  return actor
}

describe('a webhook', () => {
  it('is created with a secret that is shown once', async () => {
    const { secret, ...made } = await make(ada).expect(200)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(made).toEqual({
      webhook_id: expect.stringMatching(/^whk_/),
      owner_id: ada.actor_id,
      url: NOWHERE,
      space_id: spaceIdOf(space),
      inbox_of: null,
      types: ['events.appended', 'decision.changed'],
      payload: 'thin',
      created_at: expect.stringMatching(TIMESTAMP),
      rotated_at: null,
      disabled_at: null,
      disabled_reason: null,
      verified_at: null,
      lag: 0,
      failing_since: null,
      next_attempt_at: null,
      last_attempt: expect.objectContaining({ type: 'webhook.challenge', ok: false, status: null }),
    })
    expect(await h.as(ada).get(PATH).expect(200)).toEqual([made])
    const { last_attempt } = made
    expect(await h.as(ada).get(`${PATH}/${made.webhook_id}`).expect(200)).toEqual({ ...made, attempts: [last_attempt] })
  })

  it('has no secret in the database', async () => {
    const { secret, webhook_id } = await make(ada).expect(200)
    const { rows } = await query(
      h.connection,
      `SELECT w::text || coalesce(a::text, '') AS text FROM webhooks w LEFT JOIN audit_entries a ON a.subject_id = webhook_id
       WHERE webhook_id = $1`,
      [webhook_id],
    )
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
    for (const form of [secret, bytes.toString('hex'), bytes.toString('base64')]) {
      expect(rows[0]?.text).not.toContain(form)
    }
  })

  it('is for either a space or an inbox, and accepts only its types', async () => {
    await make(ada, { inbox_of: ada.actor_id, space_id: spaceIdOf(space) }).expect(400, /^inbox_of: cannot/)
    await h
      .as(ada)
      .post(PATH, { url: NOWHERE })
      .expect(400, /^space_id: /)
    await make(ada, { types: ['attention.raised'] }).expect(400, /^types: a webhook for a space has only/)
    await make(ada, { types: [] }).expect(400, /^types: /)
    await make(ada, { types: ['events.deleted'] }).expect(400, /^types\.0: /)
    await make(ada, { payload: 'fat' }).expect(400, /^payload: /)
    expect(await make(ada, { types: ['decision.changed'], payload: 'full' }).expect(200)).toMatchObject({
      types: ['decision.changed'],
      payload: 'full',
    })
    expect(await make(ada, { inbox_of: ada.actor_id }).expect(200)).toMatchObject({
      space_id: null,
      inbox_of: ada.actor_id,
      types: ['attention.raised'],
    })
    await make(ada, { space_id: 'nowhere' }).expect(404, 'Space not found')
    await make(ada, { inbox_of: 'usr_000000000000000000000000' }).expect(404, 'Actor not found')
    await make(ada, { from: 'the end' }).expect(404, 'Event not found')
  })

  it.each([
    ['http://example.org/hook', /^url: must begin with https/],
    ['ftp://127.0.0.1/', /^url: must begin with https/],
    ['nonsense', /^url: must be a URL/],
    ['https://me:secret@127.0.0.1/', /^url: must not have a user name/],
    ['https://127.0.0.1/#here', /^url: must not have a fragment/],
    ['https://10.0.0.1/', /^url: leads to an address/],
    ['https://[fe80::1]/', /^url: leads to an address/],
    ['http://169.254.169.254/latest/meta-data', /^url: must begin with https/],
    [`https://127.0.0.1/${'x'.repeat(2_048)}`, /^url: must be at most/],
  ])('refuses the URL %s', async (url, detail) => {
    await make(ada, { url }).expect(400, detail)
    const { webhook_id } = await make(ada).expect(200)
    await h.as(ada).patch(`${PATH}/${webhook_id}`, { url }).expect(400, detail)
  })

  it('needs a server key', async () => {
    const { webhook_id } = await make(ada).expect(200)
    const other = keyless.as(ada)
    const body = { url: NOWHERE, space_id: spaceIdOf(space) }
    for (const [path, input] of [
      [PATH, body],
      [`${PATH}/${webhook_id}/test`, {}],
      [`${PATH}/${webhook_id}/rotate-secret`, {}],
    ] as const) {
      expect(await other.post(path, input).expect(409, /SERVER_KEY/)).toMatchObject({ error: 'no_server_key' })
    }
    expect(await other.get(PATH).expect(200)).toHaveLength(1)
    await other.delete(`${PATH}/${webhook_id}`).expect(200)
  })

  it('can be changed, disabled, enabled and deleted', async () => {
    const { secret: _, ...made } = await make(ada).expect(200)
    const path = `${PATH}/${made.webhook_id}`
    const url = 'https://127.0.0.1:9/other'
    const changed = await h
      .as(ada)
      .patch(path, { url, types: ['events.appended'], payload: 'full' })
      .expect(200)
    const { last_attempt } = changed
    expect(changed).toEqual({ ...made, url, types: ['events.appended'], payload: 'full', last_attempt })
    await h
      .as(ada)
      .patch(path, { types: ['attention.raised'] })
      .expect(400, /^types: /)
    expect(await h.as(ada).patch(path, { disabled: true }).expect(200)).toEqual({
      ...changed,
      disabled_at: expect.stringMatching(TIMESTAMP),
      disabled_reason: 'disabled',
    })
    // Its receiver, which has not answered yet, gets another challenge.
    const enabled = await h.as(ada).patch(path, { disabled: false }).expect(200)
    expect(enabled.last_attempt.message_id).not.toBe(last_attempt.message_id)
    expect(enabled).toEqual({ ...changed, last_attempt: enabled.last_attempt })
    await h.as(ada).delete(path).expect(200)
    await h.as(ada).delete(path).expect(404, 'Webhook not found')
    expect(await h.as(ada).get(PATH).expect(200)).toEqual([])
    const { rows } = await query(
      h.connection,
      'SELECT action FROM audit_entries WHERE subject_id = $1 ORDER BY created_at',
      [made.webhook_id],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.changed',
      'webhook.changed',
      'webhook.changed',
      'webhook.deleted',
    ])
  })

  it('returns the result of a test, and keeps the last 20 attempts', async () => {
    const receiver = await Receiver.listen()
    const { secret, webhook_id } = await make(ada, { url: receiver.url() }).expect(200)
    receiver.secrets.set(webhook_id, secret)
    const test = () => h.as(ada).post(`${PATH}/${webhook_id}/test`).expect(200)
    const attempt = await test()
    expect(attempt).toEqual({
      message_id: receiver.received[0]?.id,
      type: 'webhook.test',
      space_id: null,
      count: 0,
      started_at: expect.stringMatching(TIMESTAMP),
      duration_ms: expect.any(Number),
      ok: true,
      status: 204,
      error: null,
    })
    expect(receiver.received).toMatchObject([
      { type: 'webhook.test', data: { webhook_id, space_id: spaceIdOf(space), inbox_of: null } },
    ])
    expect(await h.as(ada).get(PATH).expect(200)).toMatchObject([{ last_attempt: attempt }])
    for (let i = 0; i < 20; i++) await test()
    const { attempts } = await h.as(ada).get(`${PATH}/${webhook_id}`).expect(200)
    const ids = receiver.received.map(({ id }) => id)
    expect(attempts.map(({ message_id }: { message_id: string }) => message_id)).toEqual(ids.reverse().slice(0, 20))
    expect(receiver.failures).toEqual([])
  })

  it('runs at most two tests at a time, which do not delay those of another owner', async () => {
    const [slow, quick] = [await Receiver.listen(), await Receiver.listen()]
    const held: ServerResponse[] = []
    slow.answer = (response) => held.push(response)
    const { webhook_id } = await make(ada, { url: slow.url() }).expect(200)
    const tests = Array.from({ length: 4 }, () => h.as(ada).post(`${PATH}/${webhook_id}/test`))
    await eventually(() => held.length === 2)
    const bob = await member()
    const other = await make(bob, { url: quick.url() }).expect(200)
    expect(await h.as(bob).post(`${PATH}/${other.webhook_id}/test`).expect(200)).toMatchObject({ ok: true })
    expect(held).toHaveLength(2)
    slow.answer = (response) => response.writeHead(204).end()
    for (const response of held) response.writeHead(204).end()
    for (const test of tests) expect([200, 503]).toContain((await test).status)
  })

  it('signs with both secrets after a rotation', async () => {
    const receiver = await Receiver.listen()
    const { secret, webhook_id } = await make(ada, { url: receiver.url() }).expect(200)
    const path = `${PATH}/${webhook_id}`
    const rotated = await h.as(ada).post(`${path}/rotate-secret`).expect(200)
    expect(rotated).toMatchObject({ webhook_id, rotated_at: expect.stringMatching(TIMESTAMP) })
    expect(rotated.secret).not.toBe(secret)
    for (const known of [secret, rotated.secret]) {
      receiver.secrets.set(webhook_id, known)
      expect(await h.as(ada).post(`${path}/test`).expect(200)).toMatchObject({ ok: true })
    }
    await query(
      h.connection,
      `UPDATE webhooks SET rotated_at = rotated_at - interval '24 hours' WHERE webhook_id = $1`,
      [webhook_id],
    )
    expect(await h.as(ada).post(`${path}/test`).expect(200)).toMatchObject({ ok: true })
    receiver.secrets.set(webhook_id, secret)
    expect(await h.as(ada).post(`${path}/test`).expect(200)).toMatchObject({ ok: false, status: 400 })
  })

  it('begins at a given position, and a replay moves it', async () => {
    const say = async (text: string): Promise<string> =>
      (await h.as(ada).post(`${space}/speech`, { text }).expect(200)).event_id
    await say('One')
    await h.as(ada).post(`${space}/decisions`, { proposed_by: 'Ada', text: 'Go' }).expect(200)
    const two = await say('Two')
    await say('Three')
    await h.as(ada).post(`${space}/decisions`, { proposed_by: 'Ada', text: 'Stay' }).expect(200)
    const lagFrom = async (from?: string) => (await make(ada, { from }).expect(200)).lag
    expect(await lagFrom()).toBe(0)
    expect(await lagFrom('now')).toBe(0)
    expect(await lagFrom('beginning')).toBe(5)
    expect(await lagFrom(two)).toBe(2)
    const { webhook_id } = await make(ada).expect(200)
    const path = `${PATH}/${webhook_id}`
    await h.as(ada).patch(path, { disabled: true }).expect(200)
    for (const [since, lag] of [
      ['beginning', 5],
      [two, 2],
      ['now', 0],
    ] as const) {
      expect(await h.as(ada).post(`${path}/replay`, { since }).expect(200)).toMatchObject({ lag })
    }
    await h.as(ada).post(`${path}/replay`, { since: 'yesterday' }).expect(404, 'Event not found')
    await h.as(ada).post(`${path}/replay`, {}).expect(400, 'since: is required')
  })

  it('for an inbox begins after an event in all of its spaces', async () => {
    const bob = await member()
    const other = await h.openSpace(bob)
    const call = async (path: string, text: string): Promise<string> => {
      const mention = { text, metadata: { mentions: [ada.actor_id] } }
      return (await h.as(bob).post(`${path}/speech`, mention).expect(200)).event_id
    }
    await call(space, 'One')
    await call(other, 'Two')
    const three = await call(space, 'Three')
    await call(other, 'Four')
    await call(space, 'Five')
    const lagFrom = async (from: string) => (await make(ada, { inbox_of: ada.actor_id, from }).expect(200)).lag
    expect(await lagFrom('now')).toBe(0)
    expect(await lagFrom('beginning')).toBe(5)
    expect(await lagFrom(three)).toBe(2)
  })
})

describe('webhooks', () => {
  it('are created for spaces by humans, and for inboxes by their actor or its sponsor', async () => {
    const [scout, bob] = [await h.registerAgent(ada, 'Scout', EVERYTHING), await member()]
    await make(scout).expect(403, 'An agent can create webhooks only for its own inbox')
    await make(scout, { inbox_of: ada.actor_id }).expect(403, 'An agent can create webhooks only for its own inbox')
    await make(scout, { inbox_of: scout.actor_id }).expect(200)
    await make(ada, { inbox_of: scout.actor_id }).expect(200)
    await make(bob, { inbox_of: scout.actor_id }).expect(403, /^The inbox of a webhook must be your own/)
    await make(bob, { inbox_of: ada.actor_id }).expect(403, /^The inbox of a webhook must be your own/)
    const stranger = await h.registerHuman()
    await h
      .as(stranger)
      .post(PATH, { url: NOWHERE, space_id: spaceIdOf(space) })
      .expect(404, 'Space not found')
    await make(stranger, { inbox_of: scout.actor_id }).expect(404, 'Actor not found')
  })

  it('of agents raise notices to their sponsors, on creation and with a new URL', async () => {
    const [scout, bob] = [await h.registerAgent(ada, 'Scout', EVERYTHING), await member()]
    const noticesOf = async (actor: Actor) => (await h.as(actor).get('/api/actors/me/inbox').expect(200)).notices
    const waiting = h.as(ada).get('/api/actors/me/inbox?wait=30')
    const { webhook_id } = await make(scout, { inbox_of: scout.actor_id }).expect(200)
    const noticeAbout = (url: string) => ({
      kind: 'agent_webhook',
      space_id: null,
      details: { webhook_id, agent_id: scout.actor_id, url },
    })
    expect((await waiting.expect(200)).notices).toMatchObject([noticeAbout('https://127.0.0.1:9/…')])
    const [first] = await noticesOf(ada)
    await h
      .as(ada)
      .post('/api/actors/me/inbox/done', { notices: [first.notice_id] })
      .expect(200)

    const path = `${PATH}/${webhook_id}`
    await h.as(scout).patch(path, { payload: 'full', url: NOWHERE }).expect(200)
    expect(await noticesOf(ada)).toEqual([])
    await h.as(scout).patch(path, { url: 'https://127.0.0.1:10/token/secret' }).expect(200)
    expect(await noticesOf(ada)).toMatchObject([noticeAbout('https://127.0.0.1:10/…')])
    // A sponsor gets no notice of its own changes, and a deletion keeps the notice.
    await h.as(ada).patch(path, { url: NOWHERE }).expect(200)
    await make(ada, { inbox_of: scout.actor_id }).expect(200)
    await h.as(scout).delete(path).expect(200)
    expect(await noticesOf(ada)).toMatchObject([noticeAbout('https://127.0.0.1:10/…')])
    for (const actor of [scout, bob]) expect(await noticesOf(actor)).toEqual([])
  })

  it('are visible to their owner, its sponsor and admins, who may delete them', async () => {
    const [scout, bob, admin] = [await h.registerAgent(ada, 'Scout', EVERYTHING), await member(), await member()]
    await makeAdmin(h.connection, admin)
    const { webhook_id } = await make(scout, { inbox_of: scout.actor_id }).expect(200)
    const path = `${PATH}/${webhook_id}`
    const idsOf = async (actor: Actor, search = '') =>
      (await h.as(actor).get(`${PATH}${search}`).expect(200)).map((each: { webhook_id: string }) => each.webhook_id)
    expect(await idsOf(ada)).toEqual([webhook_id])
    expect(await idsOf(scout)).toEqual([webhook_id])
    expect(await idsOf(admin)).toEqual([])
    expect(await idsOf(admin, '?tenant=true')).toEqual([webhook_id])
    await h.as(ada).get(`${PATH}?tenant=true`).expect(403, 'Only an admin of the tenant may do this')
    for (const actor of [ada, scout]) expect(await h.as(actor).get(path).expect(200)).toMatchObject({ url: NOWHERE })
    expect(await h.as(admin).get(path).expect(200)).toMatchObject({ url: 'https://127.0.0.1:9/…' })

    const stranger = await h.registerHuman()
    const doing: [string, string, object?][] = [
      ['GET', path],
      ['PATCH', path, { payload: 'full' }],
      ['POST', `${path}/rotate-secret`, {}],
      ['POST', `${path}/test`, {}],
      ['POST', `${path}/replay`, { since: 'now' }],
      ['DELETE', path],
    ]
    for (const [method, target, body] of doing) {
      for (const outsider of [bob, stranger])
        await h.as(outsider).send(method, target, body).expect(404, 'Webhook not found')
      if (method === 'GET' || method === 'DELETE') continue
      await h
        .as(admin)
        .send(method, target, body)
        .expect(403, /^Only the owner of the webhook/)
      await h.as(ada).send(method, target, body).expect(200)
    }
    await h.as(admin).delete(path).expect(200)
  })

  it('are deleted with their owner, and disabled when the owner leaves the tenant', async () => {
    const [scout, bob] = [await h.registerAgent(ada, 'Scout', EVERYTHING), await member()]
    await make(scout, { inbox_of: scout.actor_id }).expect(200)
    await make(ada, { inbox_of: scout.actor_id }).expect(200)
    const kept = await make(bob).expect(200)
    await h.as(ada).delete(`/api/actors/${scout.actor_id}`).expect(200)
    expect(await h.as(ada).get(PATH).expect(200)).toEqual([])
    await h.as(bob).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
    expect(await h.as(bob).get(PATH).expect(200)).toEqual([])
    await makeAdmin(h.connection, ada)
    expect(await h.as(ada).get(`${PATH}?tenant=true`).expect(200)).toMatchObject([
      { webhook_id: kept.webhook_id, disabled_at: expect.stringMatching(TIMESTAMP), disabled_reason: 'owner_left' },
    ])
  })

  it('are limited to 20 per actor and 200 per tenant', async () => {
    const insert = `INSERT INTO webhooks (tenant_id, webhook_id, owner_id, url, space_id, types, payload, has_reach, created_at)
      SELECT $1, 'whk_' || $2 || n, $2, 'https://example.org', $3, '{}', 'thin', false, now() FROM generate_series(1, $4::int) n`
    await query(h.connection, insert, [tenant, ada.actor_id, spaceIdOf(space), 19])
    const made = await Promise.all([make(ada), make(ada), make(ada)])
    expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    await make(ada).expect(409, 'An actor can have at most 20 webhooks: delete one first')
    const bob = await member()
    await query(h.connection, insert, [tenant, (await member()).actor_id, spaceIdOf(space), 180])
    await make(bob).expect(409, 'A tenant can have at most 200 webhooks: delete one first')
  })

  it('are limited to 200 per space in the shared tenant, too', async () => {
    const [bob, eve] = [await h.registerHuman('Bob'), await h.registerHuman('Eve')]
    const [shared, other] = [await h.openSpace(bob), await h.openSpace(bob)]
    await query(
      h.connection,
      `INSERT INTO webhooks (tenant_id, webhook_id, owner_id, url, space_id, types, payload, has_reach, created_at)
       SELECT tenant_id, 'whk_' || $2 || n, $1, 'https://example.org', $2, '{}', 'thin', false, now()
       FROM actors, generate_series(1, 200) n WHERE actor_id = $1`,
      [eve.actor_id, spaceIdOf(shared)],
    )
    const of = (path: string) => make(bob, { space_id: spaceIdOf(path) })
    await of(shared).expect(409, 'A space can have at most 200 webhooks: delete one first')
    await of(other).expect(200)
  })

  it('are limited by the credential that created them', async () => {
    const other = await h.openSpace(ada)
    const token = async (limits: object): Promise<string> =>
      (
        await h
          .as(ada)
          .post('/api/personal-access-tokens', { name: 'CI', ...limits })
          .expect(200)
      ).token
    const limited = await token({ scopes: ['read', 'manage'], space_ids: [spaceIdOf(space)] })
    await make(limited, { space_id: spaceIdOf(other) }).expect(404, 'Space not found')
    const own = await make(limited).expect(200)
    const elsewhere = await make(ada, { space_id: spaceIdOf(other) }).expect(200)
    const inbox = await make(ada, { inbox_of: ada.actor_id }).expect(200)
    const seen = await h.as(limited).get(PATH).expect(200)
    expect(seen.map((each: typeof own) => each.webhook_id)).toEqual([own.webhook_id, inbox.webhook_id])
    await h.as(limited).get(`${PATH}/${elsewhere.webhook_id}`).expect(404, 'Webhook not found')
    const refused = 'A limited credential cannot change a webhook with wider limits'
    await h.as(limited).patch(`${PATH}/${inbox.webhook_id}`, { payload: 'full' }).expect(403, refused)
    await h
      .as(limited)
      .delete(`${PATH}/${inbox.webhook_id}`)
      .expect(403, 'A limited credential cannot delete a webhook with wider limits')
    await h.as(limited).patch(`${PATH}/${own.webhook_id}`, { payload: 'full' }).expect(200)
    await h.as(limited).delete(`${PATH}/${own.webhook_id}`).expect(200)
    await make(await token({ scopes: ['manage'] })).expect(403, 'Token lacks the scope "read"')
    await make(await token({ scopes: ['read'] })).expect(403, 'Token lacks the scope "manage"')
  })

  it("do not name spaces that the caller's credential does not open", async () => {
    const [receiver, scout, hidden] = [
      await Receiver.listen(),
      await h.registerAgent(ada, 'Scout', EVERYTHING),
      await h.openSpace(ada),
    ]
    const { webhook_id, secret } = await make(ada, { inbox_of: scout.actor_id, url: receiver.url() }).expect(200)
    receiver.secrets.set(webhook_id, secret)
    const limits = { name: 'CI', scopes: ['manage'], space_ids: [spaceIdOf(space)] }
    const { token } = await h.as(ada).post('/api/personal-access-tokens', limits).expect(200)
    const seen = async (by: Actor | string) => {
      const [listed] = await h.as(by).get(PATH).expect(200)
      const found = await h.as(by).get(`${PATH}/${webhook_id}`).expect(200)
      return [listed.last_attempt, found.last_attempt, ...found.attempts].map((attempt) => attempt?.space_id)
    }
    const mention = { text: 'Scout?', metadata: { mentions: [scout.actor_id] } }
    await h.as(ada).post(`${hidden}/speech`, mention).expect(200)
    // The first attempt was at the challenge.
    await eventually(async () => (await seen(ada)).length === 4)
    expect(await seen(ada)).toEqual([spaceIdOf(hidden), spaceIdOf(hidden), spaceIdOf(hidden), null])
    expect(await seen(token)).toEqual([null, null, null, null])
    await h.as(ada).post(`${space}/speech`, mention).expect(200)
    await eventually(async () => (await seen(ada)).length === 5)
    expect(await seen(token)).toEqual([spaceIdOf(space), spaceIdOf(space), spaceIdOf(space), null, null])
  })
})
