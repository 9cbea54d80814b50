import { type Database, openDatabase } from '@collab-spaces/db'
import {
  asTenantId,
  isSecurityNotice,
  NOTICE_KINDS,
  NOTIFICATION_LINK_MS,
  type NoticeKind,
} from '@collab-spaces/domain'
import {
  type Actor,
  type Client,
  eventually,
  query,
  servingConnection,
  spaceIdOf,
  useDatabase,
} from '@collab-spaces/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Running } from '../src/serve.js'
import { Mailbox } from './support/mailbox.js'
import { hurry, lookedAt } from './support/notification-channels.js'
import { startServer, useServer } from './support/server.js'
import { foundTenant, moveInto } from './support/tenant.js'

const mailbox = new Mailbox()
const settings: Record<string, string> = {}
beforeAll(async () => {
  await mailbox.open()
  Object.assign(settings, mailbox.settings)
})
const database = useDatabase()
const h = useServer(settings, database)
let other: Running
let store: Database
beforeAll(async () => {
  store = await openDatabase({ connection: servingConnection(database.connection), poolSize: 2, log: () => {} })
  other = await startServer(database.connection, settings)
})
afterAll(async () => {
  await store?.close()
  await other?.stop()
  await mailbox.close()
})

const PATH = '/api/actors/me/notifications'
let ada: Actor
let bob: Actor
let tenant: string
let address: string
let spaceId: string
let count = 0

beforeEach(async () => {
  ada = await h.registerHuman('Ada')
  bob = await h.registerHuman('Bob')
  // In one tenant, since messages from strangers have no text.
  tenant = await foundTenant(h.connection)
  await moveInto(h.connection, tenant, ada, bob)
  address = `ada-${++count}@example.org`
  spaceId = spaceIdOf(await h.openSpace(bob))
})

const linkIn = (text: string, purpose: string) => new RegExp(`\\S+/notifications/${purpose}/\\S+`).exec(text)?.[0] ?? ''
const say = (text: string, space = spaceId, by = bob) =>
  h
    .as(by)
    .post(`/api/spaces/${space}/speech`, { text, metadata: { mentions: [ada.actor_id] } })
    .expect(200)
const follow = (link: string, method = 'POST', body?: string) =>
  fetch(link, {
    method,
    ...(body !== undefined && { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  })
const digests = () => mailbox.to(address).filter(({ subject }) => subject.startsWith('You have unread events'))
const digest = (n = 1) =>
  eventually(async () => {
    if (digests().length < n) await hurry(h.connection)
    return digests()[n - 1]
  })

async function isTold(delay_minutes = 0, who: Client = h.as(ada)): Promise<void> {
  await who.put(PATH, { email: address, delay_minutes }).expect(200)
  const confirmation = await eventually(() => mailbox.to(address)[0])
  expect((await follow(linkIn(confirmation.text, 'verify'))).status).toBe(200)
}

/** Sets quiet hours for Ada, in which no digest is sent. */
const isQuiet = () =>
  h
    .as(ada)
    .put(PATH, { quiet_hours: { from: '00:00', until: '23:59' } })
    .expect(200)

/** Raises a notice for Ada. */
function raise(kind: NoticeKind, subject: string): Promise<void> {
  const [tenantId, actorId, sourceId] = [asTenantId(tenant), ada.actor_id, bob.actor_id]
  return store.notices.raise([{ tenantId, actorId, kind, subject, sourceId, spaceId: null, details: {} }])
}

/** Reads the inbox of an actor, which has items, and waits until their delivery is recorded. */
async function hasSeen(actor: Actor): Promise<void> {
  const inbox = await h.as(actor).get('/api/actors/me/inbox').expect(200)
  expect(inbox.items).not.toEqual([])
  await eventually(
    async () =>
      (
        await query(h.connection, 'SELECT FROM read_cursors WHERE actor_id = $1 AND delivered_through > 0', [
          actor.actor_id,
        ])
      ).rows.length > 0,
  )
}

it('sends one digest of all unread events after the delay, although two servers run', async () => {
  await isTold(1)
  await say('first')
  await say('second')
  await lookedAt(h.connection)
  expect(digests()).toEqual([])
  await h.as(ada).put(PATH, { delay_minutes: 0 }).expect(200)
  const { text, headers, subject } = await digest()
  expect(subject).toBe(`You have unread events in ${spaceId}`)
  expect(text).toContain(`${spaceId}: 2 events\n  Bob: first\n  Bob: second\n`)
  expect(text).toContain(`/s/${spaceId}`)
  expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  await lookedAt(h.connection)
  expect(digests()).toHaveLength(1)
  await say('third')
  expect((await digest(2)).text).not.toContain('second')
})

it('sends a digest soon after a longer delay is changed', async () => {
  await isTold(1_440)
  await say('hello')
  await lookedAt(h.connection)
  await h.as(ada).put(PATH, { delay_minutes: 0 }).expect(200)
  // This message is sent without `hurry`.
  expect((await eventually(() => digests()[0])).text).toContain('Bob: hello')
})

it('names the files of events with a short text, except deleted ones', async () => {
  await isTold()
  await isQuiet()
  const attach = async (text: string, ...names: string[]) => {
    const path = `/api/spaces/${spaceId}`
    const file_ids: string[] = []
    for (const name of names)
      file_ids.push((await h.as(bob).post(`${path}/files?name=${name}`, name).expect(200)).file_id)
    await h
      .as(bob)
      .post(`${path}/speech`, { text, file_ids, metadata: { mentions: [ada.actor_id] } })
      .expect(200)
    return file_ids.map((id) => `${path}/files/${id}`)
  }
  await attach('👍', 'plan.pdf', 'a.png', 'b.png')
  await attach('Here', 'map.png')
  const [gone = ''] = await attach('Hidden', 'gone.txt')
  await h.as(bob).delete(gone).expect(200)
  await h.as(ada).put(PATH, { quiet_hours: null }).expect(200)
  const { text } = await digest()
  expect(text).toContain('  Bob: Sent plan.pdf and 2 other files\n  Bob: Here (map.png)\n  Bob: Hidden\n')
})

it('sends security notices at once and separately, even in quiet hours or after their delivery', async () => {
  await isTold(1_440)
  await isQuiet()
  const alerts = () => mailbox.to(address).filter(({ subject }) => subject.startsWith('Security: '))
  for (const kind of NOTICE_KINDS.filter((kind) => !isSecurityNotice(kind))) await raise(kind, 'x')
  await say('hello')
  await lookedAt(h.connection)
  expect(alerts()).toEqual([])
  // The holder of a stolen credential could read the inbox first.
  await query(h.connection, 'UPDATE notices SET seen_at = now() WHERE actor_id = $1', [ada.actor_id])
  await raise('credential_revoked', 'first')
  await query(h.connection, 'UPDATE notices SET seen_at = now() WHERE actor_id = $1', [ada.actor_id])
  // This message is sent without `hurry`.
  const first = await eventually(() => alerts()[0])
  expect(first.subject).toBe('Security: A credential was revoked')
  expect(first.text).toContain('/inbox')
  expect(first.headers).toContain('List-Unsubscribe-Post')

  await raise('agent_stopped', 'second')
  await raise('agent_webhook', 'third')
  await lookedAt(h.connection)
  expect(alerts()).toHaveLength(1)
  await query(h.connection, `UPDATE notification_channels SET alerted_at = alerted_at - interval '1 minute'`)
  await hurry(h.connection)
  const second = await eventually(() => alerts()[1])
  expect(second.subject).toBe('Security: 2 notices')
  expect(second.text).toContain('An agent was stopped')

  // The digest has the other events, and none of these notices.
  await h.as(ada).put(PATH, { quiet_hours: null, delay_minutes: 0 }).expect(200)
  const { text } = await digest()
  expect(text).toContain('Bob: hello')
  expect(text).not.toMatch(/A credential was revoked|An agent was stopped/)
  expect(alerts()).toHaveLength(2)
})

it('sends nothing to an address until its owner confirms it with the link', async () => {
  await h.as(ada).put(PATH, { email: address, delay_minutes: 0 }).expect(200)
  await say('hello')
  await lookedAt(h.connection)
  expect(digests()).toEqual([])
  expect(await h.as(ada).get(PATH).expect(200)).toMatchObject({ channels: [{ address, verified: false }] })
  const link = linkIn(mailbox.to(address)[0]?.text ?? '', 'verify')
  expect((await follow(link, 'GET')).status).toBe(200)
  expect(await h.as(ada).get(PATH).expect(200)).toMatchObject({ channels: [{ verified: false }] })
  expect((await follow(`${link}x`)).status).toBe(404)
  await h.as(ada).put(PATH, { email: address }).expect(200)
  expect(mailbox.to(address)).toHaveLength(2)
  expect((await follow(link)).status).toBe(200)
  await digest()
})

it('omits events that the inbox has delivered', async () => {
  await isTold()
  await isQuiet()
  await say('seen')
  await hasSeen(ada)
  await say('new')
  await h.as(ada).put(PATH, { quiet_hours: null }).expect(200)
  const { text } = await digest()
  expect(text).toContain('Bob: new')
  expect(text).not.toContain('Bob: seen')
})

it('includes events that a program only peeked at', async () => {
  await isTold()
  await isQuiet()
  const eve = await h.registerHuman('Eve')
  await moveInto(h.connection, tenant, eve)
  const event = { text: 'counted', metadata: { mentions: [ada.actor_id, eve.actor_id] } }
  await h.as(bob).post(`/api/spaces/${spaceId}/speech`, event).expect(200)
  const counted = await h.as(ada).get('/api/actors/me/inbox?peek=true').expect(200)
  expect(counted.items).toHaveLength(1)
  // Deliveries are recorded in order: every delivery to Ada is recorded by now.
  await hasSeen(eve)
  await h.as(ada).put(PATH, { quiet_hours: null }).expect(200)
  expect((await digest()).text).toContain('Bob: counted')
})

it('omits any number of events that were read in the space', async () => {
  await isTold()
  await isQuiet()
  const speaker = { speaker_id: bob.actor_id, speaker_name: 'Bob' }
  const mention = { text: 'read', ...speaker, metadata: { mentions: [ada.actor_id] } }
  await h
    .as(bob)
    .post(`/api/spaces/${spaceId}/events/batch`, { events: Array.from({ length: 60 }, () => mention) })
    .expect(200)
  await h.as(ada).put(`/api/spaces/${spaceId}/seen`, {}).expect(200)
  await say('new')
  await h.as(ada).put(PATH, { quiet_hours: null }).expect(200)
  const { text } = await digest()
  expect(text).toContain(`${spaceId}: 1 event\n  Bob: new\n`)
  expect(text).not.toContain('Bob: read')
})

it('sends nothing in quiet hours', async () => {
  await isTold()
  const hour = (offset: number) => new Date(Date.now() + offset * 3_600_000).toISOString().slice(11, 16)
  await h
    .as(ada)
    .put(PATH, { quiet_hours: { from: hour(-1), until: hour(1) }, time_zone: 'UTC' })
    .expect(200)
  await say('hush')
  await lookedAt(h.connection)
  expect(digests()).toEqual([])
  await h.as(ada).put(PATH, { quiet_hours: null }).expect(200)
  await digest()
})

it('omits events in a muted space', async () => {
  await isTold()
  await h.as(ada).put(`/api/spaces/${spaceId}/preferences`, { notices: 'none' }).expect(200)
  await say('hush')
  await lookedAt(h.connection)
  expect(digests()).toEqual([])
  await h.as(ada).put(`/api/spaces/${spaceId}/preferences`, { notices: 'mentions' }).expect(200)
  await digest()
})

it('includes events in a conversation, without their text, unless it is muted', async () => {
  await isTold()
  const talk = await h.openConversation(bob, ada)
  await h.as(ada).put(`${talk}/preferences`, { notices: 'none' }).expect(200)
  await h.as(bob).post(`${talk}/speech`, { text: 'Between us' }).expect(200)
  await lookedAt(h.connection)
  expect(digests()).toEqual([])
  await h.as(ada).put(`${talk}/preferences`, { notices: 'mentions' }).expect(200)
  const { subject, text } = await digest()
  expect(subject).toBe('You have unread events in a private conversation')
  expect(text).toContain(talk.replace('/api/spaces/', '/s/'))
  expect(text).not.toContain('Between us')
  await lookedAt(h.connection)
  expect(digests()).toHaveLength(1)
})

const propose = async (text: string, path: string) =>
  (
    await h
      .as(bob)
      .post(`${path}/decisions`, { proposed_by: bob.actor_id, text, assignees: [ada.actor_id] })
      .expect(200)
  ).decision_id

it('includes an open decision once, and omits delivered and settled ones', async () => {
  await isTold()
  await isQuiet()
  const path = `/api/spaces/${spaceId}`
  await propose('Sail', path)
  await h.as(ada).get('/api/actors/me/inbox?peek=true').expect(200)
  await h.as(ada).put(PATH, { quiet_hours: null }).expect(200)
  const { text, subject } = await digest()
  expect(subject).toBe(`You have unread events in ${spaceId}`)
  expect(text).toContain(`A decision is assigned to you, in ${spaceId}.`)
  expect(text).toContain(`/s/${spaceId}`)
  expect(text).not.toContain('Sail')
  await lookedAt(h.connection)
  expect(digests()).toHaveLength(1)

  await isQuiet()
  await propose('Row', path)
  await h.as(ada).get('/api/actors/me/inbox').expect(200)
  const unseen = async () =>
    (await query(h.connection, 'SELECT FROM notices WHERE actor_id = $1 AND seen_at IS NULL', [ada.actor_id])).rows
  await eventually(async () => (await unseen()).length === 0)
  const settled = await propose('Swim', path)
  await h
    .as(bob)
    .put(`${path}/decisions/${settled}/resolve`, { resolved_by: bob.actor_id, resolution: 'No', status: 'rejected' })
    .expect(200)
  await h.as(ada).put(PATH, { quiet_hours: null }).expect(200)
  await lookedAt(h.connection)
  expect(digests()).toHaveLength(1)
})

it('includes a decision in a private space, without its text, only for participants', async () => {
  await isTold()
  await isQuiet()
  const [kept, left] = [`kept-${count}`, `left-${count}`]
  for (const id of [kept, left]) {
    await h.as(bob).post('/api/spaces', { space_id: id, title: 'A secret', visibility: 'private' }).expect(200)
    await h.as(bob).post(`/api/spaces/${id}/participants`, { actor_id: ada.actor_id }).expect(200)
    await propose('Sail', `/api/spaces/${id}`)
  }
  await h.as(bob).delete(`/api/spaces/${left}/participants/${ada.actor_id}`).expect(200)
  await h.as(ada).put(PATH, { quiet_hours: null }).expect(200)
  const { text } = await digest()
  expect(text).toContain(`A decision is assigned to you, in ${kept}.`)
  expect(text).not.toContain(left)
  expect(text).not.toMatch(/secret|Sail/)
})

it.each([
  ['a muted space', () => `/api/spaces/${spaceId}/preferences`],
  ['a space while all are muted', () => PATH],
])('omits decisions in %s', async (_, at) => {
  await isTold()
  await h.as(ada).put(at(), { notices: 'none' }).expect(200)
  await propose('Sail', `/api/spaces/${spaceId}`)
  await lookedAt(h.connection)
  expect(digests()).toEqual([])
  await h.as(ada).put(at(), { notices: 'mentions' }).expect(200)
  expect((await digest()).text).toContain('A decision is assigned to you')
})

it('includes events in the threads of a recipient who prefers all notices', async () => {
  await isTold()
  /** Posts as Bob in a thread that Ada started, without a reply to her. */
  const speakInThread = async (path: string, text: string) => {
    const { event_id: parent_event_id } = await h.as(bob).post(`${path}/speech`, { text: 'Boats' }).expect(200)
    const { thread_id } = await h.as(ada).post(`${path}/threads`, { parent_event_id, subject: 'Boats' }).expect(200)
    await h.as(bob).post(`${path}/speech`, { text, thread_id }).expect(200)
  }
  const path = `/api/spaces/${spaceId}`
  await speakInThread(path, 'hush')
  await lookedAt(h.connection)
  expect(digests()).toEqual([])
  await h.as(ada).put(`${path}/preferences`, { notices: 'all' }).expect(200)
  expect((await digest()).text).toContain(`${spaceId}: 1 event\n  Bob: hush\n`)
  // The preference for all spaces applies to a space without its own.
  await speakInThread(await h.openSpace(bob), 'ahoy')
  await lookedAt(h.connection)
  expect(digests()).toHaveLength(1)
  await h.as(ada).put(PATH, { notices: 'all' }).expect(200)
  expect((await digest(2)).text).toContain('Bob: ahoy')
})

it('ends with one click on the link to unsubscribe', async () => {
  await isTold()
  await say('one')
  const { headers, text } = await digest()
  const link = /List-Unsubscribe: <(.+?)>/.exec(headers)?.[1] ?? ''
  expect(text).toContain(link)
  expect((await follow(link, 'GET')).status).toBe(200)
  expect((await follow(link, 'POST', 'List-Unsubscribe=One-Click')).status).toBe(200)
  expect(await h.as(ada).get(PATH).expect(200)).toMatchObject({ channels: [] })
  await say('two')
  await lookedAt(h.connection)
  expect(digests()).toHaveLength(1)
})

it.each(Object.keys(NOTIFICATION_LINK_MS))('records the use of the link to %s in the security log', async (purpose) => {
  await isTold()
  await say('one')
  const messages = [...mailbox.to(address), await digest()]
  const link = messages.map(({ text }) => linkIn(text, purpose)).find((found) => found !== '') ?? ''
  expect((await follow(link)).status).toBe(200)
  // The second use has no effect.
  await follow(link)
  const { rows } = await query(
    h.connection,
    `SELECT action, credential_id, details::json FROM audit_entries WHERE actor_id = $1 AND action = $2`,
    [ada.actor_id, { verify: 'notification_channel.verified', unsubscribe: 'notification_channel.removed' }[purpose]],
  )
  expect(rows).toEqual([{ action: expect.any(String), credential_id: null, details: { by: 'link' } }])
})

it('ends with the credential that requested it', async () => {
  const { token, pat_id } = await h.as(ada).post('/api/personal-access-tokens', { name: 'laptop' }).expect(200)
  await isTold(0, h.as(token))
  const { ended } = await h.as(ada).delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
  expect(ended.items).toMatchObject([{ kind: 'notification_channel', name: address }])
  expect(await h.as(ada).get(PATH).expect(200)).toMatchObject({ channels: [] })
  await say('hello')
  await lookedAt(h.connection)
  expect(digests()).toEqual([])
})

it('omits the text of private spaces, and all events for a removed participant', async () => {
  await isTold()
  const id = `private-${count}`
  await h.as(bob).post('/api/spaces', { space_id: id, visibility: 'private' }).expect(200)
  await h.as(bob).post(`/api/spaces/${id}/participants`, { actor_id: ada.actor_id }).expect(200)
  await say('a secret', id)
  const { text } = await digest()
  expect(text).toContain(`You have unread events in ${id}.`)
  expect(text).not.toContain('secret')
  await isQuiet()
  await say('another', id)
  await h.as(bob).delete(`/api/spaces/${id}/participants/${ada.actor_id}`).expect(200)
  await h.as(ada).put(PATH, { quiet_hours: null }).expect(200)
  await lookedAt(h.connection)
  expect(digests()).toHaveLength(1)
})

it('retries with the same message id when the mail server rejects the message', async () => {
  await isTold()
  const refused: string[] = []
  mailbox.onMessage = ({ to, id }) => {
    if (to !== address || refused.length > 0) return
    refused.push(id)
    throw new Error('later')
  }
  await say('again')
  expect((await digest()).id).toBe(refused[0])
})

it('gives up a digest that the mail server refuses for good, and sends the next one', async () => {
  await isTold()
  let refused = 0
  mailbox.onMessage = ({ to, text }) => {
    if (to !== address || !text.includes('casino')) return
    refused++
    throw Object.assign(new Error('spam'), { responseCode: 554 })
  }
  await say('casino')
  const refusal = (n: number) =>
    eventually(async () => {
      if (refused < n) await hurry(h.connection)
      return refused === n
    })
  await refusal(1)
  await query(h.connection, 'UPDATE notification_channels SET failures = 5 WHERE failures = 1')
  await refusal(2)
  const other = spaceIdOf(await h.openSpace(bob))
  await say('hello', other)
  const { text } = await digest()
  expect(text).toContain(`${other}: 1 event`)
  expect(text).not.toContain('casino')
})

it.each([
  ['rejects the digest', async () => {}],
  ['rejected the digest before quiet hours', isQuiet],
])('sends a security notice although the mail server %s', async (_, change) => {
  await isTold()
  let refused = 0
  mailbox.onMessage = ({ to, subject }) => {
    if (to !== address || !subject.startsWith('You have')) return
    refused++
    throw new Error('never')
  }
  await say('hello')
  await eventually(async () => {
    await hurry(h.connection)
    return refused > 0
  })
  await change()
  await raise('credential_revoked', 'x')
  expect((await eventually(() => mailbox.to(address)[1])).subject).toBe('Security: A credential was revoked')
  mailbox.onMessage = () => {}
  await h.as(ada).put(PATH, { quiet_hours: null }).expect(200)
  expect((await digest()).text).toContain('Bob: hello')
})

it('returns 403 to agents, and 400 for an invalid address, hour or time zone', async () => {
  const agent = await h.registerAgent(ada)
  await h.as(agent).get(PATH).expect(403)
  await h.as(ada).put(PATH, { email: 'nowhere' }).expect(400)
  await h
    .as(ada)
    .put(PATH, { quiet_hours: { from: '25:00', until: '07:00' } })
    .expect(400)
  await h.as(ada).put(PATH, { time_zone: 'Nowhere/Town' }).expect(400)
  expect(await h.as(ada).get(PATH).expect(200)).toEqual({
    delay_minutes: 15,
    push_delay_minutes: 0,
    shows_presence: true,
    quiet_hours: null,
    time_zone: 'UTC',
    notices: 'mentions',
    channels: [],
    sends_email: true,
    push_key: expect.stringMatching(/^[\w-]{87}$/),
  })
})
