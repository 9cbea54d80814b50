import { setImmediate as turn } from 'node:timers/promises'
import { openServices } from '@collab-spaces/api'
import { type Database, openDatabase } from '@collab-spaces/db'
import { DEFAULT_SCOPE } from '@collab-spaces/domain'
import { type Actor, query, servingConnection, spaceIdOf } from '@collab-spaces/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SmtpMailer } from '../src/notifications/mailer.js'
import { Notifier } from '../src/notifications/notifier.js'
import { Mailbox } from './support/mailbox.js'
import { useServer } from './support/server.js'

/** How many messages are told, each by servers of which some die. */
// biome-ignore lint/style/noProcessEnv: where the test run reads its environment
const ROUNDS = Number(process.env.NOTIFICATION_CRASHES ?? 40)

const h = useServer()
const mailbox = new Mailbox()
let database: Database
let services: ReturnType<typeof openServices>

beforeAll(async () => {
  await mailbox.open()
  database = await openDatabase({ connection: servingConnection(h.connection), poolSize: 4, log: () => {} })
  const signIn = { secret: Buffer.alloc(32), provider: null, site: () => 'http://localhost' }
  services = openServices({ database, registration: 'open', registrationLimit: 0, signIn, onFault: () => {} })
})
afterAll(async () => {
  await database?.close()
  await mailbox.close()
})

/** A step at which a server dies: before it is done, or after, when nobody learns of it. */
interface Death {
  readonly step: string
  readonly when: 'before' | 'after'
}

const STEPS = ['claim', 'waiting', 'begin', 'send', 'told']
const DEATHS: readonly Death[] = STEPS.flatMap((step) => [
  { step, when: 'before' as const },
  { step, when: 'after' as const },
])

/** Looks once with a server of its own, and resolves when that is done or dead: of a dead one, nothing goes on. */
async function serve(death: Death | null): Promise<void> {
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
  const faults: unknown[] = []
  const notifier = new Notifier({
    notifications: {
      claim: mortal('claim', notifications.claim),
      waiting: mortal('waiting', notifications.waiting),
      begin: mortal('begin', notifications.begin),
      told: mortal('told', notifications.told),
      release: notifications.release,
    },
    mailer: { send: mortal('send', (mail) => mailer.send(mail)) },
    signIn: services.signIn,
    isDiskLow: () => false,
    onFault: (error) => faults.push(error),
  })
  await Promise.race([notifier.look(), dead])
  await turn()
  expect(faults).toEqual([])
}

/** The leases of the dead end, and all is looked at now. */
const hurry = () => query(h.connection, 'UPDATE notification_channels SET due_at = now()')

async function isTold(ada: Actor, email: string): Promise<void> {
  await query(
    h.connection,
    `INSERT INTO notification_settings (tenant_id, actor_id, delay_minutes, time_zone) VALUES ($1, $2, 0, 'UTC')`,
    [DEFAULT_SCOPE, ada.actor_id],
  )
  await query(
    h.connection,
    `INSERT INTO notification_channels (tenant_id, channel_id, actor_id, kind, address, verified_at, created_at, due_at)
     VALUES ($1, gen_random_uuid(), $2, 'email', $3, now(), now(), now())`,
    [DEFAULT_SCOPE, ada.actor_id, email],
  )
}

it('tells everything, and nothing as something new twice, wherever servers die', {
  timeout: 60_000 + ROUNDS * 2_000,
}, async () => {
  const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
  const address = 'ada@example.org'
  await isTold(ada, address)
  const spaceId = spaceIdOf(await h.openSpace(bob))
  let sentAgain = 0
  for (let round = 0; round < ROUNDS; round++) {
    const text = `message ${round} of all`
    const event = { text, metadata: { mentions: [ada.actor_id] } }
    await h.as(bob).post(`/api/spaces/${spaceId}/response`, event).expect(200)
    // Each place in turn, one death after another in some rounds.
    const deaths = [DEATHS[round % DEATHS.length], ...(round % 3 === 0 ? [DEATHS[(round * 7) % DEATHS.length]] : [])]
    for (const death of [...deaths, null]) {
      await hurry()
      await serve(death ?? null)
    }
    const told = mailbox.to(address).filter((message) => message.text.includes(text))
    const ids = new Set(told.map(({ id }) => id))
    expect(ids.size, `${text}, after ${JSON.stringify(deaths)}`).toBe(1)
    sentAgain += told.length - ids.size
  }
  // Whoever dies between the answer of the server for e-mail and its note has to send again: with the same id.
  expect(sentAgain).toBeGreaterThan(0)
})

it('does not tell of what was seen while nobody told it', async () => {
  const [eve, bob] = [await h.registerHuman('Eve'), await h.registerHuman('Bob')]
  await isTold(eve, 'eve@example.org')
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
