import { get, type IncomingMessage } from 'node:http'
import { eventually, freePorts, spaceIdOf } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { Receiver } from './support/receiver.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const port = await freePorts(1)
const h = useServer({ METRICS_PORT: String(port) })

const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

/** The value of a line; 0 while there is none. */
async function figureOf(line: string): Promise<number> {
  const found = (await metrics()).split('\n').find((text) => text.startsWith(`${line} `))
  return Number(found?.slice(line.length) ?? 0)
}

/** How many requests of an operation were answered with a status. */
const counted = (operation: string, status: number) =>
  figureOf(`spaces_request_duration_seconds_count{operation="${operation}",status="${status}"}`)

/** How many attempts to deliver to webhooks had an outcome. */
const attempts = (outcome: string) => figureOf(`spaces_webhook_attempt_duration_seconds_count{outcome="${outcome}"}`)

it('counts requests by operation and status, and names nothing that a caller sent', async () => {
  const { ada, path } = await h.adasSpace()
  await h.as(ada).get(`${path}/events`).expect(200)
  await h.as(ada).get(`${path}/events?limit=2`).expect(200)
  await h.get(`${path}/events`).expect(401)
  await h.as(ada).delete(`${path}/events`).expect(405)
  await h.get('/nowhere').expect(404)
  await eventually(async () => (await counted('event.list', 200)) === 2)
  expect(await counted('refused', 401)).toBe(1)
  expect(await counted('refused', 405)).toBe(1)
  const text = await metrics()
  for (const sent of [ada.api_key, ada.actor_id, path, 'nowhere']) expect(text).not.toContain(sent)
})

it('shows the open streams and the pool', async () => {
  const { ada, path } = await h.adasSpace()
  expect(await metrics()).toMatch(/^spaces_streams 0$/m)
  const reader = await StreamReader.open(h.as(ada), path)
  await eventually(async () => /^spaces_streams 1$/m.test(await metrics()))
  await reader.close()
  await eventually(async () => /^spaces_streams 0$/m.test(await metrics()))
  expect(await metrics()).toMatch(/^spaces_writes_refused 0$/m)
  expect(await metrics()).toMatch(/^spaces_database_connections\{state="idle"\} \d+$/m)
})

it('counts attempts to deliver to webhooks by their outcome', async () => {
  const { ada, path } = await h.adasSpace()
  const receiver = await Receiver.listen()
  await h
    .as(ada)
    .post('/api/webhooks', { url: receiver.url(), space_id: spaceIdOf(path) })
    .expect(200)
  await h.as(ada).post(`${path}/speech`, { text: 'heard' }).expect(200)
  await eventually(async () => (await attempts('delivered')) === 1)
  receiver.answer = (response) => response.writeHead(500).end()
  await h.as(ada).post(`${path}/speech`, { text: 'lost on the way' }).expect(200)
  await eventually(async () => (await attempts('failed')) === 1)
})

it.each([
  ['evil.example', 421],
  [`evil.example:${port}`, 421],
  ['user@127.0.0.1', 421],
  [`localhost:${port}`, 200],
  ['[::1]', 200],
])('is answered to the machine itself: %s', async (host, status) => {
  const answer = await new Promise((resolve, reject) =>
    get({ port, host: '127.0.0.1', path: '/metrics', headers: { host } }, resolve).on('error', reject),
  )
  expect((answer as IncomingMessage).resume().statusCode).toBe(status)
})

it('is served at one path, on a port of its own', async () => {
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  await h.get('/metrics').expect(404)
})
