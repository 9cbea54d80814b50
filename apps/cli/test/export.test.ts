import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Actor, eventually, homeOfFile, MAIN, signedInAs, spaces, useServer } from './support/index.js'
import { environment } from './support/machine.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>
/** The export of `story`, line by line. */
let lines: string[]

const write = (space: string, body: object) => server.as(ada).post(`/api/spaces/${space}/speech`, body).expect(200)

/** Creates a space with this number of events, and a thread among them. */
async function tell(space: string, events: number) {
  await server.openSpace(ada, space)
  const anchor = await write(space, { text: 'line\u2028separators\u2029and\r\nmore' })
  const start = { parent_event_id: anchor.event_id, subject: 'Luggage' }
  const thread = await server.as(ada).post(`/api/spaces/${space}/threads`, start).expect(200)
  await write(space, { text: 'A map', thread_id: thread.thread_id, metadata: { note: '“é”', nested: { deep: [1] } } })
  for (let n = 2; n < events; n += 10) {
    const texts = Array.from({ length: Math.min(10, events - n) }, (_, i) => `message ${n + i} ${'x'.repeat(500)}`)
    await Promise.all(texts.map((text) => write(space, { text })))
  }
  return thread
}

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  const thread = await tell('story', 450)
  const events = await server.as(ada).get('/api/spaces/story/transcript').expect(200)
  lines = [events[0], thread, ...events.slice(1)].map((record) => JSON.stringify(record))
})

const fileNamed = (name: string) => join(homeOfFile(), name)
const linesIn = async (path: string) => (await readFile(path, 'utf8')).split('\n').slice(0, -1)

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('export', () => {
  it('creates a file that only its owner can read', async () => {
    const path = fileNamed('private.jsonl')
    await spaces(['export', 'story', '--output', path], { env }).expect(0)
    expect(await modeOf(path)).toBe('600')
  })

  it('keeps the mode of an existing file', async () => {
    const path = fileNamed('shared.jsonl')
    await writeFile(path, '')
    await chmod(path, 0o640)
    await spaces(['export', 'story', '--output', path], { env }).expect(0)
    expect(await modeOf(path)).toBe('640')
  })

  it('prints every event as the API returns it, and each thread before its events', async () => {
    const run = await spaces(['export', 'story'], { env }).expect(0)
    expect(run.stdout.split('\n').slice(0, -1)).toEqual(lines)
    expect(run.stderr).toBe('')
    const { event_id } = JSON.parse(lines[300] as string)
    const rest = await spaces(['export', 'story', '--since', event_id], { env }).expect(0)
    expect(rest.stdout.split('\n').slice(0, -1)).toEqual(lines.slice(301))
  })

  it('writes a file, and continues an existing one', async () => {
    const path = fileNamed('story.ndjson')
    await spaces(['export', 'story', '--output', path], { env }).expect(0, 'has 450 events')
    expect(await linesIn(path)).toEqual(lines)
    const last = await write('story', { text: 'one more' })
    await spaces(['export', 'story', '--output', path], { env }).expect(0, 'has 451 events')
    lines.push(JSON.stringify(last))
    expect(await linesIn(path)).toEqual(lines)
  })

  it('removes an incomplete last line, wherever it breaks off', async () => {
    const path = fileNamed('torn.ndjson')
    const whole = Buffer.from(lines.map((line) => `${line}\n`).join(''))
    const inCharacter = whole.indexOf('“') + 1
    for (const length of [1, 40, inCharacter, whole.length - 1]) {
      await writeFile(path, whole.subarray(0, length))
      await spaces(['export', 'story', '--output', path], { env }).expect(0)
      expect((await readFile(path)).equals(whole)).toBe(true)
    }
  })

  it('rejects files that are not an export of the space, and leaves them as they are', async () => {
    const path = fileNamed('letter.txt')
    for (const letter of ['Dear Grace,', 'Dear Grace,\n', '{"a": 1}', '{"a": 1}\n', `${lines[0]}\n{"a": 1}\n`]) {
      await writeFile(path, letter)
      await spaces(['export', 'story', '--output', path], { env }).expect(1, 'not an export of story')
      expect(await readFile(path, 'utf8')).toBe(letter)
    }
    await server.openSpace(ada, 'other')
    await writeFile(path, `${lines[0]}\n`)
    await spaces(['export', 'other', '--output', path], { env }).expect(1, 'not an export of other')
    const elsewhere = lines[0]?.replace(/"event_id":"[^"]*"/, `"event_id":"${NOWHERE}"`)
    await writeFile(path, `${elsewhere}\n`)
    await spaces(['export', 'story', '--output', path], { env }).expect(1, 'the last event is not in story')
  })

  it('has no size limit, and neither has read', async () => {
    const path = await server.openSpace(ada, 'large')
    const anchor = await write('large', { text: 'Minutes' })
    const start = { parent_event_id: anchor.event_id, subject: 'All of it' }
    const { thread_id } = await server.as(ada).post(`${path}/threads`, start).expect(200)
    const speaker = { speaker_id: ada.actor_id, speaker_name: 'Ada' }
    const batch = { events: Array.from({ length: 40 }, () => ({ ...speaker, text: 'x'.repeat(100_000), thread_id })) }
    for (let n = 0; n < 10; n++) await server.as(ada).post(`${path}/events/batch`, batch).expect(200)

    const file = fileNamed('large.ndjson')
    await spaces(['export', 'large', '--output', file], { env }).expect(0)
    const records = await linesIn(file)
    expect(records).toHaveLength(402)
    expect(JSON.parse(records[1] as string)).toMatchObject({ thread_id, subject: 'All of it' })
    const thread = await spaces(['read', 'large', '--thread', thread_id, '--json'], { env }).expect(0)
    expect(thread.json).toHaveLength(400)
    const range = await spaces(['read', 'large', '--from', '1h', '--json'], { env }).expect(0)
    expect(range.json).toHaveLength(401)
    const last = await spaces(['read', 'large', '--tail', '300', '--json'], { env }).expect(0)
    expect(last.json).toHaveLength(300)
  })

  it('says how to continue when it is interrupted', async () => {
    // Nothing reads the pipe at first, so the export blocks in the middle of the history.
    const reader = spawn(process.execPath, [MAIN, 'export', 'story'], { env: environment({ env }) })
    onTestFinished(() => {
      reader.kill('SIGKILL')
    })
    await eventually(() => reader.stdout.readableLength > 0)
    reader.kill('SIGINT')
    const [begun, remarks, [code]] = await Promise.all([text(reader.stdout), text(reader.stderr), once(reader, 'exit')])
    expect(code).toBe(2)
    const [, cursor = ''] = /To continue: spaces export story --since (\S+)/.exec(remarks) ?? []
    expect(begun.split('\n').slice(0, -1)).toEqual(lines.slice(0, lines.findIndex((line) => line.includes(cursor)) + 1))
    const rest = await spaces(['export', 'story', '--since', cursor], { env }).expect(0)
    expect((begun + rest.stdout).split('\n').slice(0, -1)).toEqual(lines)
  })
})

const NOWHERE = '01900000-0000-7000-8000-000000000000'
