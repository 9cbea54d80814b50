import { createHmac, randomUUID } from 'node:crypto'
import { type Actor, type Answer, query, spaceIdOf, storedEvents } from '@collab-spaces/testing'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { foundTenant, moveInto } from './support/tenant.js'

const h = useServer()
const keyless = useServer({ SERVER_KEY: '' }, h)
const elsewhere = useServer({}, h)
const operate = operatorOf(h)

const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'

let ada: Actor
let space: string
beforeEach(async () => {
  ada = await h.registerHuman()
  space = await h.openSpace(ada)
})

interface CreatedWebhook {
  readonly incoming_webhook_id: string
  readonly url: string
  readonly secret: string
}

const create = (body: object = {}, actor: Actor = ada) =>
  h.as(actor).post(`${space}/incoming-webhooks`, { name: 'CI', format: 'json', ...body })
const make = async (format: string, body: object = {}): Promise<CreatedWebhook> =>
  await create({ format, ...body }).expect(200)
const pathOf = ({ url }: CreatedWebhook) => new URL(url).pathname

/** Sends a request with the secret, as another tool does. */
const send = (made: CreatedWebhook, body: unknown, headers: Record<string, string> = {}) =>
  h.as(undefined).post(pathOf(made), body, { headers: { authorization: `Bearer ${made.secret}`, ...headers } })

const events = () => h.as(ada).get(`${space}/events`).expect(200)
const detailsOf = ({ incoming_webhook_id }: CreatedWebhook) =>
  h.as(ada).get(`${space}/incoming-webhooks/${incoming_webhook_id}`).expect(200)

const jsonOf = (body: object | string) => (typeof body === 'string' ? body : JSON.stringify(body))

function github(made: CreatedWebhook, event: string, body: object | string, id: string = randomUUID(), at = h) {
  const text = jsonOf(body)
  const signature = `sha256=${createHmac('sha256', made.secret).update(text).digest('hex')}`
  const headers = { 'x-github-event': event, 'x-github-delivery': id, 'x-hub-signature-256': signature }
  return at.as(undefined).post(pathOf(made), text, { headers })
}

function standard(made: CreatedWebhook, body: object | string, { id = 'msg_1', at = new Date() } = {}) {
  const text = jsonOf(body)
  const signature = new Webhook(made.secret).sign(id, at, text)
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  return h.as(undefined).post(pathOf(made), text, { headers })
}

/** How the sender of each format sends a body. */
const SENDERS: Record<string, (made: CreatedWebhook, body: string) => ReturnType<typeof send>> = {
  json: send,
  slack: send,
  standard,
  github: (made, body) => github(made, 'push', body),
}

describe('an incoming webhook', () => {
  it('is created with an agent of its own, and returns its secret once', async () => {
    const { secret, url, ...made } = await create({ name: 'Build' }).expect(200)
    expect(secret).toMatch(/^whsec_[\w-]{43}$/)
    expect(url).toBe(`${h.url}/hooks/${made.incoming_webhook_id}`)
    expect(made).toEqual({
      incoming_webhook_id: expect.stringMatching(/^agt_/),
      name: 'Build',
      sponsor_id: ada.actor_id,
      space_id: spaceIdOf(space),
      format: 'json',
      template: null,
      people: {},
      created_at: expect.stringMatching(TIMESTAMP),
      rotated_at: null,
      disabled_at: null,
    })
    expect(await h.as(ada).get(`${space}/incoming-webhooks`).expect(200)).toEqual([made])
    expect(await detailsOf({ ...made, secret, url })).toEqual({ ...made, deliveries: [] })
    const [key] = await h.as(ada).get(`/api/actors/${made.incoming_webhook_id}/credentials`).expect(200)
    expect(key).toMatchObject({ scopes: ['write'], space_ids: [spaceIdOf(space)] })
    const participants = await h.as(ada).get(`${space}/participants`).expect(200)
    expect(participants.map(({ actor_id }: Actor) => actor_id)).toContain(made.incoming_webhook_id)
  })

  it('has no secret in the database and the security log', async () => {
    const { secret, incoming_webhook_id } = await make('slack')
    const { rows } = await query(
      h.connection,
      `SELECT w::text || coalesce(a::text, '') AS text FROM incoming_webhooks w
       LEFT JOIN audit_entries a ON a.subject_id = agent_id WHERE agent_id = $1`,
      [incoming_webhook_id],
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(secret.replace('whsec_', ''))
  })

  it('is managed by owners, and its secret is rotated by its maker only', async () => {
    const made = await make('json')
    const path = `${space}/incoming-webhooks`
    const [bob, scout] = [await h.registerHuman('Bob'), await h.registerAgent(ada)]
    await create({}, bob).expect(403, 'Only owners of this space may do this')
    await create({}, scout).expect(403)
    for (const [method, target] of [
      ['DELETE', `${path}/${made.incoming_webhook_id}`],
      ['POST', `${path}/${made.incoming_webhook_id}/rotate-secret`],
    ] as const)
      await h.as(bob).send(method, target).expect(403, 'Only owners of this space may do this')
    await h.as(bob).patch(`${path}/${made.incoming_webhook_id}`, { disabled: true }).expect(403)
    await h
      .as(ada)
      .patch(space, { owners: [ada.actor_id, bob.actor_id] })
      .expect(200)
    expect(await h.as(bob).get(path).expect(200)).toHaveLength(1)
    await h
      .as(bob)
      .post(`${path}/${made.incoming_webhook_id}/rotate-secret`)
      .expect(403, 'Only the human who made the incoming webhook may do this')
    await h.as(bob).delete(`${path}/${made.incoming_webhook_id}`).expect(200)
    await send(made, { text: 'Late' }).expect(404, 'Incoming webhook not found')
    await h.as(ada).get(`${path}/${made.incoming_webhook_id}`).expect(404, 'Incoming webhook not found')
  })

  it('requires a server key', async () => {
    const made = await make('json')
    const body = { name: 'CI', format: 'json' }
    const refused = await keyless.as(ada).post(`${space}/incoming-webhooks`, body).expect(409)
    expect(refused.error).toBe('no_server_key')
    await keyless.as(made.secret).post(pathOf(made), { text: 'x' }).expect(404, 'Incoming webhook not found')
  })

  it('accepts a template for Standard Webhooks only', async () => {
    await create({ template: 'x' }).expect(400, 'template: is for the format standard only')
    await create({ format: 'xml' }).expect(400, 'format: must be one of json, slack, standard, github')
  })

  it('rejects requests while it is disabled, and after its agent is deleted', async () => {
    const made = await make('json')
    const path = `${space}/incoming-webhooks/${made.incoming_webhook_id}`
    expect((await h.as(ada).patch(path, { disabled: true }).expect(200)).disabled_at).toMatch(TIMESTAMP)
    await send(made, { text: 'x' }).expect(403, 'The incoming webhook is disabled: an owner of the space can enable it')
    expect((await h.as(ada).patch(path, { disabled: false }).expect(200)).disabled_at).toBe(null)
    await send(made, { text: 'x' }).expect(200)
    await h.as(ada).delete(`/api/actors/${made.incoming_webhook_id}`).expect(200)
    await send(made, { text: 'x' }).expect(404, 'Incoming webhook not found')
    expect(await h.as(ada).get(`${space}/incoming-webhooks`).expect(200)).toEqual([])
  })

  it('accepts only the new secret after a rotation', async () => {
    const made = await make('json')
    const rotated: CreatedWebhook = await h
      .as(ada)
      .post(`${space}/incoming-webhooks/${made.incoming_webhook_id}/rotate-secret`)
      .expect(200)
    expect(rotated.secret).not.toBe(made.secret)
    await send(made, { text: 'x' }).expect(401, 'Authentication required')
    await send(rotated, { text: 'x' }).expect(200)
  })

  it('is recorded in the security log', async () => {
    const tenant = await foundTenant(h.connection)
    await moveInto(h.connection, tenant, ada)
    await query(h.connection, 'UPDATE actors SET is_admin = true WHERE actor_id = $1', [ada.actor_id])
    space = await h.openSpace(ada)
    const made = await make('json')
    const path = `${space}/incoming-webhooks/${made.incoming_webhook_id}`
    await h.as(ada).patch(path, { disabled: true }).expect(200)
    await h.as(ada).post(`${path}/rotate-secret`).expect(200)
    await h.as(ada).delete(path).expect(200)
    const entries: { action: string }[] = await h
      .as(ada)
      .get(`/api/audit?subject_id=${made.incoming_webhook_id}`)
      .expect(200)
    expect(entries.map(({ action }) => action)).toEqual([
      'incoming_webhook.deleted',
      'incoming_webhook.secret_rotated',
      'incoming_webhook.changed',
      'incoming_webhook.created',
      'actor.registered',
    ])
  })
})

describe('a request to an incoming webhook', () => {
  it('creates an event by the agent, and a delivery', async () => {
    const made = await make('json')
    const body = { text: 'Green', references: ['https://ci.example.org/1'], metadata: { run: 1 } }
    const { ok, event_id } = await send(made, body).expect(200)
    expect(ok).toBe(true)
    expect(await events()).toEqual([
      expect.objectContaining({
        event_id,
        text: 'Green',
        posted_by: made.incoming_webhook_id,
        posted_by_name: 'CI',
        posted_by_type: 'agent',
        speaker_id: made.incoming_webhook_id,
        speaker_type: 'agent',
        references: ['https://ci.example.org/1'],
        metadata: { run: 1, incoming_webhook: { format: 'json', kind: 'message', delivery_id: null } },
      }),
    ])
    const { deliveries } = await detailsOf(made)
    expect(deliveries).toEqual([
      {
        received_at: expect.stringMatching(TIMESTAMP),
        kind: 'message',
        delivery_id: null,
        status: 200,
        event_id,
        error: null,
      },
    ])
  })

  it('is rejected without the secret, and at an unknown address', async () => {
    const [json, slack, signed, hub] = [
      await make('json'),
      await make('slack'),
      await make('standard'),
      await make('github'),
    ]
    await h.as(undefined).post(pathOf(json), { text: 'x' }).expect(401, 'Authentication required')
    await h.as('whsec_wrong').post(pathOf(json), { text: 'x' }).expect(401)
    await h.as(ada).post(pathOf(json), { text: 'x' }).expect(401)
    await h
      .as(undefined)
      .post(`${pathOf(slack)}x`, { text: 'x' })
      .expect(401)
    await h.as(undefined).post(`/hooks/${slack.incoming_webhook_id}`, { text: 'x' }).expect(401)
    await h.as(undefined).post(pathOf(signed), { type: 'x' }).expect(401)
    // The secret itself is no signature.
    await send(signed, { type: 'x' }).expect(401)
    await send(hub, { zen: 'x' }, { 'x-github-event': 'ping' }).expect(401)
    await send({ ...json, url: `${h.url}/hooks/agt_none` }, { text: 'x' }).expect(404, 'Incoming webhook not found')
    expect(await events()).toEqual([])
    expect((await detailsOf(json)).deliveries).toEqual([])
  })

  it('is rejected when it is malformed, too large or not a POST', async () => {
    const made = await make('json')
    await send(made, '{"text":').expect(400, 'body: is not valid JSON in UTF-8')
    await send(made, '[]').expect(400, 'body: must be one JSON object')
    await send(made, {}).expect(400, 'text: is required')
    await send(made, { text: 1 }).expect(400, 'text: must be a string')
    await send(made, { text: ' ' }).expect(400)
    await send(made, { text: 'x', thread_key: 'x'.repeat(201) }).expect(400, /^thread_key: /)
    await send(made, { text: 'x', references: 'y' }).expect(400, /^references: /)
    await send(made, { text: 'x', metadata: [] }).expect(400, /^metadata: /)
    await send(made, { text: 'x' }, { 'idempotency-key': 'ü' }).expect(400, /^idempotency-key: /)
    await send(made, { text: 'x'.repeat(2 * 1024 * 1024) }).expect(413)
    const { headers } = await h.as(made.secret).get(pathOf(made))
    expect(headers.get('allow')).toBe('POST')
    expect(await events()).toEqual([])
    const { deliveries } = await detailsOf(made)
    expect(deliveries[0]).toMatchObject({
      status: 400,
      event_id: null,
      error: expect.stringMatching(/^idempotency-key: /),
    })
  })

  it.each(Object.entries(SENDERS))('is rejected for what no request may contain: %s', async (format, post) => {
    const made = await make(format)
    const refused = (data: string, detail: string | RegExp) =>
      post(made, `{"text": "x", "data": ${data}}`).expect(400, detail)
    await refused('['.repeat(10_000) + ']'.repeat(10_000), /must not nest deeper than 32 levels$/)
    await refused(String.raw`"a\u0000"`, /^data: /)
    await refused(`[${'0,'.repeat(50_000)}0]`, 'body: must have at most 50,000 values')
    expect(await events()).toEqual([])
  })

  it('keeps the digits of large integers, or is rejected', async () => {
    const json = await make('json')
    await send(json, '{"text": "x", "metadata": {"order": 9007199254740993}}').expect(
      400,
      'metadata: has a number that loses digits: send it as a string',
    )
    const signed = await make('standard', { template: 'Order {{data.order}}' })
    await standard(signed, '{"type": "x", "data": {"order": 9007199254740993}}').expect(200)
    expect((await events()).map(({ text }: { text: string }) => text)).toEqual(['Order 9007199254740993'])
  })

  it('holds up no other request with a template that repeats a long value', async () => {
    const made = await make('standard', { template: '{{a}}'.repeat(400) })
    await standard(made, { a: 'x'.repeat(2_000_000) }).expect(200)
    expect((await events())[0].text).toHaveLength(100_000)
  })

  it('is listed among the last 20 deliveries, newest first', async () => {
    const made = await make('json')
    for (let n = 0; n < 22; n++) await send(made, { text: String(n) }, { 'idempotency-key': String(n) }).expect(200)
    const { deliveries } = await detailsOf(made)
    expect(deliveries.map(({ delivery_id }: { delivery_id: string }) => delivery_id)).toEqual(
      Array.from({ length: 20 }, (_, n) => String(21 - n)),
    )
  })

  it('returns the same event when it is retried, even after a change of the template', async () => {
    const made = await make('standard')
    const [first, again] = [
      await standard(made, { type: 'order.paid', data: { id: 1 } }).expect(200),
      await standard(made, { type: 'order.paid', data: { id: 1 } }).expect(200),
    ]
    await h
      .as(ada)
      .patch(`${space}/incoming-webhooks/${made.incoming_webhook_id}`, { template: 'Paid: {{data.id}}' })
      .expect(200)
    expect([again, await standard(made, { type: 'order.paid', data: { id: 1 } }).expect(200)]).toEqual([first, first])
    await standard(made, { type: 'order.paid', data: { id: 2 } }, { id: 'msg_2' }).expect(200)
    expect((await events()).map(({ text }: { text: string }) => text)).toEqual([
      '**order.paid**\n\n```json\n{\n  "id": 1\n}\n```',
      'Paid: 2',
    ])
  })

  it('is rejected with a timestamp that is ten minutes off', async () => {
    const made = await make('standard')
    await standard(made, { type: 'x' }, { at: new Date(Date.now() - 600_000) }).expect(401)
    await standard(made, { type: 'x' }, { at: new Date(Date.now() + 600_000) }).expect(401)
  })

  it('is subject to the loop guard, the stop of the agent and the status of the space', async () => {
    const made = await make('json')
    await h
      .as(ada)
      .put(`${space}/policy`, { loop_guard: { total: 2, per_agent: 0 } })
      .expect(200)
    await send(made, { text: '1' }).expect(200)
    await send(made, { text: '2' }).expect(200)
    expect((await send(made, { text: '3' }).expect(409)).error).toBe('loop_guard')
    await h.as(ada).post(`/api/actors/${made.incoming_webhook_id}/stop`, { reason: 'Noise' }).expect(200)
    expect((await send(made, { text: '4' }).expect(403)).error).toBe('agent_stopped')
    await h.as(ada).post(`/api/actors/${made.incoming_webhook_id}/start`).expect(200)
    await h.as(ada).patch(space, { status: 'paused' }).expect(200)
    await send(made, { text: '5' }).expect(409, 'Space is not active')
    const { deliveries } = await detailsOf(made)
    expect(deliveries.map(({ status }: { status: number }) => status)).toEqual([409, 403, 409, 200, 200])
  })

  it('is rejected once the credential that created the webhook is revoked', async () => {
    const token = await h.as(ada).post('/api/personal-access-tokens', { name: 'Set-up' }).expect(200)
    const made: CreatedWebhook = await h
      .as(token.token)
      .post(`${space}/incoming-webhooks`, { name: 'CI', format: 'json' })
      .expect(200)
    await send(made, { text: 'x' }).expect(200)
    await h.as(ada).delete(`/api/personal-access-tokens/${token.pat_id}`).expect(200)
    expect((await send(made, { text: 'y' }).expect(403)).error).toBe('agent_stopped')
  })

  it('is rejected once the agent has left the private space or the tenant', async () => {
    const made = await make('json')
    await h.as(ada).patch(space, { visibility: 'private' }).expect(200)
    await send(made, { text: 'x' }).expect(200)
    await h.as(ada).delete(`${space}/participants/${made.incoming_webhook_id}`).expect(200)
    await send(made, { text: 'x' }).expect(404, 'Space not found')
    await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    await send(made, { text: 'x' }).expect(404, 'Incoming webhook not found')
  })
})

it('an incoming webhook moves along with its space, at the same address', async () => {
  const made = await make('json')
  await send(made, { text: 'Before' }, { 'idempotency-key': '1' }).expect(200)
  const { spaces } = await h.as(ada).post('/api/tenants', { name: 'Acme', bring_spaces: true }).expect(200)
  expect(spaces.moves).toMatchObject([{ space_id: spaceIdOf(space) }])
  await send(made, { text: 'Before' }, { 'idempotency-key': '1' }).expect(200)
  await send(made, { text: 'After' }).expect(200)
  expect((await events()).map(({ text }: { text: string }) => text)).toEqual(['Before', 'After'])
  expect((await detailsOf(made)).deliveries).toHaveLength(3)
})

describe('a thread of an incoming webhook', () => {
  const threadsOf = async () =>
    (await events()).map(({ text, thread_id }: { text: string; thread_id: string | null }) => [
      text,
      thread_id !== null,
    ])

  it('has the messages with one thread_key, after the first', async () => {
    const made = await make('json')
    const say = (text: string, key: string, thread_key = 'build 1') =>
      send(made, { text, thread_key }, { 'idempotency-key': key }).expect(200)
    const first = await say('Started', 'a')
    const second = await say('Half done', 'b')
    await say('Another', 'c', 'build 2')
    expect(await say('Started', 'a')).toEqual(first)
    expect(await say('Half done', 'b')).toEqual(second)
    expect(await threadsOf()).toEqual([
      ['Started', false],
      ['Half done', true],
      ['Another', false],
    ])
    const [thread] = await h.as(ada).get(`${space}/threads`).expect(200)
    expect(thread).toMatchObject({ parent_event_id: first.event_id, subject: 'build 1', event_count: 1 })
  })

  it('is a single one for concurrent messages', async () => {
    const made = await make('json')
    const texts = Array.from({ length: 8 }, (_, n) => `Message ${n}`)
    const answers: Answer[] = await Promise.all(texts.map((text) => send(made, { text, thread_key: 'one' })))
    for (const answer of answers) answer.expect(200)
    const written = await threadsOf()
    expect(written.map(([text]: string[]) => text).sort()).toEqual(texts)
    expect(written.filter(([, isInThread]: boolean[]) => !isInThread)).toHaveLength(1)
  })

  it('has the events of one pull request on GitHub', async () => {
    const made = await make('github')
    const repository = { full_name: 'acme/app', html_url: 'https://github.com/acme/app' }
    const sender = { login: 'octocat' }
    const pull_request = { number: 7, title: 'Fix it', html_url: 'https://github.com/acme/app/pull/7', body: null }
    const id = randomUUID()
    const opened = await github(
      made,
      'pull_request',
      { action: 'opened', repository, sender, pull_request },
      id,
    ).expect(200)
    expect(
      await github(made, 'pull_request', { action: 'opened', repository, sender, pull_request }, id).expect(200),
    ).toEqual(opened)
    const comment = { html_url: 'https://github.com/acme/app/pull/7#c1', body: 'Nice' }
    await github(made, 'issue_comment', { action: 'created', repository, sender, issue: pull_request, comment }).expect(
      200,
    )
    expect(await github(made, 'ping', { zen: 'Design for failure.', hook_id: 1 }).expect(200)).toEqual({
      ok: true,
      event_id: null,
    })
    expect(await threadsOf()).toEqual([
      [
        '**octocat** opened the pull request [#7 Fix it](https://github.com/acme/app/pull/7) in [acme/app](https://github.com/acme/app)',
        false,
      ],
      [
        '**octocat** [commented](https://github.com/acme/app/pull/7#c1) on [#7 Fix it](https://github.com/acme/app/pull/7)\n\n> Nice',
        true,
      ],
    ])
    const { deliveries } = await detailsOf(made)
    expect(deliveries.map(({ kind }: { kind: string }) => kind)).toEqual([
      'ping',
      'issue_comment.created',
      'pull_request.opened',
      'pull_request.opened',
    ])
  })
})

describe('people of another service', () => {
  it('are mentioned as the participants they are mapped to', async () => {
    const grace = await h.registerHuman()
    await h.as(grace).post(`${space}/join`).expect(200)
    const made = await make('github', { people: { octocat: grace.actor_id } })
    const issue = { number: 7, title: 'Broken', body: 'See @OctoCat, @hubot' }
    await github(made, 'issues', { action: 'opened', issue, sender: { login: 'x' } }).expect(200)
    const [{ metadata }] = await events()
    expect(metadata.mentions).toEqual([grace.actor_id])
    const inbox = await h.as(grace).get('/api/actors/me/inbox').expect(200)
    expect(inbox.items.map(({ event }: { event: { text: string } }) => event.text)).toEqual([
      expect.stringMatching(/Broken/),
    ])

    const path = `${space}/incoming-webhooks/${made.incoming_webhook_id}`
    expect((await h.as(ada).patch(path, { people: {} }).expect(200)).people).toEqual({})
    await github(made, 'issues', { action: 'assigned', issue, assignee: { login: 'octocat' } }).expect(200)
    expect((await events()).at(-1).metadata.mentions).toBe(undefined)
  })

  it('are mapped for Slack, too', async () => {
    const made = await make('slack', { people: { U024BE7LH: ada.actor_id } })
    const elements = [{ type: 'rich_text_section', elements: [{ type: 'user', user_id: 'U024BE7LH' }] }]
    await h.as(undefined).post(pathOf(made), { text: 'Down, <@U024BE7LH>' })
    await h.as(undefined).post(pathOf(made), { blocks: [{ type: 'rich_text', elements }] })
    const posted = await events()
    expect(posted.map(({ metadata }: { metadata: { mentions: string[] } }) => metadata.mentions)).toEqual([
      [ada.actor_id],
      [ada.actor_id],
    ])
  })

  it('are at most 500, for GitHub and Slack only', async () => {
    const people = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`user-${n}`, ada.actor_id]))
    await create({ format: 'github', people }).expect(400, 'people: must name at most 500 people')
    await create({ format: 'github', people: { x: 1 } }).expect(400, /^people/)
    await create({ format: 'github', people: null }).expect(200)
    await create({ people: { x: ada.actor_id } }).expect(400, 'people: is for the formats github and slack only')
  })
})

describe('a check run of GitHub', () => {
  const repository = { full_name: 'acme/app', html_url: 'https://github.com/acme/app' }
  const pull_request = { number: 7, title: 'Fix it', html_url: 'https://github.com/acme/app/pull/7', body: null }

  /** Posts the conclusion of a check run, and returns the ID of the event. */
  async function check(
    made: CreatedWebhook,
    conclusion: string,
    { id = randomUUID(), ...fields }: Record<string, unknown> = {},
  ) {
    const check_run = { name: 'test', head_sha: '0123456789', conclusion, html_url: 'https://ci.example/1', ...fields }
    const body = { action: 'completed', repository, check_run }
    return (await github(made, 'check_run', body, String(id)).expect(200)).event_id as string
  }

  it('corrects its message when it passes after a failure, in the thread of its pull request', async () => {
    const made = await make('github')
    const sender = { login: 'octocat' }
    await github(made, 'pull_request', { action: 'opened', repository, sender, pull_request }).expect(200)
    const pull_requests = [{ number: 7 }]
    const failed = await check(made, 'failure', { id: 'd1', pull_requests })
    const passed = await check(made, 'success', { id: 'd2', pull_requests })
    expect(await check(made, 'failure', { id: 'd1', pull_requests })).toBe(failed)
    expect(await check(made, 'success', { id: 'd2', pull_requests })).toBe(passed)
    const [opened, first, correction, ...more] = await events()
    expect(more).toEqual([])
    expect(first).toMatchObject({ event_id: failed, thread_id: expect.any(String), corrected_by: passed })
    expect(first.current_text).toMatch(/\*\*success\*\*/)
    expect(correction).toMatchObject({ event_id: passed, corrects: failed, thread_id: first.thread_id })
    expect(opened.thread_id).toBe(null)
  })

  it('is a message outside threads for an unknown pull request, and a new one for each commit', async () => {
    const made = await make('github')
    const first = await check(made, 'failure', { pull_requests: [{ number: 9 }] })
    const second = await check(made, 'failure', { head_sha: 'fedcba9876' })
    const [one, two] = await events()
    expect([one.event_id, two.event_id]).toEqual([first, second])
    expect([one.thread_id, two.corrects]).toEqual([null, undefined])
  })

  it('corrects no check of another suite with its name', async () => {
    const made = await make('github')
    await check(made, 'failure', { check_suite: { id: 1 } })
    await check(made, 'success', { check_suite: { id: 2 } })
    const conclusions = (await events()).map(({ text, corrects }: { text: string; corrects?: string }) => [
      /\*\*(\w+)\*\*/.exec(text)?.[1],
      corrects,
    ])
    expect(conclusions).toEqual([
      ['failure', undefined],
      ['success', undefined],
    ])
  })

  it('is a new message after a redaction of the last one', async () => {
    const made = await make('github')
    const failed = await check(made, 'failure')
    await operate(
      'event',
      'redact',
      DEFAULT_SCOPE,
      spaceIdOf(space),
      failed,
      '--by',
      'Ada',
      '--reason',
      'Article 17',
      '--yes',
    )
    const passed = await check(made, 'success')
    const { corrects, text } = (await events()).at(-1)
    expect([corrects, passed !== failed]).toEqual([undefined, true])
    expect(text).toMatch(/\*\*success\*\*/)
  })
})

describe('runs of GitHub that are delivered out of order', () => {
  const repository = { full_name: 'acme/app', html_url: 'https://github.com/acme/app' }
  const RUN = { name: 'CI', head_sha: '0123456789', head_branch: 'main', html_url: 'https://ci.example/1' }

  /** The documented request of GitHub for a run that completed at a second. */
  const FORMS = {
    check_run: (id: number, conclusion: string, second: number) => ({
      check_run: { ...RUN, id, conclusion, status: 'completed', completed_at: `2026-01-05T09:00:0${second}Z` },
    }),
    workflow_run: (id: number, conclusion: string, second: number) => ({
      workflow_run: { ...RUN, id: 1, run_attempt: id, conclusion, updated_at: `2026-01-05T09:00:0${second}Z` },
    }),
  }
  const EVENTS = ['check_run', 'workflow_run'] as const

  const end = (made: CreatedWebhook, event: (typeof EVENTS)[number], run: [number, string, number], at = h) => {
    const body = { action: 'completed', repository, ...FORMS[event](...run) }
    return github(made, event, body, run.join(' '), at).expect(200)
  }
  /** Returns the conclusion that readers see. */
  const shown = async () => {
    const [first] = await events()
    return /\*\*(\w+)\*\*/.exec(first.current_text ?? first.text)?.[1]
  }

  it.each(EVENTS)('show the latest state of a %s in any order, also with retries', async (event) => {
    const made = await make('github')
    const third = await end(made, event, [3, 'success', 3])
    expect(await end(made, event, [1, 'failure', 1])).toEqual({ ok: true, event_id: null })
    expect(await shown()).toBe('success')
    const fifth = await end(made, event, [5, 'cancelled', 5])
    for (const older of [2, 4]) {
      expect((await end(made, event, [older, 'failure', older])).event_id).toBe(null)
      expect(await shown()).toBe('cancelled')
    }
    const sixth = await end(made, event, [6, 'neutral', 5])
    expect([await end(made, event, [5, 'cancelled', 5]), await end(made, event, [3, 'success', 3])]).toEqual([
      fifth,
      third,
    ])
    expect((await end(made, event, [4, 'failure', 5])).event_id).toBe(null)
    expect([await shown(), (await events()).length]).toEqual(['neutral', 3])
    const { deliveries } = await detailsOf(made)
    expect(deliveries[0]).toMatchObject({ status: 200, event_id: null, error: null })
    expect(deliveries.some(({ event_id }: { event_id: string }) => event_id === sixth.event_id)).toBe(true)
  })

  it.each(EVENTS)('show the latest state of a %s when two servers receive them concurrently', async (event) => {
    for (let round = 0; round < 5; round++) {
      space = await h.openSpace(ada)
      const made = await make('github')
      const seconds = [6, 3, 1, 7, 2, 9, 5, 8, 4]
      const conclusion = (second: number) => (second === 9 ? 'success' : 'failure')
      await Promise.all(
        seconds.flatMap((second, index) =>
          [h, elsewhere].map((at) => end(made, event, [second, conclusion(second), second], index % 2 === 0 ? at : h)),
        ),
      )
      expect(await shown()).toBe('success')
      const written = await events()
      const orders = written.map(
        ({ metadata }: { metadata: { incoming_webhook: { order: { at: string } } } }) =>
          metadata.incoming_webhook.order.at,
      )
      expect(orders).toEqual([...new Set(orders)].sort())
      expect(orders.at(-1)).toBe('2026-01-05T09:00:09.000Z')
    }
  })

  it('are a new message after the last one was redacted', async () => {
    const made = await make('github')
    const { event_id } = await end(made, 'check_run', [1, 'failure', 1])
    const by = ['--by', 'Ada', '--reason', 'Article 17', '--yes']
    await operate('event', 'redact', DEFAULT_SCOPE, spaceIdOf(space), event_id, ...by)
    const again = await end(made, 'check_run', [3, 'success', 3])
    expect((await end(made, 'check_run', [2, 'failure', 2])).event_id).toBe(null)
    expect((await events()).at(-1)).toMatchObject({
      event_id: again.event_id,
      text: expect.stringContaining('success'),
    })
  })
})

describe('a form-encoded request', () => {
  it('has JSON in the field payload, or is rejected', async () => {
    const made = await make('slack')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ payload: JSON.stringify({ text: 'From *a form*' }) }).toString()
    const answer = await h.as(undefined).post(pathOf(made), body, { headers })
    expect([answer.status, answer.text]).toEqual([200, 'ok'])
    await h.as(undefined).post(pathOf(made), 'text=x', { headers }).expect(400, 'payload: is required in a form')
    const many = new URLSearchParams({ payload: JSON.stringify({ text: 'x', a: Array(50_000).fill(0) }) }).toString()
    await h.as(undefined).post(pathOf(made), many, { headers }).expect(400, 'body: must have at most 50,000 values')
    expect((await storedEvents(h.connection, space)).length).toBe(1)
    expect((await events())[0].text).toBe('From **a form**')
  })
})
