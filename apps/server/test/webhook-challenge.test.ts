import { type Actor, eventually, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { type Answering, Receiver } from './support/receiver.js'
import { useServer } from './support/server.js'

const h = useServer()
const PATH = '/api/webhooks'

let ada: Actor
let space: string
let receiver: Receiver
beforeEach(async () => {
  ada = await h.registerHuman()
  space = await h.openSpace(ada)
  receiver = await Receiver.listen()
  receiver.echoes = false
})

const make = (url = receiver.url()) =>
  h
    .as(ada)
    .post(PATH, { url, space_id: spaceIdOf(space), payload: 'full' })
    .expect(200)
const shown = (id: string) => h.as(ada).get(`${PATH}/${id}`).expect(200)
const say = async (text: string) => (await h.as(ada).post(`${space}/speech`, { text }).expect(200)).event_id
const textsIn = ({ received }: Receiver): string[] =>
  received
    .filter(({ type }) => type === 'events.appended')
    .flatMap(({ data }) => data.events.map(({ text }: { text: string }) => text))

/** Waits until another webhook of the space has delivered all events so far. */
async function othersAreTold() {
  const other = await Receiver.listen()
  await h
    .as(ada)
    .post(PATH, { url: other.url(), space_id: spaceIdOf(space), from: 'beginning' })
    .expect(200)
  await other.until(1)
}

describe('a receiver that does not return the challenge', () => {
  it('gets no other request, and the webhook shows the reason', async () => {
    const { webhook_id, secret, ...made } = await make()
    expect(made).toMatchObject({
      verified_at: null,
      last_attempt: {
        type: 'webhook.challenge',
        ok: false,
        status: 204,
        error: 'Answered 204 without the challenge',
        space_id: null,
      },
    })
    await say('One')
    await othersAreTold()
    expect(receiver.received.map(({ type, data }) => [type, data])).toEqual([
      [
        'webhook.challenge',
        {
          webhook_id,
          space_id: spaceIdOf(space),
          inbox_of: null,
          challenge: expect.stringMatching(/^[0-9a-f]{48}$/),
        },
      ],
    ])
    expect(await shown(webhook_id)).toMatchObject({ verified_at: null, lag: 1 })

    // A second challenge, whose signature can be verified, succeeds, and no event since is lost.
    receiver.secrets.set(webhook_id, secret)
    receiver.echoes = true
    const attempt = await h.as(ada).post(`${PATH}/${webhook_id}/test`).expect(200)
    expect(attempt).toMatchObject({ type: 'webhook.challenge', ok: true, status: 200, error: null })
    await receiver.until(2)
    expect(textsIn(receiver)).toEqual(['One'])
    expect(receiver.failures).toEqual([])
    expect(await shown(webhook_id)).toMatchObject({ verified_at: expect.stringMatching(TIMESTAMP) })
    // From then on, a test sends webhook.test.
    expect(await h.as(ada).post(`${PATH}/${webhook_id}/test`).expect(200)).toMatchObject({ type: 'webhook.test' })
  })

  const answers: readonly [string, Answering][] = [
    ['answers 401', (response, { data }) => response.writeHead(401).end(data.challenge)],
    ['redirects', (response, { data }) => response.writeHead(307, { location: '/' }).end(data.challenge)],
    ['sends the whole body back', (response, { text }) => response.end(text)],
    ['returns another challenge', (response) => response.end(JSON.stringify({ challenge: '0'.repeat(48) }))],
    ['returns it late in a long answer', (response, { data }) => response.end(' '.repeat(5_000) + data.challenge)],
    ['closes the connection', (response) => response.destroy()],
  ]
  it.each(answers)('stays unverified if it %s', async (_, answer) => {
    receiver.answer = answer
    expect(await make()).toMatchObject({ verified_at: null, last_attempt: { type: 'webhook.challenge', ok: false } })
  })
})

describe('a receiver that returns the challenge', () => {
  const answers: readonly [string, Answering][] = [
    [
      'as JSON',
      (response, { data: { challenge } }) => response.writeHead(201).end(JSON.stringify({ challenge, a: 1 })),
    ],
    ['alone', (response, { data }) => response.end(data.challenge)],
    ['alone in a line', (response, { data }) => response.end(`${data.challenge}\r\n`)],
    ['as a JSON string', (response, { data }) => response.end(JSON.stringify(data.challenge))],
  ]
  it.each(answers)('gets the events from then on: %s', async (_, answer) => {
    receiver.answer = (response, received) => {
      receiver.answer = (response) => response.end()
      answer(response, received)
    }
    const { verified_at, last_attempt } = await make()
    expect(verified_at).toMatch(TIMESTAMP)
    expect(last_attempt).toMatchObject({ type: 'webhook.challenge', ok: true })
    await say('One')
    await receiver.until(2)
    expect(textsIn(receiver)).toEqual(['One'])
  })
})

describe('a tenant with webhook_hosts', () => {
  const policyOf = (webhook_hosts: unknown) => h.as(ada).put(`/api/tenants/${tenant}/policy`, { webhook_hosts })
  let tenant: string
  beforeEach(async () => {
    tenant = (await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)).tenant_id
    space = await h.openSpace(ada)
    receiver.echoes = true
  })

  it('accepts only these hosts, on creation and on change', async () => {
    expect(await policyOf(['Hooks.example.org', '*.example.com']).expect(200)).toMatchObject({
      attribution: 'no_members',
      webhook_hosts: ['hooks.example.org', '*.example.com'],
    })
    const body = { url: receiver.url(), space_id: spaceIdOf(space) }
    await h
      .as(ada)
      .post(PATH, body)
      .expect(400, /^url: leads to a host that the tenant does not send to/)
    await policyOf(['127.0.0.1']).expect(200)
    const { webhook_id } = await make()
    await h
      .as(ada)
      .patch(`${PATH}/${webhook_id}`, { url: 'https://localhost/' })
      .expect(400, /^url: leads to a host/)
    // An omitted field stays the same, and null allows any host.
    expect(await h.as(ada).put(`/api/tenants/${tenant}/policy`, {}).expect(200)).toMatchObject({
      webhook_hosts: ['127.0.0.1'],
    })
    expect(await policyOf(null).expect(200)).toMatchObject({ webhook_hosts: null })
    await policyOf(['https://a.example']).expect(400, /^webhook_hosts\.0: must be a host/)
    await policyOf(Array(101).fill('a.example')).expect(400, /^webhook_hosts: must have at most 100 entries/)
  })

  it('sends no deliveries and tests to other hosts', async () => {
    const { webhook_id } = await make()
    await policyOf([]).expect(200)
    const refused = { ok: false, status: null, error: expect.stringContaining('webhook_hosts') }
    expect(await h.as(ada).post(`${PATH}/${webhook_id}/test`).expect(200)).toMatchObject(refused)
    await say('One')
    await eventually(async () => (await shown(webhook_id)).failing_since !== null)
    expect(await shown(webhook_id)).toMatchObject({ lag: 1, last_attempt: { ...refused, type: 'events.appended' } })
    expect(receiver.received).toEqual([])
    await policyOf(null).expect(200)
    await h.as(ada).patch(`${PATH}/${webhook_id}`, { url: receiver.url() }).expect(200)
    await receiver.until(1)
    expect(textsIn(receiver)).toEqual(['One'])
  })
})

describe('a webhook with a new URL', () => {
  it('sends a challenge to it before any event', async () => {
    receiver.echoes = true
    const { webhook_id, verified_at } = await make()
    const patch = (change: object) => h.as(ada).patch(`${PATH}/${webhook_id}`, change).expect(200)
    expect(await patch({ url: receiver.url() })).toMatchObject({ verified_at })
    expect(await patch({ payload: 'full' })).toMatchObject({ verified_at })

    const other = await Receiver.listen()
    other.echoes = false
    const url = other.url()
    expect(await patch({ url })).toMatchObject({ url, verified_at: null, last_attempt: { ok: false } })
    await say('One')
    await othersAreTold()
    expect(other.received.map(({ type }) => type)).toEqual(['webhook.challenge'])
    expect(receiver.received).toEqual([])
    // Enabling the webhook sends another challenge, and so does setting the same URL.
    await patch({ disabled: true })
    expect(await patch({ disabled: false })).toMatchObject({ verified_at: null })
    other.echoes = true
    expect(await patch({ url })).toMatchObject({ verified_at: expect.stringMatching(TIMESTAMP) })
    await eventually(() => textsIn(other).length > 0)
    expect(textsIn(other)).toEqual(['One'])
  })

  it('ignores the answer of the previous URL', async () => {
    const elsewhere = await Receiver.listen()
    elsewhere.echoes = false
    const { webhook_id } = await make(elsewhere.url())
    receiver.echoes = false
    elsewhere.answer = async (response, { data }) => {
      await h.as(ada).patch(`${PATH}/${webhook_id}`, { url: receiver.url() }).expect(200)
      response.end(data.challenge)
    }
    expect(await h.as(ada).post(`${PATH}/${webhook_id}/test`).expect(200)).toMatchObject({ ok: true })
    expect(await shown(webhook_id)).toMatchObject({ url: receiver.url(), verified_at: null })
  })
})
