import type { Delivery } from '@collab-spaces/db'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { type Actor, eventually, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { operatorOf } from './support/operator.js'
import { Receiver } from './support/receiver.js'
import { keyOf, readLog, sealed } from './support/sealed.js'
import { useServer } from './support/server.js'
import { startStack } from './support/stack.js'
import { foundTenant, moveInto, setTenantStatus } from './support/tenant.js'

/** The pool that contents are read with. */
interface Pool {
  query(): Promise<{ rows: unknown[] }>
}

const h = useServer()
const operate = operatorOf(h)

const PATH = '/api/webhooks'

let ada: Actor
let space: string
beforeEach(async () => {
  ada = await h.registerHuman()
  space = await h.openSpace(ada)
})

/** Creates a webhook of an actor, with a receiver that knows its secret. */
async function listen(actor: Actor, body: object, receiver?: Receiver) {
  receiver ??= await Receiver.listen()
  const { secret, ...webhook } = await h
    .as(actor)
    .post(PATH, { url: receiver.url(), ...body })
    .expect(200)
  receiver.secrets.set(webhook.webhook_id, secret)
  return { receiver, path: `${PATH}/${webhook.webhook_id}`, id: webhook.webhook_id as string }
}

const ofSpace = (body: object = {}, receiver?: Receiver) =>
  listen(ada, { space_id: spaceIdOf(space), ...body }, receiver)

const say = (text: string, more: object = {}, actor = ada) =>
  h
    .as(actor)
    .post(`${space}/response`, { text, ...more })
    .expect(200)

const batch = (texts: readonly string[]) =>
  h
    .as(ada)
    .post(`${space}/events/batch`, { events: texts.map((text) => ({ text, speaker_id: 'x', speaker_name: 'X' })) })
    .expect(200)

/** Whether a webhook has sent more than its challenge. */
const hasSent = ({ last_attempt }: { last_attempt: { type: string } }) => last_attempt.type !== 'webhook.challenge'

/** Makes the next attempt of a webhook due now. */
const makeDue = (id: string, more = '') =>
  query(h.connection, `UPDATE webhook_cursors SET next_attempt_at = now() ${more} WHERE webhook_id = $1`, [id])

const cursorOf = async (id: string) =>
  (await query(h.connection, 'SELECT * FROM webhook_cursors WHERE webhook_id = $1', [id])).rows[0]

const eventsIn = (receiver: Receiver) =>
  receiver.received.filter(({ type }) => type === 'events.appended').flatMap(({ data }) => data.events)

const textsIn = (receiver: Receiver): string[] => eventsIn(receiver).map(({ text }) => text)

const idsIn = (receiver: Receiver): string[] => eventsIn(receiver).map(({ event_id }) => event_id)

const webhook = (path: string, actor = ada) => h.as(actor).get(path).expect(200)

/** Waits until a webhook meets a condition. */
const until = (path: string, is: (webhook: Awaited<ReturnType<typeof h.get>>['body']) => boolean, actor = ada) =>
  eventually(async () => {
    const found = await webhook(path, actor)
    return is(found) && found
  })

describe('a delivery', () => {
  it('contains the metadata of files, without their bytes', async () => {
    const scout = await h.registerAgent(ada, 'Scout', EVERYTHING)
    const ofEvents = await ofSpace({ types: ['events.appended'], payload: 'full' })
    const ofInbox = await listen(scout, { inbox_of: scout.actor_id, payload: 'full' })
    const { file_id, sha256 } = await h
      .as(ada)
      .post(`${space}/files?name=plan.csv`, Buffer.from('Sea'), { headers: { 'content-type': 'text/csv' } })
      .expect(200)
    const { event_id } = await say('Look', { file_ids: [file_id], metadata: { mentions: [scout.actor_id] } })
    const shown = { event_id, files: [{ file_id, name: 'plan.csv', content_type: 'text/csv', size: 3, sha256 }] }
    await ofEvents.receiver.until(1)
    expect(eventsIn(ofEvents.receiver)).toMatchObject([shown])
    const [message] = await ofInbox.receiver.until(1)
    expect(message?.data.items).toMatchObject([{ event: shown }])
  })

  it('contains ids or full events, and the id of the event before them', async () => {
    const before = await say('Before')
    const thin = await ofSpace({ types: ['events.appended'] })
    const full = await ofSpace({ types: ['events.appended'], payload: 'full' })
    const one = await say('One')
    const [first] = await thin.receiver.until(1)
    const about = {
      space_id: spaceIdOf(space),
      checkpoint: expect.toBeOneOf([null, expect.any(String)]),
      since: before.event_id,
    }
    expect(first).toMatchObject({ type: 'events.appended', timestamp: expect.stringMatching(/Z$/) })
    expect(first?.data).toEqual({ webhook_id: thin.id, ...about, events: [{ event_id: one.event_id }] })
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^collaboration-spaces\//),
    })
    const [whole] = await full.receiver.until(1)
    expect(whole?.data).toEqual({ webhook_id: full.id, ...about, events: [one] })
    expect([...thin.receiver.failures, ...full.receiver.failures]).toEqual([])
    const { last_attempt, lag } = await until(thin.path, (found) => found.lag === 0)
    expect({ last_attempt, lag }).toMatchObject({
      lag: 0,
      last_attempt: { message_id: first?.id, type: 'events.appended', count: 1, ok: true, status: 204 },
    })
  })

  it.each([
    ['events.appended', 'events', (n: number) => say(`Message ${n}`)],
    [
      'decision.changed',
      'decisions',
      (n: number) =>
        h
          .as(ada)
          .post(`${space}/decisions`, { proposed_by: 'Ada', text: `Go ${n}` })
          .expect(200),
    ],
  ] as const)('of %s has the newest checkpoint, the same in each attempt', async (type, tree, act) => {
    await act(1)
    const log = `${space}/log`
    const before = await sealed(h.as(ada), log, 1, tree)
    const { receiver, id } = await ofSpace({ types: [type] })
    receiver.answer = (response) => response.writeHead(500).end()
    await act(2)
    await eventually(async () => (await cursorOf(id)).failures === 1)
    const [first] = receiver.received
    const after = await sealed(h.as(ada), log, 2, tree)
    // The log may be sealed again before the first attempt.
    expect([before.checkpoint, after.checkpoint]).toContain(first?.data.checkpoint)
    receiver.answer = (response) => response.writeHead(204).end()
    await makeDue(id)
    const [, again] = await receiver.until(2)
    expect(again).toMatchObject({ id: first?.id, text: first?.text })

    // The checkpoint verifies a later export of the history.
    const { text } = await h.as(ada).get(`${log}/export?tree=${tree}`)
    const key = await keyOf(h)
    readLog(text, key, first?.data.checkpoint)
  })

  it('of decision.changed contains the acts of decisions', async () => {
    const thin = await ofSpace({ types: ['decision.changed'] })
    const full = await ofSpace({ types: ['decision.changed'], payload: 'full' })
    const { decision_id } = await h.as(ada).post(`${space}/decisions`, { proposed_by: 'Ada', text: 'Go' }).expect(200)
    await full.receiver.until(1)
    await h
      .as(ada)
      .put(`${space}/decisions/${decision_id}/resolve`, { resolved_by: 'Ada', resolution: 'Yes', status: 'resolved' })
      .expect(200)
    await say('Not asked for')
    const acts = await h.as(ada).get(`${space}/decisions/${decision_id}/acts`).expect(200)
    const actsIn = ({ received }: Receiver) => received.flatMap(({ data }) => data.acts)
    await eventually(() => actsIn(full.receiver).length === 2 && actsIn(thin.receiver).length === 2)
    expect(actsIn(full.receiver)).toEqual(acts)
    expect(actsIn(thin.receiver)).toEqual([
      { decision_id, kind: 'proposed', position: 1 },
      { decision_id, kind: 'settled', position: 2 },
    ])
    expect(await webhook(full.path)).toMatchObject({ lag: 0 })
  })

  it('of an inbox contains items of any space', async () => {
    const scout = await h.registerAgent(ada, 'Scout', EVERYTHING)
    const thin = await listen(scout, { inbox_of: scout.actor_id })
    const full = await listen(ada, { inbox_of: scout.actor_id, payload: 'full' })
    const other = await h.openSpace(ada)
    const mentions = { metadata: { mentions: [scout.actor_id] } }
    const one = await say('One', mentions)
    await say('For no one')
    const two = await h
      .as(ada)
      .post(`${other}/response`, { text: 'Two', ...mentions })
      .expect(200)
    const itemsIn = ({ received }: Receiver) => received.flatMap(({ data }) => data.items)
    await eventually(() => [thin, full].every(({ receiver }) => itemsIn(receiver).length === 2))
    const why = { kinds: ['mention'], from_human: true }
    expect(itemsIn(full.receiver)).toEqual(
      expect.arrayContaining([
        { event: one, ...why },
        { event: two, ...why },
      ]),
    )
    expect(itemsIn(thin.receiver)).toEqual(
      expect.arrayContaining([
        { event_id: one.event_id, ...why },
        { event_id: two.event_id, ...why },
      ]),
    )
    expect(thin.receiver.received[0]?.data).toMatchObject({ webhook_id: thin.id, actor_id: scout.actor_id })
    expect([...thin.receiver.failures, ...full.receiver.failures]).toEqual([])
  })

  it('contains at most 100 events, in the order of the history', async () => {
    const texts = Array.from({ length: 250 }, (_, n) => `${n}`)
    for (const from of [0, 100, 200]) await batch(texts.slice(from, from + 100))
    const { receiver } = await ofSpace({ types: ['events.appended'], payload: 'full', from: 'beginning' })
    await eventually(() => textsIn(receiver).length === 250)
    expect(textsIn(receiver)).toEqual(texts)
    expect(receiver.received.map(({ data }) => data.events.length)).toEqual([100, 100, 50])
    expect(receiver.received[0]?.data.since).toBeNull()
  })

  it('is at most 256 KiB, except for a single larger event', async () => {
    const long = '海'.repeat(40_000)
    const texts = [...Array.from({ length: 6 }, (_, n) => `${n} ${long}`), `6 ${'海'.repeat(99_000)}`, '7']
    for (const text of texts) await say(text)
    const { receiver } = await ofSpace({ types: ['events.appended'], payload: 'full', from: 'beginning' })
    await eventually(() => textsIn(receiver).length === texts.length)
    expect(textsIn(receiver)).toEqual(texts)
    expect(receiver.received.map(({ data }) => data.events.length)).toEqual([2, 2, 2, 1, 1])
  })

  it('begins after a given event, and a replay moves its position', async () => {
    const [one, two, three] = [await say('1'), await say('2'), await say('3')]
    const { receiver, path } = await ofSpace({ types: ['events.appended'], from: one.event_id })
    await receiver.until(1)
    expect(idsIn(receiver)).toEqual([two.event_id, three.event_id])
    await h.as(ada).post(`${path}/replay`, { since: 'beginning' }).expect(200)
    await receiver.until(2)
    expect(idsIn(receiver).slice(2)).toEqual([one.event_id, two.event_id, three.event_id])
    expect(receiver.received[0]?.id).not.toBe(receiver.received[1]?.id)
  })
})

describe('a receiver that fails', () => {
  it('gets the same request until it accepts it, then the later events', async () => {
    const { receiver, path, id } = await ofSpace({ types: ['events.appended'], payload: 'full' })
    receiver.answer = (response) => response.writeHead(500).end('no')
    await say('One')
    await receiver.until(1)
    const failing = await until(path, ({ failing_since }) => failing_since !== null)
    expect(failing).toMatchObject({ lag: 1, last_attempt: { ok: false, status: 500, error: 'Answered 500' } })
    await say('Two')
    await makeDue(id)
    await receiver.until(2)
    await until(path, ({ attempts }) => attempts.length === 3)
    expect(await cursorOf(id)).toMatchObject({ failures: 2 })
    receiver.answer = (response) => response.writeHead(200).end('yes')
    await makeDue(id)
    await receiver.until(4)
    const [first, ...rest] = receiver.received
    expect(rest[0]?.id).toBe(first?.id)
    expect(rest[1]).toMatchObject({ id: first?.id, text: first?.text })
    expect(textsIn(receiver)).toEqual(['One', 'One', 'One', 'Two'])
    expect(await until(path, ({ lag }) => lag === 0)).toMatchObject({ failing_since: null, next_attempt_at: null })
  })

  it('causes reads of only the entries that are sent again', async () => {
    const { services } = await startStack(h.connection)
    const { webhookContent } = services.database
    const { actor_id: inboxOf } = await h.registerAgent(ada, 'Scout', EVERYTHING)
    for (let n = 0; n < 5; n++) {
      const { decision_id } = await h.as(ada).post(`${space}/decisions`, { proposed_by: 'Ada', text: 'Go' }).expect(200)
      await say(decision_id, { metadata: { mentions: [inboxOf] } })
    }
    const queries = vi.spyOn((webhookContent as unknown as { pool: Pool }).pool, 'query')
    const place = { tenantId: DEFAULT_TENANT, spaceId: spaceIdOf(space), position: 1, actPosition: 1, inboxOf }
    for (const type of ['decision.changed', 'attention.raised'] as const) {
      const message = { id: 'begun', type, end: 3, at: new Date() }
      const content = await webhookContent.content({ ...place, types: [type], message } as unknown as Delivery)
      expect(content?.entries.map(({ position }) => position)).toEqual([2, 3])
    }
    const read = await Promise.all(queries.mock.results.map(({ value }) => value))
    expect(read.map(({ rows }) => rows.length)).toEqual([2, 2])
  })

  it('gets the newest text of an inbox item', async () => {
    const { services } = await startStack(h.connection)
    const { actor_id: inboxOf } = await h.registerAgent(ada, 'Scout', EVERYTHING)
    const { event_id } = await say('Teh plan', { metadata: { mentions: [inboxOf] } })
    await say('The plan', { corrects: event_id })
    const place = { tenantId: DEFAULT_TENANT, spaceId: spaceIdOf(space), position: 0, actPosition: 0, inboxOf }
    const delivery = { ...place, types: ['attention.raised'], message: null } as unknown as Delivery
    const content = await services.database.webhookContent.content(delivery)
    expect(content?.entries.map(({ wire }) => JSON.parse(wire))).toMatchObject([
      { event_id, text: 'Teh plan', current_text: 'The plan' },
    ])
  })

  it('gets the same request also if types are added meanwhile', async () => {
    const { receiver, path, id } = await ofSpace({ types: ['events.appended'], payload: 'full' })
    const ids: string[] = []
    receiver.answer = (response, { id }) => {
      ids.push(id)
      response.writeHead(ids.length === 1 ? 500 : 204).end()
    }
    await say('One')
    await until(path, (found) => found.failing_since !== null)
    await h
      .as(ada)
      .patch(path, { types: ['events.appended', 'decision.changed'] })
      .expect(200)
    expect(await webhook(path)).toMatchObject({
      failing_since: expect.any(String),
      next_attempt_at: expect.any(String),
    })
    await makeDue(id)
    await eventually(() => ids.length === 2)
    expect(ids[1]).toBe(ids[0])
    await h.as(ada).post(`${space}/decisions`, { proposed_by: 'Ada', text: 'Go' }).expect(200)
    await eventually(() => receiver.received.some(({ type }) => type === 'decision.changed'))
  })

  it('is retried only after its Retry-After', async () => {
    const { receiver, path } = await ofSpace()
    receiver.answer = (response) => response.writeHead(503, { 'retry-after': '7200' }).end()
    await say('One')
    const { next_attempt_at, last_attempt } = await until(path, hasSent)
    expect(Date.parse(next_attempt_at) - Date.parse(last_attempt.started_at)).toBeGreaterThanOrEqual(7_200_000)
  })

  it('is not followed to the target of a redirect', async () => {
    const elsewhere = await Receiver.listen()
    const { receiver, path } = await ofSpace()
    receiver.answer = (response) => response.writeHead(307, { location: elsewhere.url() }).end()
    await say('One')
    const { last_attempt } = await until(path, hasSent)
    expect(last_attempt).toMatchObject({ ok: false, status: 307, error: 'Answered 307: redirects are not followed' })
    expect(elsewhere.received).toEqual([])
  })

  it('may answer 200 with an endless body', async () => {
    const { receiver, path } = await ofSpace()
    receiver.answer = (response) => {
      response.writeHead(200)
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    }
    await say('One')
    const { last_attempt } = await until(path, hasSent)
    expect(last_attempt).toMatchObject({ ok: true })
  })

  it('disables the webhook with 410, notifies its owner, and keeps the position', async () => {
    const scout = await h.registerAgent(ada, 'Scout', EVERYTHING)
    const { receiver, path, id } = await listen(scout, { inbox_of: scout.actor_id, payload: 'full' })
    receiver.answer = (response) => response.writeHead(410).end()
    const mentions = { metadata: { mentions: [scout.actor_id] } }
    await say('One', mentions)
    const ended = await until(path, ({ disabled_at }) => disabled_at !== null)
    expect(ended).toMatchObject({ disabled_reason: 'gone', lag: 1, last_attempt: { status: 410 } })
    for (const actor of [scout, ada]) {
      const { notices } = await h.as(actor).get('/api/actors/me/inbox').expect(200)
      expect(notices).toContainEqual(
        expect.objectContaining({ kind: 'webhook_disabled', details: { webhook_id: id, reason: 'gone' } }),
      )
    }
    await say('Two', mentions)
    receiver.answer = (response) => response.writeHead(204).end()
    await h.as(scout).patch(path, { disabled: false }).expect(200)
    const itemsIn = () => receiver.received.flatMap(({ data }) => data.items)
    await eventually(() => itemsIn().some(({ event }) => event.text === 'Two'))
    expect(itemsIn().map(({ event }) => event.text)).toEqual(['One', 'One', 'Two'])
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id)
  })

  it('disables the webhook after three days', async () => {
    const { receiver, path, id } = await ofSpace()
    await receiver.close()
    await say('One')
    await until(path, ({ failing_since }) => failing_since !== null)
    await makeDue(id, `, failing_since = failing_since - interval '71 hours'`)
    await until(path, ({ attempts }) => attempts.length === 3)
    expect(await webhook(path)).toMatchObject({
      disabled_at: null,
      last_attempt: { status: null, error: 'The connection was refused' },
    })
    await makeDue(id, `, failing_since = failing_since - interval '1 hour'`)
    expect(await until(path, ({ disabled_at }) => disabled_at !== null)).toMatchObject({
      disabled_reason: 'failing',
      lag: 1,
    })
    const { notices } = await h.as(ada).get('/api/actors/me/inbox').expect(200)
    expect(notices).toMatchObject([
      { kind: 'webhook_disabled', space_id: spaceIdOf(space), details: { reason: 'failing' } },
    ])
  })

  it('does not delay deliveries to another tenant', async () => {
    const slow = await Receiver.listen()
    const held: unknown[] = []
    slow.answer = (response) => held.push(response)
    for (let n = 0; n < 12; n++) await ofSpace({ url: slow.url(`/${n}`) }, slow)
    await say('To the slow ones')
    await eventually(() => held.length === 8)

    const bob = await h.registerHuman('Bob')
    await moveInto(h.connection, await foundTenant(h.connection), bob)
    const other = await h.openSpace(bob)
    const { receiver } = await listen(bob, { space_id: spaceIdOf(other) })
    await h.as(bob).post(`${other}/speech`, { text: 'To a quick one' }).expect(200)
    await receiver.until(1)
    // None of the slow requests has ended.
    expect(held).toHaveLength(8)
  })
})

describe('nothing is sent', () => {
  const events = { types: ['events.appended'], payload: 'full' }

  it('to another tenant with a space of the same id', async () => {
    const bob = await h.registerHuman('Bob')
    await moveInto(h.connection, await foundTenant(h.connection), bob)
    await h.openSpace(bob, spaceIdOf(space))
    const [own, foreign] = [await ofSpace(events), await listen(bob, { space_id: spaceIdOf(space), ...events })]
    await say('Of Ada')
    await say('Of Bob', {}, bob)
    await Promise.all([own.receiver.until(1), foreign.receiver.until(1)])
    expect(textsIn(own.receiver)).toEqual(['Of Ada'])
    expect(textsIn(foreign.receiver)).toEqual(['Of Bob'])
  })

  /** Waits for another delivery, which shows that the servers have polled. */
  async function expectNothingBut(other: Awaited<ReturnType<typeof ofSpace>>, quiet: Receiver) {
    const before = other.receiver.received.length
    await say('To all')
    await other.receiver.until(before + 1)
    expect(quiet.received).toEqual([])
  }

  it('while a tenant is suspended', async () => {
    const bob = await h.registerHuman('Bob')
    const tenant = await foundTenant(h.connection)
    await moveInto(h.connection, tenant, bob)
    const quiet = await h.openSpace(bob)
    const { receiver, path } = await listen(bob, { space_id: spaceIdOf(quiet), ...events })
    await h.as(bob).patch(path, { disabled: true }).expect(200)
    await h.as(bob).post(`${quiet}/speech`, { text: 'One' }).expect(200)
    await h.as(bob).patch(path, { disabled: false })
    await receiver.until(1)
    await setTenantStatus(h.connection, tenant, 'suspended')
    await query(h.connection, `UPDATE webhook_cursors SET position = 0 WHERE space_id = $1`, [spaceIdOf(quiet)])
    await expectNothingBut(await ofSpace(events), Object.assign(receiver, { received: [] }))
    await setTenantStatus(h.connection, tenant, 'active')
    await receiver.until(1)
    expect(textsIn(receiver)).toEqual(['One'])
  })

  it('for an agent that is stopped, or whose sponsor is disabled', async () => {
    const scout = await h.registerAgent(ada, 'Scout', EVERYTHING)
    const owner = await h.registerHuman('Owner')
    space = await h.openSpace(owner)
    const { receiver } = await listen(scout, { inbox_of: scout.actor_id })
    const other = await listen(owner, { space_id: spaceIdOf(space) })
    const mentions = { metadata: { mentions: [scout.actor_id] } }
    await h.as(ada).post(`/api/actors/${scout.actor_id}/stop`, {}).expect(200)
    await say('One', mentions, owner)
    await other.receiver.until(1)
    expect(receiver.received).toEqual([])
    await h.as(ada).post(`/api/actors/${scout.actor_id}/start`).expect(200)
    await receiver.until(1)
    await operate('actor', 'disable', ada.actor_id)
    await say('Two', mentions, owner)
    await other.receiver.until(2)
    expect(receiver.received).toHaveLength(1)
    await operate('actor', 'enable', ada.actor_id)
    await receiver.until(2)
  })

  it('beyond the spaces of the credential that created the webhook, or after its expiry', async () => {
    const other = await h.openSpace(ada)
    const limits = { name: 'CI', scopes: ['read', 'manage'], space_ids: [spaceIdOf(space)] }
    const { token } = await h.as(ada).post('/api/personal-access-tokens', limits).expect(200)
    const scout = await h.registerAgent(ada, 'Scout', EVERYTHING)
    const { receiver, id } = await listen({ ...ada, api_key: token }, { inbox_of: scout.actor_id, payload: 'full' })
    const mentions = { text: 'Scout?', metadata: { mentions: [scout.actor_id] } }
    await h.as(ada).post(`${other}/speech`, mentions).expect(200)
    const inside = await h.as(ada).post(`${space}/speech`, mentions).expect(200)
    await receiver.until(1)
    expect(receiver.received.flatMap(({ data }) => data.items.map((item: { event: object }) => item.event))).toEqual([
      inside,
    ])
    await query(h.connection, `UPDATE webhooks SET expires_at = now() WHERE webhook_id = $1`, [id])
    const second = await listen(ada, { inbox_of: scout.actor_id })
    await h.as(ada).post(`${space}/speech`, mentions).expect(200)
    await second.receiver.until(1)
    expect(receiver.received).toHaveLength(1)
  })

  it("beyond the limits of the agent's current key, or after its expiry", async () => {
    const scout = await h.registerAgent(ada, 'Scout', EVERYTHING)
    const other = await h.openSpace(ada)
    const own = await listen(scout, { inbox_of: scout.actor_id, payload: 'full' })
    const sponsors = await listen(ada, { inbox_of: scout.actor_id, payload: 'full' })
    const itemsIn = ({ receiver }: { receiver: Receiver }): string[] =>
      receiver.received.flatMap(({ data }) => data.items.map((item: { event: { text: string } }) => item.event.text))
    const mention = (path: string, text: string) =>
      h
        .as(ada)
        .post(`${path}/speech`, { text, metadata: { mentions: [scout.actor_id] } })
        .expect(200)
    /** Waits until the sponsor's webhook has both mentions: the agent's had its turn by then. */
    const mentioned = async (text: string) => {
      await mention(other, `${text}, outside`)
      await mention(space, `${text}, inside`)
      const all = [`${text}, outside`, `${text}, inside`]
      await eventually(() => all.every((each) => itemsIn(sponsors).includes(each)))
    }
    const rotate = (limits: object) => h.as(ada).post(`/api/actors/${scout.actor_id}/rotate-key`, limits).expect(200)
    const limited = (more: object) => ({ scopes: ['read'], space_ids: [spaceIdOf(space)], ...more })
    await rotate(limited({}))
    await mentioned('One')
    await eventually(() => itemsIn(own).includes('One, inside'))
    await rotate(limited({ expires_at: new Date(Date.now() + 60_000).toISOString() }))
    await query(h.connection, `UPDATE api_keys SET expires_at = now() WHERE actor_id = $1`, [scout.actor_id])
    await mentioned('Two')
    await rotate(limited({ scopes: ['write'] }))
    await mentioned('Three')
    expect(itemsIn(own)).toEqual(['One, inside'])
    await rotate({ scopes: ['read'] })
    await mentioned('Four')
    await eventually(() => itemsIn(own).length === 8)
  })
})
