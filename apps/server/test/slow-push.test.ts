import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { type Actor, eventually, query, spaceIdOf } from '@collab-spaces/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Mailbox } from './support/mailbox.js'
import { hurry } from './support/notification-channels.js'
import { PushService, TestBrowser } from './support/push-service.js'
import { useServer } from './support/server.js'

const SLOW_HOSTS = 100
const ATTACKERS = 3
/** The accepted delay of messages to unaffected recipients. */
const MAX_DELAY_MS = 10_000

/** Takes every request, and answers none. */
const slow = createServer(() => requests++)
let requests = 0
const mailbox = new Mailbox()
const pushes = new PushService()
const settings: Record<string, string> = {}
beforeAll(async () => {
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  await mailbox.open()
  await pushes.open()
  Object.assign(settings, mailbox.settings)
})
const h = useServer(settings)
afterAll(async () => {
  slow.closeAllConnections()
  slow.close()
  await mailbox.close()
  await pushes.close()
})

const PATH = '/api/actors/me/notifications'

async function tellBySlowHost({ actor_id }: Actor, n: number): Promise<void> {
  const { port } = slow.address() as AddressInfo
  const { subscription } = new TestBrowser(`http://slow-${n}.localhost:${port}/send`, `Browser ${n}`)
  await query(
    h.connection,
    `INSERT INTO notification_channels
       (tenant_id, channel_id, actor_id, kind, address, name, push_keys, verified_at, created_at, due_at)
     VALUES ($1, gen_random_uuid(), $2, 'push', $3, $4, $5, now(), now(), now())`,
    [DEFAULT_TENANT, actor_id, subscription.endpoint, subscription.name, subscription.keys],
  )
}

async function tellByMail(actor: Actor, email: string): Promise<void> {
  await h.as(actor).put(PATH, { email, delay_minutes: 0 }).expect(200)
  const link = /\S+\/notifications\/verify\/\S+/.exec(mailbox.to(email)[0]?.text ?? '')?.[0] ?? ''
  expect((await fetch(link, { method: 'POST' })).status).toBe(200)
}

it('slow push hosts do not delay e-mail and push messages to other actors', async () => {
  const bob = await h.registerHuman('Bob')
  const spaceId = spaceIdOf(await h.openSpace(bob))
  const attackers: Actor[] = []
  for (let n = 0; n < ATTACKERS; n++) attackers.push(await h.registerHuman('Mallory'))
  for (const actor of attackers) await h.as(actor).put(PATH, { delay_minutes: 0 }).expect(200)
  const [ada, eve] = [await h.registerHuman('Ada'), await h.registerHuman('Eve')]
  await tellByMail(ada, 'ada@example.org')
  const browser = pushes.browser('Firefox')
  await h.as(eve).put(PATH, { delay_minutes: 0 }).expect(200)
  await h.as(eve).post(`${PATH}/channels`, browser.subscription).expect(200)
  const mention = (...people: Actor[]) =>
    h
      .as(bob)
      .post(`/api/spaces/${spaceId}/response`, {
        text: 'Please',
        metadata: { mentions: people.map(({ actor_id }) => actor_id) },
      })
      .expect(200)

  await mention(...attackers)
  for (let n = 0; n < SLOW_HOSTS; n++) await tellBySlowHost(attackers[n % ATTACKERS] as Actor, n)
  await eventually(() => requests > 0)
  await mention(ada, eve)
  await hurry(h.connection)
  const since = performance.now()
  const isTold = () => mailbox.to('ada@example.org').length > 1 && browser.received.length > 0
  await eventually(isTold, 120_000)
  expect(performance.now() - since).toBeLessThan(MAX_DELAY_MS)
})
