import { mailboxOf, RATES, UNVERIFIED_MAIL } from '@collab-spaces/domain'
import { type Answer, type Client, freePorts, query, useDatabase } from '@collab-spaces/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Running } from '../src/serve.js'
import { operations, resolved } from './support/document.js'
import { capturingLog } from './support/log.js'
import { Mailbox } from './support/mailbox.js'
import { startServer, useServer } from './support/server.js'
import { foundTenant } from './support/tenant.js'
import { openWorld } from './support/world.js'

const mailbox = new Mailbox()
const settings: Record<string, string> = {}
beforeAll(async () => {
  await mailbox.open()
  Object.assign(settings, mailbox.settings)
})
const database = useDatabase()
const captured = capturingLog()
const here = useServer(settings, database, captured.log)
let other: Running
let servers: readonly Client[]
beforeAll(async () => {
  other = await startServer(database.connection, settings)
  const there = here.as(undefined)
  there.url = other.url
  servers = [here, there]
})
afterAll(async () => {
  await other?.stop()
  await mailbox.close()
})

const PATH = '/api/actors/me/notifications'
let count = 0
let victim: string
beforeEach(async () => {
  mailbox.onMessage = () => {}
  mailbox.onAddress = () => {}
  victim = `victim${++count}@example.org`
  await query(here.connection, 'DELETE FROM rate_counts')
})

const sent = () => mailbox.received.filter(({ to }) => mailboxOf(to) === victim)

/** Spellings of one mailbox. */
const spellings = (address: string) => {
  const [local, domain] = address.split('@') as [string, string]
  return [address, address.toUpperCase(), `${local}+1@${domain}`, `${local}+news@${domain.toUpperCase()}`]
}

async function newcomer(turn = 0): Promise<Client> {
  const client = servers[turn % servers.length] as Client
  return client.as(await client.registerHuman())
}

function refused(answer: Answer, { detail, windowMs }: { readonly detail: string; readonly windowMs: number }): void {
  answer.expect(429, detail)
  const seconds = Number(answer.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(windowMs / 1_000)
}

const propertiesOf = ({ body }: (typeof operations)[number]) => (body ? (resolved(body).properties ?? {}) : {})

/** Every field of a body that takes an e-mail address. */
const ADDRESSED = operations.flatMap((operation) =>
  Object.keys(propertiesOf(operation))
    .filter((field) => /^(?!sends?$).*(?:mail|address)/i.test(field))
    .map((field) => ({ operation, field })),
)

it('the document lists the operations that take an e-mail address', () => {
  expect(ADDRESSED.map(({ operation }) => operation.id)).toEqual(
    expect.arrayContaining(['notification_set', 'invite_create', 'invite_createBatch', 'actor_register']),
  )
})

it('limits mail to one mailbox across operations, accounts, servers and spellings', async () => {
  const tenantId = await foundTenant(here.connection)
  for (const client of servers) {
    const { world } = await openWorld(client, here.connection, tenantId)
    for (const address of spellings(victim)) {
      for (const { operation, field } of ADDRESSED) {
        const { method, path, body } = await world.request(operation)
        const human = body && 'actor_type' in body ? { actor_type: 'human' } : {}
        const sends = 'send' in propertiesOf(operation) ? { send: true } : {}
        for (const value of [address, null, address]) {
          const given = field === 'emails' && value !== null ? [value] : value
          const { status } = await world.owner.send(method, path, { ...body, ...human, ...sends, [field]: given })
          expect(status, operation.id).toBeLessThan(500)
        }
      }
    }
  }
  expect(sent()).toHaveLength(UNVERIFIED_MAIL.toMailbox)
})

it('counts concurrent requests exactly', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, (_, turn) => newcomer(turn)))
  const ask = async (person: Client): Promise<Answer> => {
    const answer = await person.put(PATH, { email: victim })
    // A server on a slow machine may be too busy.
    return answer.status === 503 ? ask(person) : answer
  }
  const answers = await Promise.all(people.map(ask))
  for (const answer of answers.filter(({ status }) => status !== 200)) refused(answer, RATES.unverifiedMailTo)
  expect(sent()).toHaveLength(UNVERIFIED_MAIL.toMailbox)
})

it('changes nothing for a refused request', async () => {
  for (let turn = 0; turn < UNVERIFIED_MAIL.toMailbox; turn++) {
    await (await newcomer(turn)).put(PATH, { email: victim }).expect(200)
  }
  const ada = await newcomer()
  await ada.put(PATH, { email: 'ada@example.org', delay_minutes: 7 }).expect(200)
  refused(await ada.put(PATH, { email: victim, delay_minutes: 8 }), RATES.unverifiedMailTo)
  expect(await ada.get(PATH).expect(200)).toMatchObject({
    delay_minutes: 7,
    channels: [{ address: 'ada@example.org' }],
  })
})

it('limits mail by one human, and not by another', async () => {
  const ada = await newcomer()
  for (let n = 0; n < UNVERIFIED_MAIL.byHuman; n++) await ada.put(PATH, { email: `ada${n}@example.org` }).expect(200)
  refused(await ada.put(PATH, { email: victim }), RATES.unverifiedMailBy)
  expect(sent()).toEqual([])
  await (await newcomer()).put(PATH, { email: victim }).expect(200)
})

it('limits mail of the whole installation', async () => {
  await (await newcomer()).put(PATH, { email: victim }).expect(200)
  await query(here.connection, `UPDATE rate_counts SET count = $1 WHERE key LIKE 'unverified-mail/%'`, [
    UNVERIFIED_MAIL.inAll,
  ])
  for (const turn of [0, 1]) {
    refused(await (await newcomer(turn)).put(PATH, { email: `new-${victim}` }), RATES.unverifiedMail)
  }
  // Refused requests are not counted.
  const { rows } = await query(here.connection, 'SELECT max(count) AS most FROM rate_counts')
  expect(rows).toEqual([{ most: UNVERIFIED_MAIL.inAll }])
})

it('does not count mail that the mail server has not accepted', async () => {
  mailbox.onMessage = () => {
    throw new Error('later')
  }
  const ada = await newcomer()
  for (let n = 0; n <= UNVERIFIED_MAIL.byHuman; n++) await ada.put(PATH, { email: victim }).expect(503, /try again/)
  mailbox.onMessage = () => {}
  await ada.put(PATH, { email: victim }).expect(200)
  expect(sent()).toHaveLength(1)
})

it.each([
  ['MAIL FROM', 'The mail server refused the sender, which is the MAIL_FROM of this server (SMTP 550)'],
  ['RCPT TO', 'The mail server refused the recipient (SMTP 550)'],
])('returns and logs that the mail server refused %s, and accepts the next request', async (refusedCommand, why) => {
  mailbox.onAddress = (command) => {
    if (command === refusedCommand)
      throw Object.assign(new Error('no relay for secret.internal'), { responseCode: 550 })
  }
  const ada = here.as(await here.registerHuman())
  for (let n = 0; n <= UNVERIFIED_MAIL.byHuman; n++) {
    const { detail } = await ada.put(PATH, { email: victim }).expect(503, `${why}; try again later`)
    expect(detail).not.toMatch(/secret/)
  }
  const logged = captured.lines().filter(({ msg }) => msg === 'the mail server did not take a message')
  expect(JSON.stringify(logged.at(-1))).toContain('no relay for secret.internal')
  mailbox.onAddress = () => {}
  await ada.put(PATH, { email: victim }).expect(200)
})

it('returns 503 when the mail server is unreachable, and counts nothing', async () => {
  const away = await freePorts(1)
  const running = await startServer(here.connection, { ...settings, SMTP_URL: `smtp://127.0.0.1:${away}` })
  try {
    const person = await newcomer()
    person.url = running.url
    for (let n = 0; n <= UNVERIFIED_MAIL.byHuman; n++) {
      await person.put(PATH, { email: victim }).expect(503, 'The mail server could not be reached; try again later')
    }
  } finally {
    await running.stop()
  }
})

it('stores no address with the counts', async () => {
  await (await newcomer()).put(PATH, { email: victim }).expect(200)
  const { rows } = await query(here.connection, 'SELECT string_agg(key, $1) AS keys FROM rate_counts', [' '])
  expect(rows[0]?.keys).toMatch(/unverified-mail-to/)
  expect(rows[0]?.keys).not.toMatch(/victim|example/)
})
