import { get, type IncomingMessage } from 'node:http'
import { recordBackup } from '@collab-spaces/operator'
import { eventually, freePorts, freshDatabase, proxyTo, spaceIdOf } from '@collab-spaces/testing'
import { expect, it, onTestFinished } from 'vitest'
import { Receiver } from './support/receiver.js'
import { startServer, useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const port = await freePorts(1)
const h = useServer({ METRICS_PORT: String(port), ALLOWED_HOSTS: 'spaces.internal' })

const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

/** Returns the value of a line, or 0 if it is missing. */
async function figureOf(line: string): Promise<number> {
  const found = (await metrics()).split('\n').find((text) => text.startsWith(`${line} `))
  return Number(found?.slice(line.length) ?? 0)
}

/** Returns how many requests of an operation were answered with a status. */
const counted = (operation: string, status: number) =>
  figureOf(`spaces_request_duration_seconds_count{operation="${operation}",status="${status}"}`)

/** Returns how many attempts to deliver to webhooks had an outcome. */
const attempts = (outcome: string) => figureOf(`spaces_webhook_attempt_duration_seconds_count{outcome="${outcome}"}`)

it('counts requests by operation and status, and contains nothing that a caller sent', async () => {
  const { ada, path } = await h.adasSpace()
  await h.as(ada).get(`${path}/events`).expect(200)
  await h.as(ada).get(`${path}/events?limit=2`).expect(200)
  await h.get(`${path}/events`).expect(401)
  await h.as(ada).delete(`${path}/events`).expect(405)
  await h.get('/nowhere').expect(404)
  await eventually(async () => (await counted('event.list', 200)) === 2)
  expect(await counted('refused', 401)).toBe(1)
  expect(await figureOf('spaces_refusals_total{reason="unauthenticated"}')).toBe(1)
  expect(await counted('refused', 405)).toBe(1)
  const text = await metrics()
  for (const sent of [ada.api_key, ada.actor_id, path, 'nowhere']) expect(text).not.toContain(sent)
})

it('counts typed calls like those of REST', async () => {
  const { ada } = await h.adasSpace()
  const before = await counted('space.list', 200)
  await h.as(ada).get('/trpc/space.list').expect(200)
  await h.as(ada).get('/trpc/space.list,actor.me?batch=1').expect(200)
  const refused = await counted('refused', 401)
  expect((await h.get('/trpc/space.list')).status).toBe(401)
  await eventually(async () => (await counted('refused', 401)) === refused + 1)
  expect(await counted('batch', 200)).toBe(1)
  expect((await counted('space.list', 200)) - before).toBe(1)
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

it('counts events by the type of their poster, and the commits of appends', async () => {
  const { ada, path } = await h.adasSpace()
  const agent = await h.registerAgent(ada)
  const written = (poster: string) => figureOf(`spaces_events_appended_total{poster="${poster}"}`)
  const [humans, agents, groups] = [
    await written('human'),
    await written('agent'),
    await figureOf('spaces_append_groups_total'),
  ]
  const events = ['One', 'Two', 'Three'].map((text) => ({ speaker_id: 'x', speaker_name: 'X', text }))
  await h.as(ada).post(`${path}/events/batch`, { events }).expect(200)
  await h.as(agent).post(`${path}/response`, { text: 'Four' }).expect(200)
  expect(await written('human')).toBe(humans + 3)
  expect(await written('agent')).toBe(agents + 1)
  expect(await figureOf('spaces_append_groups_total')).toBe(groups + 2)
})

it('counts refusals by reason', async () => {
  const { ada, path } = await h.adasSpace()
  const refused = (reason: string) => figureOf(`spaces_refusals_total{reason="${reason}"}`)
  const before = { invalid: await refused('invalid'), unknown: await refused('unknown') }
  await h.as(ada).post(`${path}/speech`, {}).expect(400)
  await h.as(ada).get('/api/spaces/none/events').expect(404)
  expect(await refused('invalid')).toBe(before.invalid + 1)
  expect(await refused('unknown')).toBe(before.unknown + 1)
  // Each reason starts at 0, so that a rate includes its first refusal.
  for (const reason of ['database', 'busy', 'disk', 'quota', 'fault']) {
    expect(await metrics()).toContain(`spaces_refusals_total{reason="${reason}"} 0\n`)
  }
})

it('shows the slots of the gate', async () => {
  for (const kind of ['row', 'write', 'heavy', 'page']) {
    expect(await figureOf(`spaces_gate_slots{kind="${kind}"}`)).toBeGreaterThan(0)
    expect(await metrics()).toMatch(new RegExp(`^spaces_gate_slots_used\\{kind="${kind}"\\} 0$`, 'm'))
    expect(await metrics()).toContain(`spaces_gate_waiting{kind="${kind}"} 0\n`)
    expect(await metrics()).toContain(`spaces_gate_refusals_total{kind="${kind}"} 0\n`)
  }
})

it('counts completed long polls and streams apart from other requests', async () => {
  const { ada, path } = await h.adasSpace()
  const lasting = (operation: string) =>
    figureOf(`spaces_lasting_request_duration_seconds_count{operation="${operation}",status="200"}`)
  const before = await counted('inbox.get', 200)
  await h.as(ada).get('/api/actors/me/inbox?wait=1').expect(200)
  const reader = await StreamReader.open(h.as(ada), path)
  await reader.close()
  await eventually(async () => (await lasting('inbox.get')) === 1)
  await eventually(async () => (await lasting('event.stream')) >= 1)
  expect(await counted('inbox.get', 200)).toBe(before)
  expect(await counted('event.stream', 200)).toBe(0)
})

it('shows the version, the database and its last backup', async () => {
  const own = await freePorts(1)
  const connection = await freshDatabase()
  const first = await startServer(connection, { METRICS_PORT: String(own) })
  onTestFinished(() => first.stop())
  const read = async () => (await fetch(`http://127.0.0.1:${own}/metrics`)).text()
  const text = await read()
  expect(text).toMatch(/^spaces_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
  expect(text).toMatch(/^spaces_database_up 1$/m)
  expect(text).toMatch(/^spaces_database_size_bytes \d{7,}$/m)
  expect(text).toMatch(/^spaces_webhook_failing_deliveries 0$/m)
  // Without a backup or a failing delivery, there is no time.
  expect(text).not.toMatch(/^spaces_last_backup_timestamp_seconds \d/m)
  expect(text).not.toMatch(/^spaces_webhook_failing_since_timestamp_seconds \d/m)
  await recordBackup(connection, '/backups/spaces.gz', { events: 0 })
  // The values are cached for a while.
  expect(await read()).not.toMatch(/^spaces_last_backup_timestamp_seconds \d/m)
  const later = await freePorts(1)
  const second = await startServer(connection, { METRICS_PORT: String(later) })
  onTestFinished(() => second.stop())
  const [, seconds] = /^spaces_last_backup_timestamp_seconds ([\d.]+)$/m.exec(
    await (await fetch(`http://127.0.0.1:${later}/metrics`)).text(),
  ) as RegExpExecArray
  expect(Math.abs(Number(seconds) - Date.now() / 1_000)).toBeLessThan(60)
})

it('counts attempts of webhooks by their outcome', async () => {
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
  expect(await metrics()).toMatch(/^spaces_webhook_deliveries\{state="waiting"\} 0$/m)
  expect(await metrics()).toMatch(/^spaces_webhook_deliveries\{state="sending"\} \d$/m)
})

it('shows that the database is down, besides the other values', async () => {
  const proxy = await proxyTo(await freshDatabase())
  onTestFinished(() => proxy.cut())
  const own = await freePorts(1)
  const server = await startServer(proxy.connection, { METRICS_PORT: String(own) })
  onTestFinished(() => server.stop())
  const read = async () => (await fetch(`http://127.0.0.1:${own}/metrics`)).text()
  proxy.block()
  const begun = performance.now()
  const text = await read()
  expect(performance.now() - begun).toBeLessThan(5_000)
  expect(text).toMatch(/^spaces_database_up 0$/m)
  expect(text).not.toMatch(/^spaces_database_size_bytes \d/m)
  expect(text).toMatch(/^spaces_streams 0$/m)
  await proxy.restore()
})

it.each([
  ['evil.example', 421],
  [`evil.example:${port}`, 421],
  ['user@127.0.0.1', 421],
  [`localhost:${port}`, 200],
  [`10.0.0.7:${port}`, 200],
  [`spaces.internal:${port}`, 200],
  ['[::1]', 200],
])('is served only to requests with a name of the server: %s', async (host, status) => {
  const answer = await new Promise((resolve, reject) =>
    get({ port, host: '127.0.0.1', path: '/metrics', headers: { host } }, resolve).on('error', reject),
  )
  expect((answer as IncomingMessage).resume().statusCode).toBe(status)
})

it('is served at one path, on a port of its own', async () => {
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  await h.get('/metrics').expect(404)
})

it('is served at the address of METRICS_HOST', async () => {
  const own = await freePorts(1)
  const server = await startServer(h.connection, { METRICS_PORT: String(own), METRICS_HOST: '127.0.0.2' })
  onTestFinished(() => server.stop())
  expect((await fetch(`http://127.0.0.2:${own}/metrics`)).status).toBe(200)
  await expect(fetch(`http://127.0.0.1:${own}/metrics`)).rejects.toThrow()
})
