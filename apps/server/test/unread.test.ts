import { once } from 'node:events'
import type { Socket } from 'node:net'
import {
  type Actor,
  type Answer,
  CAN_MEASURE_MEMORY,
  eventually,
  peakMemory,
  spaceIdOf,
  useProgram,
} from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { fillSpace } from './support/history.js'
import { useRaw } from './support/raw.js'
import { startStack } from './support/stack.js'
import { ACCEPT, toolCall } from './support/tool-call.js'

const h = useProgram()
const client = useRaw(h)

/** The size of the longest text, if every character of it is escaped. */
const LONG = 600_000

let ada: Actor
let space: string

beforeAll(async () => {
  ada = await h.registerHuman()
  space = await h.openSpace(ada)
  await fillSpace(h.connection, space, ada, { count: 12, text: () => 'x'.repeat(LONG) })
})

const page = () => `${space}/events`
const ask = () =>
  client.open(`GET ${page()} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.api_key}\r\n\r\n`)

/** Reads this many more bytes, then pauses. */
async function readOn(socket: Socket, wanted: number): Promise<void> {
  let read = 0
  while (read < wanted) {
    const [{ length }] = await once(socket.resume(), 'data')
    socket.pause()
    read += length
  }
}

it.runIf(CAN_MEASURE_MEMORY)('many large answers that are not read take bounded memory', async () => {
  // Uncollected memory of answers that were read belongs to the figure before.
  for (let n = 0; n < 10; n++)
    await Promise.all(Array.from({ length: 10 }, () => h.as(ada).get(`${page()}?limit=2`).expect(200)))
  const before = peakMemory(h.program)
  const readers = Array.from({ length: 150 }, ask)
  await Promise.all(readers.map((socket) => readOn(socket, 1)))
  // Pieces are read in order of request: when this answer arrives, those of the others were read.
  for (let n = 0; n < 2; n++) await h.as(ada).get(`${page()}?limit=1`).expect(200)
  expect(peakMemory(h.program) - before).toBeLessThan(200)
  for (const socket of readers) socket.destroy()
})

it.runIf(CAN_MEASURE_MEMORY)('typed calls and tools, whose answers are not streamed, take turns', async () => {
  const [space_id, other] = [spaceIdOf(space), await h.registerHuman('Other')]
  await h.as(other).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
  const elsewhere = await h.openSpace(other)
  const list = `/trpc/event.list?input=${encodeURIComponent(JSON.stringify({ space_id, limit: 6 }))}`
  for (let n = 0; n < 10; n++) await Promise.all(Array.from({ length: 4 }, () => h.as(ada).get(list).expect(200)))
  const tool = JSON.stringify(toolCall('read_events', { space_id, limit: 1 }))
  const bytes = [
    `GET ${list} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.api_key}\r\n\r\n`,
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.api_key}\r\nAccept: ${ACCEPT.accept}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${tool.length}\r\n\r\n${tool}`,
  ]
  const before = peakMemory(h.program)
  const readers = Array.from({ length: 120 }, (_, n) => client.open(bytes[n % bytes.length] as string))
  await Promise.all(readers.map((socket) => readOn(socket, 1)))
  for (const limit of [1, 200]) {
    const input = encodeURIComponent(JSON.stringify({ space_id: spaceIdOf(elsewhere), limit }))
    await h.as(other).get(`/trpc/event.list?input=${input}`).expect(200)
  }
  expect(peakMemory(h.program) - before).toBeLessThan(200)
  for (const socket of readers) socket.destroy()
})

it.runIf(CAN_MEASURE_MEMORY)('a digest of many speakers is complete, but never in memory at once', async () => {
  const path = await h.openSpace(ada)
  const speakers = Array.from({ length: 600 }, (_, n) => `speaker ${String(n).padStart(3, '0')}`)
  for (let n = 0; n < speakers.length; n += 30) {
    const events = speakers.slice(n, n + 30).map((name) => ({
      speaker_id: name,
      speaker_name: name,
      text: 'é'.repeat(50_000),
    }))
    await h.as(ada).post(`${path}/events/batch`, { events }).expect(200)
  }
  const before = peakMemory(h.program)
  const digest: { participants: { participant_id: string; events: { speaker_name: string }[] }[] } = await h
    .as(ada)
    .get(`${path}/activity`)
    .expect(200)
  expect(digest.participants.map(({ participant_id }) => participant_id)).toEqual(speakers)
  expect(digest.participants.map(({ events }) => events.map(({ speaker_name }) => speaker_name))).toEqual(
    speakers.map((name) => [name]),
  )
  expect(peakMemory(h.program) - before).toBeLessThan(120)
})

it.runIf(CAN_MEASURE_MEMORY)(
  'the matches of a search are complete and in order, but never in memory at once',
  async () => {
    const path = await h.openSpace(ada)
    const texts = Array.from({ length: 100 }, (_, n) => `needle ${n} ${'\u0001'.repeat(90_000)}`)
    for (let n = 0; n < texts.length; n += 5) {
      const events = texts.slice(n, n + 5).map((text) => ({ speaker_id: 'a', speaker_name: 'A', text }))
      await h.as(ada).post(`${path}/events/batch`, { events }).expect(200)
    }
    const before = peakMemory(h.program)
    const search = `/api/search?q=needle&limit=100&space_id=${spaceIdOf(path)}`
    // On a busy machine the search may time out.
    const answer = await eventually(async () => {
      const attempt: Answer = await h.as(ada).get(search)
      return attempt.status === 503 ? null : attempt
    })
    const matches: { text: string; snippet: string }[] = answer.expect(200)
    expect(matches.map(({ text }) => text)).toEqual(texts.toReversed())
    for (const { snippet } of matches) expect(snippet).toContain('«needle»')
    expect(peakMemory(h.program) - before).toBeLessThan(120)
  },
)

it('the connections that are idle for longest are closed first, and one that reads continues', async () => {
  // More than socket buffers hold for a client that does not read.
  const length = 1_500_000
  const library = await h.openSpace(ada)
  await fillSpace(h.connection, library, ada, { count: 12, text: () => 'x'.repeat(length) })
  const stack = await startStack(h.connection, { maxUnsentBytes: 4 * length, stallMs: 60_000 })
  const reading = await stack.ask(`${library}/events`, ada.api_key)
  const idle: Socket[] = []
  for (let n = 0; n < 8; n++) {
    const { server } = await stack.ask(`${library}/events`, ada.api_key)
    await eventually(() => server.writableLength > 0 || server.destroyed)
    idle.push(server)
    await readOn(reading.socket, length)
  }
  const isCut = idle.map(({ destroyed }) => destroyed)
  expect(isCut).toEqual([...isCut.filter(Boolean), ...isCut.filter((cut) => !cut)])
  expect(new Set(isCut).size).toBe(2)
  await readOn(reading.socket, length)
})
