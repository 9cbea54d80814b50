import { setImmediate as turn } from 'node:timers/promises'
import { openServices } from '@collab-spaces/api'
import { type Database, openDatabase } from '@collab-spaces/db'
import { DEFAULT_TENANT, RATES, RetryLater } from '@collab-spaces/domain'
import { type Actor, query, servingConnection, spaceIdOf } from '@collab-spaces/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SmtpMailer } from '../src/notifications/mailer.js'
import { Notifier } from '../src/notifications/notifier.js'
import { WebPusher } from '../src/notifications/pusher.js'
import { AddressGuard } from '../src/webhooks/address-guard.js'
import { Networks } from '../src/webhooks/networks.js'
import { Mailbox } from './support/mailbox.js'
import { PushService } from './support/push-service.js'
import { useServer } from './support/server.js'

/** The number of messages, each sent by servers of which some crash. */
// biome-ignore lint/style/noProcessEnv: where the test run reads its environment
const ROUNDS = Number(process.env.NOTIFICATION_CRASHES ?? 40)

// This server sends no notifications: it has no key for browsers.
const h = useServer({ SERVER_KEY: '' })
const mailbox = new Mailbox()
const pushes = new PushService()
let database: Database
let services: ReturnType<typeof openServices>

beforeAll(async () => {
  await mailbox.open()
  await pushes.open()
  database = await openDatabase({ connection: servingConnection(h.connection), poolSize: 4, log: () => {} })
  const signIn = { secret: Buffer.alloc(32), provider: null, site: () => 'http://localhost' }
  services = openServices({ database, registration: 'open', registrationLimit: 0, signIn, onFault: () => {} })
})
afterAll(async () => {
  await database?.close()
  await mailbox.close()
  await pushes.close()
})

/** A step at which a server crashes: before it, or after it with its result lost. */
interface Death {
  readonly step: string
  readonly when: 'before' | 'after'
}

const STEPS = ['due', 'claim', 'waiting', 'begin', 'send', 'told']
const DEATHS: readonly Death[] = STEPS.flatMap((step) => [
  { step, when: 'before' as const },
  { step, when: 'after' as const },
])

/** Looks once with a new notifier. Resolves when it is done or has crashed; a crashed one does no more work. */
async function serve(death: Death | null, takePush: (host: string) => void = () => {}): Promise<void> {
  let die: () => void = () => {}
  const dead = new Promise<void>((resolve) => {
    die = resolve
  })
  const mortal =
    <Args extends unknown[], Result>(step: string, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const dies = (when: Death['when']) => death?.step === step && death.when === when
      const never = () => {
        die()
        return new Promise<Result>(() => {})
      }
      if (dies('before')) return never()
      const result = await work(...args)
      return dies('after') ? never() : result
    }
  const { notifications } = database
  const { MAIL_FROM: from, SMTP_URL: url } = mailbox.settings
  const mailer = new SmtpMailer({ from, url })
  const pusher = new WebPusher({
    secret: Buffer.alloc(32, 7),
    contact: () => 'mailto:root@localhost',
    guard: new AddressGuard(Networks.parse('loopback') as Networks),
    hosts: ['127.0.0.1'],
  })
  const faults: unknown[] = []
  const notifier = new Notifier({
    notifications: {
      due: mortal('due', notifications.due),
      claim: mortal('claim', notifications.claim),
      waiting: mortal('waiting', notifications.waiting),
      begin: mortal('begin', notifications.begin),
      told: mortal('told', notifications.told),
      release: notifications.release,
      remove: mortal('remove', notifications.remove),
    },
    mailer: { send: mortal('send', (mail) => mailer.send(mail)) },
    pusher: { send: mortal('send', (push) => pusher.send(push)) },
    signIn: services.signIn,
    takePush,
    isDiskLow: () => false,
    onFault: (error) => faults.push(error),
  })
  await Promise.race([notifier.look().then(() => notifier.close()), dead])
  await turn()
  expect(faults).toEqual([])
}

/** Ends the leases of crashed servers, and makes all channels due. */
const hurry = () => query(h.connection, 'UPDATE notification_channels SET due_at = now()')

/** Creates a confirmed channel without a delay for an actor. */
async function isTold({ actor_id }: Actor, kind: 'email' | 'push', address: string, keys: object | null = null) {
  await query(
    h.connection,
    `INSERT INTO notification_settings (tenant_id, actor_id, delay_minutes, time_zone) VALUES ($1, $2, 0, 'UTC')`,
    [DEFAULT_TENANT, actor_id],
  )
  await query(
    h.connection,
    `INSERT INTO notification_channels
       (tenant_id, channel_id, actor_id, kind, address, push_keys, verified_at, created_at, due_at)
     VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, now(), now(), now())`,
    [DEFAULT_TENANT, actor_id, kind, address, keys],
  )
}

/** Returns the messages to an actor, with the id by which duplicates are recognized. */
type ReceivedMessages = () => readonly { readonly id: string; readonly text: string }[]

async function byEmail(ada: Actor): Promise<ReceivedMessages> {
  const address = `${ada.actor_id}@example.org`
  await isTold(ada, 'email', address)
  return () => mailbox.to(address)
}

async function inBrowser(ada: Actor): Promise<ReceivedMessages> {
  const browser = pushes.browser('Firefox')
  await isTold(ada, 'push', browser.endpoint, browser.subscription.keys)
  return () => browser.received.map(({ payload }) => ({ id: payload.id, text: payload.body }))
}

it.each([
  ['by e-mail', byEmail],
  ['in a browser', inBrowser],
])('sends every event %s, and duplicates with the same id, wherever servers crash', async (_, tell) => {
  const ada = await h.registerHuman('Ada')
  // Messages from strangers have no text.
  const bob = await h.registerAgent(ada, 'Bob')
  const received = await tell(ada)
  const spaceId = spaceIdOf(await h.openSpace(bob))
  let sentAgain = 0
  for (let round = 0; round < ROUNDS; round++) {
    const text = `message ${round} of all`
    const event = { text, metadata: { mentions: [ada.actor_id] } }
    await h.as(bob).post(`/api/spaces/${spaceId}/response`, event).expect(200)
    // Each step in turn, with two crashes in some rounds.
    const deaths = [DEATHS[round % DEATHS.length], ...(round % 3 === 0 ? [DEATHS[(round * 7) % DEATHS.length]] : [])]
    for (const death of [...deaths, null]) {
      await hurry()
      await serve(death ?? null)
    }
    const messages = received().filter((message) => message.text.includes(text))
    const ids = new Set(messages.map(({ id }) => id))
    expect(ids.size, `${text}, after ${JSON.stringify(deaths)}`).toBe(1)
    sentAgain += messages.length - ids.size
  }
  // A crash after a message is sent, and before this is stored, leads to a duplicate with the same id.
  expect(sentAgain).toBeGreaterThan(0)
})

it('removes the channel of a browser that is gone, even after a crash', async () => {
  const [fay, bob] = [await h.registerHuman('Fay'), await h.registerHuman('Bob')]
  const browser = pushes.browser('Firefox')
  await isTold(fay, 'push', browser.endpoint, browser.subscription.keys)
  pushes.forget(browser)
  const spaceId = spaceIdOf(await h.openSpace(bob))
  const event = { text: 'hello', metadata: { mentions: [fay.actor_id] } }
  await h.as(bob).post(`/api/spaces/${spaceId}/response`, event).expect(200)
  const channels = async () =>
    (await query(h.connection, 'SELECT FROM notification_channels WHERE actor_id = $1', [fay.actor_id])).rows.length
  await hurry()
  await serve({ step: 'remove', when: 'before' })
  expect(await channels()).toBe(1)
  await hurry()
  await serve({ step: 'remove', when: 'after' })
  expect(await channels()).toBe(0)
})

it('retries a message later, with the same id, if the limit of its push service is reached', async () => {
  const hal = await h.registerHuman('Hal')
  const bob = await h.registerAgent(hal, 'Bob')
  const received = await inBrowser(hal)
  const spaceId = spaceIdOf(await h.openSpace(bob))
  const event = { text: 'hello', metadata: { mentions: [hal.actor_id] } }
  await h.as(bob).post(`/api/spaces/${spaceId}/response`, event).expect(200)
  const channel = async () => {
    const { rows } = await query(
      h.connection,
      `SELECT batch ->> 'id' AS id, failures, due_at > now() + interval '5 seconds' AS rests
       FROM notification_channels WHERE actor_id = $1`,
      [hal.actor_id],
    )
    return rows[0]
  }
  await hurry()
  await serve(null, (host) => {
    expect(host).toBe('127.0.0.1')
    throw new RetryLater('too_many', RATES.pushes.detail, 60)
  })
  expect(received()).toEqual([])
  const { id } = await channel()
  expect(await channel()).toEqual({ id, failures: 0, rests: true })
  await hurry()
  await serve(null)
  expect(received()).toEqual([{ id, text: expect.stringContaining('hello') }])
})

it('omits events that were marked as done before the retry', async () => {
  const [eve, bob] = [await h.registerHuman('Eve'), await h.registerHuman('Bob')]
  await isTold(eve, 'email', 'eve@example.org')
  const spaceId = spaceIdOf(await h.openSpace(bob))
  const event = { text: 'hello', metadata: { mentions: [eve.actor_id] } }
  await h.as(bob).post(`/api/spaces/${spaceId}/response`, event).expect(200)
  await hurry()
  await serve({ step: 'send', when: 'before' })
  const { done } = await h.as(eve).get('/api/actors/me/inbox').expect(200)
  await h.as(eve).post('/api/actors/me/inbox/done', done).expect(200)
  await hurry()
  await serve(null)
  expect(mailbox.to('eve@example.org')).toEqual([])
  const { rows } = await query(h.connection, 'SELECT batch FROM notification_channels WHERE actor_id = $1', [
    eve.actor_id,
  ])
  expect(rows).toEqual([{ batch: null }])
})

it('finds the due channels of each human, despite 1,000 of another human', async () => {
  const [mallory, gus] = [await h.registerHuman('Mallory'), await h.registerHuman('Gus')]
  await query(
    h.connection,
    `INSERT INTO notification_channels
       (tenant_id, channel_id, actor_id, kind, address, batch, verified_at, created_at, due_at)
     SELECT $1, gen_random_uuid(), CASE WHEN n = 0 THEN $2 ELSE $3 END, 'push', 'https://push.example.org/' || n,
       '{"id": "", "through": {}, "notices": []}', now(), now(), now() - n * interval '1 second'
     FROM generate_series(0, 1000) AS n`,
    [DEFAULT_TENANT, gus.actor_id, mallory.actor_id],
  )
  const found = await database.notifications.due('push', [])
  expect(found.map(({ actorId }) => actorId).slice(0, 2)).toEqual(expect.arrayContaining([gus.actor_id]))
  const again = await database.notifications.due(
    'push',
    found.map(({ channelId }) => channelId),
  )
  expect(again.map(({ actorId }) => actorId)).not.toContain(gus.actor_id)
})
