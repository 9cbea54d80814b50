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

/** Reads so many bytes more, and then nothing. */
async function readOn(socket: Socket, wanted: number): Promise<void> {
  let read = 0
  while (read < wanted) {
    const [{ length }] = await once(socket.resume(), 'data')
    socket.pause()
    read += length
  }
}

it.runIf(CAN_MEASURE_MEMORY)('large answers that are not read do not fill the memory, however many', async () => {
  // Memory of answers that were read, and is not collected yet, belongs to the figure before.
  for (let n = 0; n < 10; n++)
    await Promise.all(Array.from({ length: 10 }, () => h.as(ada).get(`${page()}?limit=2`).expect(200)))
  const before = peakMemory(h.program)
  const readers = Array.from({ length: 150 }, ask)
  await Promise.all(readers.map((socket) => readOn(socket, 1)))
  // Pieces are read in the order in which they are asked for: when this one comes, those for the others have come.
  for (let n = 0; n < 2; n++) await h.as(ada).get(`${page()}?limit=1`).expect(200)
  expect(peakMemory(h.program) - before).toBeLessThan(200)
  for (const socket of readers) socket.destroy()
})

it.runIf(CAN_MEASURE_MEMORY)('typed calls and tools, whose answers cannot come in pieces, take turns', async () => {
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

it.runIf(CAN_MEASURE_MEMORY)('a digest of many speakers is whole, and not all of it in memory', async () => {
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
  'the matches of a search are whole and in order, and not all of them in memory',
  async () => {
    const path = await h.openSpace(ada)
    const texts = Array.from({ length: 100 }, (_, n) => `needle ${n} ${'\u0001'.repeat(90_000)}`)
    for (let n = 0; n < texts.length; n += 5) {
      const events = texts.slice(n, n + 5).map((text) => ({ speaker_id: 'a', speaker_name: 'A', text }))
      await h.as(ada).post(`${path}/events/batch`, { events }).expect(200)
    }
    const before = peakMemory(h.program)
    const search = `/api/search?q=needle&limit=100&space_id=${spaceIdOf(path)}`
    // A busy machine may need longer than a search may take.
    const answer = await eventually(async () => {
      const asked: Answer = await h.as(ada).get(search)
      return asked.status === 503 ? null : asked
    })
    const matches: { text: string; snippet: string }[] = answer.expect(200)
    expect(matches.map(({ text }) => text)).toEqual(texts.toReversed())
    for (const { snippet } of matches) expect(snippet).toContain('«needle»')
    expect(peakMemory(h.program) - before).toBeLessThan(120)
  },
)

it('those who have read nothing for longest are cut off first, and the actor that reads on is not', async () => {
  // More than the system takes for an actor who does not read.
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
