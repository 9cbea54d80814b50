import { setTimeout as delay } from 'node:timers/promises'
import {
  type Actor,
  Client,
  eventually,
  freePorts,
  Program,
  postmasterOf,
  servingConnection,
  spaceIdOf,
  startProgram,
  urlOf,
  useDatabase,
} from '@collab-spaces/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dataDirectory } from './support/data-directory.js'
import { Receiver } from './support/receiver.js'
import { WEBHOOKS } from './support/server.js'

/** Writes continuously to the servers in turn until it is stopped. */
function writing(clients: () => readonly Client[], space: string) {
  const written: string[] = []
  let isOver = false
  const loop = (async () => {
    for (let n = 0, attempt = 0; !isOver; n++, attempt++) {
      const all = clients()
      const answer = await (all[attempt % all.length] as Client)
        .post(`${space}/speech`, { text: `${n}`, idempotency_key: `${n}` })
        .catch(() => null)
      if (answer?.status === 200) written.push(answer.body.event_id)
      else {
        n--
        await delay(5)
      }
    }
  })()
  return {
    more: (count: number) => {
      const wanted = written.length + count
      return eventually(() => written.length >= wanted)
    },
    async stop() {
      isOver = true
      await loop
    },
  }
}

/** Expects all events of a space in order, with repeats of whole requests only. */
async function expectAll(receiver: Receiver, client: Client, space: string): Promise<void> {
  const events: { event_id: string }[] = await client.get(`${space}/transcript`).expect(200)
  const all = events.map(({ event_id }) => event_id)
  const idsIn = () => {
    const requests = new Map(receiver.received.map(({ id, data }) => [id, data.events]))
    return [...requests.values()].flatMap((items: { event_id: string }[]) => items.map(({ event_id }) => event_id))
  }
  await eventually(() => idsIn().length >= all.length)
  expect(idsIn()).toEqual(all)
  const texts = new Map<string, string>()
  let last = ''
  for (const { id, text } of receiver.received) {
    // A repeat follows its request directly, and is identical byte for byte.
    if (texts.has(id)) expect([id, text]).toEqual([last, texts.get(id)])
    texts.set(id, text)
    last = id
  }
  expect(receiver.failures).toEqual([])
}

async function listening(client: Client, ada: Actor, space: string): Promise<Receiver> {
  const receiver = await Receiver.listen()
  const body = { url: receiver.url(), space_id: spaceIdOf(space), types: ['events.appended'] }
  const { secret, webhook_id } = await client.as(ada).post('/api/webhooks', body).expect(200)
  receiver.secrets.set(webhook_id, secret)
  return receiver
}

describe('two servers, of which one at a time is killed', () => {
  const database = useDatabase()

  it('deliver all events in order', async () => {
    const firstPort = await freePorts(2)
    const environment = {
      ...WEBHOOKS,
      DATABASE_URL: urlOf(servingConnection(database.connection)),
      MIGRATION_DATABASE_URL: urlOf(database.connection),
      DATABASE_POOL: '8',
    }
    const start = (n: number) => new Program({ ...environment, PORT: String(firstPort + n) })
    const programs = [start(0), start(1)]
    onTestFinished(async () => {
      await Promise.all(programs.map((program) => program.kill('SIGKILL')))
    })
    const urls = await Promise.all(programs.map((program) => program.url()))
    const client = new Client(urls[0] as string)
    const ada = await client.registerHuman()
    const space = await client.openSpace(ada)
    const receiver = await listening(client, ada, space)
    const clients = urls.map((url) => new Client(url, ada.api_key))
    const writer = writing(() => clients, space)
    for (const [round, victim] of [0, 1, 0].entries()) {
      await writer.more(30)
      await receiver.until(round + 1)
      await (programs[victim] as Program).kill('SIGKILL')
      await writer.more(30)
      programs[victim] = start(victim)
      await (programs[victim] as Program).url()
    }
    await writer.stop()
    await expectAll(receiver, client.as(ada), space)
  })
})

describe('an outage of PostgreSQL and of the receiver', () => {
  it('loses no event, and keeps the order', async () => {
    const dataDir = await dataDirectory()
    const server = startProgram({ DATA_DIR: dataDir, WEBHOOK_NETWORKS: 'loopback' })
    const client = new Client(await server.url())
    const ada = await client.registerHuman()
    const space = await client.openSpace(ada)
    const receiver = await listening(client, ada, space)
    const writer = writing(() => [client.as(ada)], space)
    await receiver.until(1)
    process.kill((await postmasterOf(dataDir)) as number, 'SIGKILL')
    await writer.more(20)
    // The receiver takes a request, and its answer is lost.
    const before = receiver.received.length
    receiver.answer = (response) => response.destroy()
    await receiver.until(before + 1)
    await writer.more(20)
    receiver.answer = (response) => response.writeHead(200).end()
    await writer.stop()
    await expectAll(receiver, client.as(ada), space)
  })
})
