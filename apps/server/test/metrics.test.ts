import { get, type IncomingMessage } from 'node:http'
import { freePorts } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const port = await freePorts(1)
const h = useServer({ METRICS_PORT: String(port) })

const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

/** How many requests of an operation were answered with a status. */
async function counted(operation: string, status: number): Promise<number> {
  const line = `spaces_request_duration_seconds_count{operation="${operation}",status="${status}"} `
  const found = (await metrics()).split('\n').find((text) => text.startsWith(line))
  return Number(found?.slice(line.length) ?? 0)
}

it('counts requests by operation and status, and names nothing that a caller sent', async () => {
  const { ada, path } = await h.adasSpace()
  await h.as(ada).get(`${path}/events`).expect(200)
  await h.as(ada).get(`${path}/events?limit=2`).expect(200)
  await h.get(`${path}/events`).expect(401)
  await h.as(ada).delete(`${path}/events`).expect(405)
  await h.get('/nowhere').expect(404)
  await expect.poll(() => counted('event.list', 200)).toBe(2)
  expect(await counted('refused', 401)).toBe(1)
  expect(await counted('refused', 405)).toBe(1)
  const text = await metrics()
  for (const sent of [ada.api_key, ada.actor_id, path, 'nowhere']) expect(text).not.toContain(sent)
})

it('shows the open streams and the pool', async () => {
  const { ada, path } = await h.adasSpace()
  expect(await metrics()).toMatch(/^spaces_streams 0$/m)
  const reader = await StreamReader.open(h.as(ada), path)
  await expect.poll(metrics).toMatch(/^spaces_streams 1$/m)
  await reader.close()
  await expect.poll(metrics).toMatch(/^spaces_streams 0$/m)
  expect(await metrics()).toMatch(/^spaces_database_connections\{state="idle"\} \d+$/m)
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
