import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { type Actor, type Client, eventually, query, spaceIdOf, useDatabase } from '@collab-spaces/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Running } from '../src/serve.js'
import { hurry, lookedAt } from './support/notification-channels.js'
import { PushService, type TestBrowser } from './support/push-service.js'
import { startServer, useServer } from './support/server.js'
import { foundTenant, moveInto } from './support/tenant.js'

const service = new PushService()
beforeAll(() => service.open())
const database = useDatabase()
const h = useServer({}, database)
let other: Running
beforeAll(async () => {
  other = await startServer(database.connection)
})
afterAll(async () => {
  await other?.stop()
  await service.close()
})

const PATH = '/api/actors/me/notifications'
const CHANNELS = `${PATH}/channels`
let ada: Actor
let bob: Actor
let browser: TestBrowser
let spaceId: string
let count = 0

beforeEach(async () => {
  service.onMessage = () => undefined
  ada = await h.registerHuman('Ada')
  bob = await h.registerHuman('Bob')
  // In one tenant, since messages from strangers have no text.
  await moveInto(h.connection, await foundTenant(h.connection), ada, bob)
  browser = service.browser(`Firefox ${++count} on Linux`)
  spaceId = spaceIdOf(await h.openSpace(bob))
})

const say = (text: string, space = spaceId) =>
  h
    .as(bob)
    .post(`/api/spaces/${space}/speech`, { text, metadata: { mentions: [ada.actor_id] } })
    .expect(200)
const pushed = (n = 1) =>
  eventually(async () => {
    if (browser.received.length < n) await hurry(h.connection)
    return browser.received[n - 1]
  })

async function isTold(who: Client = h.as(ada)): Promise<string> {
  await who.put(PATH, { delay_minutes: 0 }).expect(200)
  const { channel_id } = await who.post(CHANNELS, browser.subscription).expect(200)
  return channel_id
}

it('sends one encrypted and signed message to a browser, although two servers run', async () => {
  await isTold()
  await h.as(ada).put(PATH, { push_delay_minutes: 1 }).expect(200)
  await say('first')
  await say('second')
  await lookedAt(h.connection)
  expect(browser.received).toEqual([])
  const { push_key } = await h.as(ada).put(PATH, { push_delay_minutes: 0 }).expect(200)
  const { payload, headers, vapid } = await pushed()
  expect(payload).toMatchObject({
    title: `You have unread events in ${spaceId}`,
    body: `${spaceId}: 2 events\nBob: first\nBob: second`,
    path: `/s/${spaceId}`,
  })
  expect(headers.topic).toBe(payload.id.replaceAll('-', ''))
  expect(vapid).toMatchObject({ key: push_key, aud: service.origin })
  expect(vapid.exp * 1_000).toBeGreaterThan(Date.now())
  await lookedAt(h.connection)
  expect(browser.received).toHaveLength(1)
  await say('third')
  expect((await pushed(2)).payload.body).not.toContain('second')
})

it('sends a message at once by default, but none while the page is visible', async () => {
  await isTold()
  const report = (visible: boolean) => h.as(ada).put('/api/actors/me/presence', { view: 'a tab', visible }).expect(200)
  await report(true)
  await say('seen in the page')
  await lookedAt(h.connection)
  expect(browser.received).toEqual([])
  await report(false)
  const { payload } = await pushed()
  expect(payload.body).toContain('seen in the page')
  const [{ event_id }] = await h.as(ada).get(`/api/spaces/${spaceId}/events?tail=true&limit=1`).expect(200)
  expect(payload.latest).toBe(event_id)
  // The report of a crashed view expires.
  await report(true)
  await query(h.connection, `UPDATE presences SET expires_at = now() - interval '1 second'`)
  await say('unseen')
  expect((await pushed(2)).payload.body).toContain('unseen')
})

it('links to the inbox if several spaces have unread events, and has at most 3 KiB', async () => {
  await isTold()
  await h
    .as(ada)
    .put(PATH, { quiet_hours: { from: '00:00', until: '23:59' } })
    .expect(200)
  for (let n = 0; n < 12; n++) await say('"\u{1F30A}\\'.repeat(200), spaceIdOf(await h.openSpace(bob)))
  await h.as(ada).put(PATH, { quiet_hours: null }).expect(200)
  const { payload, bytes } = await pushed()
  expect(payload).toMatchObject({ title: 'You have unread events in 12 spaces', path: '/inbox' })
  expect(payload.body).toMatch(/…$/)
  expect(bytes).toBeLessThanOrEqual(3 * 1_024)
})

it('sends an open decision, with a link to its space', async () => {
  await isTold()
  const { decision_id } = await h
    .as(bob)
    .post(`/api/spaces/${spaceId}/decisions`, { proposed_by: bob.actor_id, text: 'Sail', assignees: [ada.actor_id] })
    .expect(200)
  const { payload } = await pushed()
  expect(payload).toMatchObject({ body: `A decision is assigned to you, in ${spaceId}.`, path: `/s/${spaceId}` })
  await lookedAt(h.connection)
  expect(browser.received).toHaveLength(1)
  // The decision stays in the inbox.
  const { decisions, notices } = await h.as(ada).get('/api/actors/me/inbox').expect(200)
  expect(decisions).toMatchObject([{ decision_id }])
  expect(notices).toMatchObject([{ kind: 'decision_assigned' }])
})

describe('a snoozed inbox item', () => {
  const INBOX = '/api/actors/me/inbox'
  const end = () => query(h.connection, 'UPDATE snoozes SET until = now() WHERE actor_id = $1', [ada.actor_id])
  const report = (visible: boolean) => h.as(ada).put('/api/actors/me/presence', { view: 'a tab', visible }).expect(200)
  const TOMORROW = new Date(Date.now() + 86_400_000).toISOString()
  /** Reads the inbox, so that its items are delivered, and hides the page. */
  const look = async () => {
    await h.as(ada).get(INBOX).expect(200)
    await report(false)
  }
  const hide = (entries: object) =>
    h
      .as(ada)
      .post(`${INBOX}/snooze`, { ...entries, until: TOMORROW })
      .expect(200)
  const quiet = async () => {
    await lookedAt(h.connection)
    return browser.received.length
  }

  beforeEach(async () => {
    await isTold()
    await report(true)
  })

  it('is sent once when it returns, although two servers run', async () => {
    const { event_id } = await say('later')
    await look()
    await hide({ items: [{ space_id: spaceId, event_id }] })
    expect(await quiet()).toBe(0)
    await end()
    const { payload } = await pushed()
    expect(payload).toMatchObject({
      title: `Snoozed items are back in ${spaceId}`,
      body: `A snoozed item is back, in ${spaceId}.`,
      path: `/s/${spaceId}`,
      latest: event_id,
    })
    expect(await quiet()).toBe(1)
  })

  it('is not sent if it was delivered or done, returned early, or is muted', async () => {
    const spaces = [spaceId, ...(await Promise.all([1, 2, 3].map(async () => spaceIdOf(await h.openSpace(bob)))))]
    const [, again, muted] = spaces
    const items = []
    for (const space_id of spaces) items.push({ space_id, event_id: (await say('later', space_id)).event_id })
    await look()
    await hide({ items })
    await h
      .as(ada)
      .post(`${INBOX}/done`, { through: [items[0]] })
      .expect(200)
    await report(true)
    await say('an answer', again)
    await look()
    await h.as(ada).put(`/api/spaces/${muted}/preferences`, { notices: 'none' }).expect(200)
    expect(await quiet()).toBe(0)
    await report(true)
    await end()
    await h.as(ada).get(INBOX).expect(200)
    await eventually(async () => {
      const { rowCount } = await query(h.connection, 'SELECT FROM snoozes WHERE actor_id = $1', [ada.actor_id])
      return rowCount === 0
    })
    await report(false)
    expect(await quiet()).toBe(0)
  })

  it('is not sent if its owner ends the snooze', async () => {
    const { event_id } = await say('later')
    await look()
    const items = [{ space_id: spaceId, event_id }]
    await hide({ items })
    expect(await quiet()).toBe(0)
    const now = new Date().toISOString()
    await h.as(ada).post(`${INBOX}/snooze`, { items, until: now }).expect(200)
    expect(await quiet()).toBe(0)
  })

  it('is sent if its owner has read only another space', async () => {
    const other = spaceIdOf(await h.openSpace(bob))
    const { event_id } = await say('later')
    await say('now', other)
    await look()
    await hide({ items: [{ space_id: spaceId, event_id }] })
    await report(true)
    await end()
    const { items } = await h.as(ada).get(`${INBOX}?space_id=${other}`).expect(200)
    expect(items).toHaveLength(1)
    await report(false)
    expect((await pushed()).payload).toMatchObject({ actor_id: ada.actor_id, latest: event_id })
  })

  it('is sent once more if it is a decision or a notice', async () => {
    await report(false)
    const { decision_id } = await h
      .as(bob)
      .post(`/api/spaces/${spaceId}/decisions`, { proposed_by: bob.actor_id, text: 'Sail', assignees: [ada.actor_id] })
      .expect(200)
    await pushed()
    await hide({ decisions: [{ space_id: spaceId, decision_id }] })
    expect(await quiet()).toBe(1)
    await query(h.connection, 'UPDATE notices SET snoozed_until = now() WHERE actor_id = $1', [ada.actor_id])
    const body = `A decision is assigned to you, in ${spaceId}.`
    expect((await pushed(2)).payload).toMatchObject({ body })
    const { notices } = await h.as(ada).get(`${INBOX}?peek=true`).expect(200)
    await hide({ notices: [notices[0].notice_id] })
    expect(await quiet()).toBe(2)
    await query(h.connection, 'UPDATE notices SET snoozed_until = now() WHERE actor_id = $1', [ada.actor_id])
    expect((await pushed(3)).payload).toMatchObject({ body })
    expect(await quiet()).toBe(3)
  })
})

it('omits the text of private spaces', async () => {
  await isTold()
  const quiet = (quiet_hours: object | null) => h.as(ada).put(PATH, { quiet_hours }).expect(200)
  await quiet({ from: '00:00', until: '23:59' })
  const id = `hidden-${count}`
  await h.as(bob).post('/api/spaces', { space_id: id, visibility: 'private' }).expect(200)
  await h.as(bob).post(`/api/spaces/${id}/participants`, { actor_id: ada.actor_id }).expect(200)
  await say('a secret', id)
  await quiet(null)
  const { payload } = await pushed()
  expect(payload.body).toBe(`You have unread events in ${id}.\nYou were added to a space, in ${id}.`)
})

it('sends events in a conversation without their text, with a link to it', async () => {
  await isTold()
  const talk = await h.openConversation(bob, ada)
  await h.as(bob).post(`${talk}/speech`, { text: 'Between us' }).expect(200)
  expect((await pushed()).payload).toMatchObject({
    title: 'You have unread events in a private conversation',
    body: 'You have unread events in a private conversation.',
    path: talk.replace('/api/spaces/', '/s/'),
  })
})

it('sends nothing in quiet hours, and omits events that are done or in a muted space', async () => {
  await isTold()
  const quiet = { from: '00:00', until: '23:59' }
  await h.as(ada).put(PATH, { quiet_hours: quiet }).expect(200)
  await say('hush')
  await lookedAt(h.connection)
  expect(browser.received).toEqual([])
  const { done } = await h.as(ada).get('/api/actors/me/inbox').expect(200)
  await h.as(ada).post('/api/actors/me/inbox/done', done).expect(200)
  await h.as(ada).put(PATH, { quiet_hours: null }).expect(200)
  await h.as(ada).put(`/api/spaces/${spaceId}/preferences`, { notices: 'none' }).expect(200)
  await say('muted')
  await lookedAt(h.connection)
  expect(browser.received).toEqual([])
  await h.as(ada).put(`/api/spaces/${spaceId}/preferences`, { notices: 'mentions' }).expect(200)
  expect((await pushed()).payload.body).toBe(`${spaceId}: 1 event\nBob: muted`)
})

it('applies the preference for all spaces to a space without its own', async () => {
  await isTold()
  await h.as(ada).put(PATH, { notices: 'none' }).expect(200)
  const preferences = await h.as(ada).put(`/api/spaces/${spaceId}/preferences`, { pinned: true }).expect(200)
  expect(preferences).toEqual({ pinned: true, notices: 'none' })
  expect(await h.as(ada).get(`/api/spaces/${spaceId}/status`).expect(200)).toMatchObject({ preferences })
  await say('hush')
  await lookedAt(h.connection)
  expect(browser.received).toEqual([])
  await h.as(ada).put(PATH, { notices: 'mentions' }).expect(200)
  expect(await h.as(ada).get(`/api/spaces/${spaceId}/status`).expect(200)).toMatchObject({
    preferences: { pinned: true, notices: 'mentions' },
  })
  await pushed()
})

it.each([404, 410])('ends when the push service answers %i', async (status) => {
  await isTold()
  service.onMessage = (to) => (to === browser ? status : undefined)
  await say('hello')
  await eventually(async () => {
    await hurry(h.connection)
    return (await h.as(ada).get(PATH).expect(200)).channels.length === 0
  })
  const { rows } = await query(
    h.connection,
    `SELECT credential_id, details::json FROM audit_entries
     WHERE actor_id = $1 AND action = 'notification_channel.removed'`,
    [ada.actor_id],
  )
  expect(rows).toEqual([{ credential_id: null, details: { by: 'push_service' } }])
})

it('retries with the same message id when the push service rejects the message', async () => {
  await isTold()
  const refused: string[] = []
  service.onMessage = (to, { payload }) => {
    if (to !== browser || refused.length > 0) return undefined
    refused.push(payload.id)
    return 503
  }
  await say('again')
  expect((await pushed()).payload.id).toBe(refused[0])
})

it('ends with the credential that requested it', async () => {
  const { token, pat_id } = await h.as(ada).post('/api/personal-access-tokens', { name: 'laptop' }).expect(200)
  await isTold(h.as(token))
  const { ended } = await h.as(ada).delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
  expect(ended.items).toMatchObject([{ kind: 'notification_channel', name: browser.name }])
  expect(await h.as(ada).get(PATH).expect(200)).toMatchObject({ channels: [] })
  await say('hello')
  await lookedAt(h.connection)
  expect(browser.received).toEqual([])
})

it('has one channel per account and browser, which its owner can remove', async () => {
  const channelId = await isTold()
  const again = await h
    .as(ada)
    .post(CHANNELS, { ...browser.subscription, name: 'Laptop' })
    .expect(200)
  expect(again).toEqual({
    channel_id: channelId,
    kind: 'push',
    address: browser.endpoint,
    name: 'Laptop',
    verified: true,
  })
  expect(await h.as(ada).get(PATH).expect(200)).toMatchObject({ channels: [again] })
  // Another account in the same browser has its own.
  await h.as(bob).post(CHANNELS, browser.subscription).expect(200)
  await h.as(bob).delete(`${CHANNELS}/${channelId}`).expect(404)
  await h.as(bob).delete(`${CHANNELS}/nothing`).expect(404)
  await h.as(ada).delete(`${CHANNELS}/${channelId}`).expect(200)
  expect(await h.as(ada).get(PATH).expect(200)).toMatchObject({ channels: [] })
  await say('hello')
  await lookedAt(h.connection)
  expect(browser.received).toEqual([])
})

it('is limited to 20 browsers of a human', async () => {
  for (let n = 0; n < 20; n++) await h.as(ada).post(CHANNELS, service.browser('One').subscription).expect(200)
  await h
    .as(ada)
    .post(CHANNELS, browser.subscription)
    .expect(409, /^You already have 20 browsers with notifications/)
})

it('returns 403 to agents, and 400 for a forbidden endpoint or invalid keys', async () => {
  const agent = await h.registerAgent(ada)
  const { subscription } = browser
  await h.as(agent).post(CHANNELS, subscription).expect(403)
  for (const endpoint of [
    'nowhere',
    'http://push.example.org/x',
    'https://10.0.0.1/x',
    'https://[fe80::1]/x',
    'https://169.254.169.254/latest',
    'https://ada:secret@push.example.org/x',
    'ftp://127.0.0.1/x',
  ]) {
    await h
      .as(ada)
      .post(CHANNELS, { ...subscription, endpoint })
      .expect(400, /^endpoint: /)
  }
  const { p256dh, auth } = subscription.keys
  for (const keys of [
    { p256dh, auth: 'short' },
    { p256dh: p256dh.slice(0, -2), auth },
    { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth },
    { p256dh },
    null,
  ]) {
    await h
      .as(ada)
      .post(CHANNELS, { ...subscription, keys })
      .expect(400, /^keys/)
  }
})

it('accepts endpoints of known push services only, and names PUSH_HOSTS otherwise', async () => {
  const { subscription } = browser
  const subscribe = (endpoint: string) => h.as(ada).post(CHANNELS, { ...subscription, endpoint })
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/x',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://web.push.apple.com/x',
    'https://wns2-am3p.notify.windows.com/w/?token=x',
  ]) {
    await subscribe(endpoint).expect(200)
  }
  for (const endpoint of [
    'https://example.org/x',
    'https://fcm.googleapis.com.example.org/x',
    'https://notify.windows.com/x',
    'https://8.8.8.8/x',
  ]) {
    await subscribe(endpoint).expect(400, /^endpoint: .* PUSH_HOSTS$/)
  }
})

it('sends only to hosts that the tenant policy allows', async () => {
  await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
  const { tenant_id } = await h.as(ada).get('/api/actors/me').expect(200)
  const allow = (webhook_hosts: unknown) =>
    h.as(ada).put(`/api/tenants/${tenant_id}/policy`, { webhook_hosts }).expect(200)
  await allow(['hooks.example.org'])
  await h
    .as(ada)
    .post(CHANNELS, browser.subscription)
    .expect(400, /^endpoint: .* webhook_hosts in its policy$/)
  await allow(['127.0.0.1'])
  await isTold()
  // A stored endpoint that the policy forbids later receives nothing.
  await allow([])
  const agent = await h.registerAgent(ada)
  const event = { text: 'hello', metadata: { mentions: [ada.actor_id] } }
  await h
    .as(agent)
    .post(`${await h.openSpace(agent)}/response`, event)
    .expect(200)
  const failures = async () => {
    await hurry(h.connection)
    const { rows } = await query(h.connection, 'SELECT failures FROM notification_channels WHERE actor_id = $1', [
      ada.actor_id,
    ])
    return rows[0]?.failures > 0
  }
  await eventually(failures)
  expect(browser.received).toEqual([])
})

describe('a server that sends to public addresses only', () => {
  const guarded = useServer({ WEBHOOK_NETWORKS: 'public' })

  it('refuses other endpoints, and sends nothing to stored ones', async () => {
    const eve = await guarded.registerHuman('Eve')
    const { endpoint, keys, name } = browser.subscription
    await guarded
      .as(eve)
      .post(CHANNELS, browser.subscription)
      .expect(400, /WEBHOOK_NETWORKS/)
    await guarded.as(eve).put(PATH, { delay_minutes: 0 }).expect(200)
    const fred = await guarded.registerHuman('Fred')
    const event = { text: 'hello', metadata: { mentions: [eve.actor_id] } }
    await guarded
      .as(fred)
      .post(`${await guarded.openSpace(fred)}/speech`, event)
      .expect(200)
    await query(
      guarded.connection,
      `INSERT INTO notification_channels
         (tenant_id, channel_id, actor_id, kind, address, name, push_keys, verified_at, created_at, due_at)
       VALUES ($1, gen_random_uuid(), $2, 'push', $3, $4, $5, now(), now(), now())`,
      [DEFAULT_TENANT, eve.actor_id, endpoint, name, keys],
    )
    await eventually(async () => {
      const { rows } = await query(guarded.connection, 'SELECT failures FROM notification_channels')
      return rows[0]?.failures === 1
    })
    expect(browser.received).toEqual([])
  })
})

describe('a server without a server key', () => {
  const keyless = useServer({ SERVER_KEY: '' })

  it('sends no push messages, and names the missing setting', async () => {
    const eve = await keyless.registerHuman('Eve')
    expect(await keyless.as(eve).get(PATH).expect(200)).toMatchObject({ push_key: null, sends_email: false })
    await keyless
      .as(eve)
      .post(CHANNELS, browser.subscription)
      .expect(409, /the operator has to set SERVER_KEY/)
  })
})
