import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type ObjectStore, openDatabase } from '@collab-spaces/db'
import { CHUNK_BYTES, DEFAULT_TENANT } from '@collab-spaces/domain'
import { checkDatabase } from '@collab-spaces/operator'
import {
  BucketServer,
  bearer,
  type Client,
  eventually,
  freePorts,
  query,
  urlOf,
  useDirectory,
} from '@collab-spaces/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../src/settings.js'
import { openBucket } from '../src/storage.js'
import { expectIntact } from './support/cells.js'
import { setTime } from './support/clock.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { foundTenant, moveInto } from './support/tenant.js'

const PORT = await freePorts(1)
const SETTINGS = {
  FILES_URL: `s3://spaces/files?endpoint=http://127.0.0.1:${PORT}`,
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
}
const AWAY = 'The storage of files is unavailable; try again shortly'

const directory = useDirectory()
let store: BucketServer
beforeAll(async () => {
  store = await BucketServer.at(directory.path, PORT)
  await store.start()
})
afterAll(() => store.kill())

const h = useServer(SETTINGS)
const operate = operatorOf(h, SETTINGS)

const upload = (client: Client, path: string, bytes: Uint8Array) =>
  client.post(`${path}/files?name=a.bin`, bytes, { headers: { 'content-type': 'application/octet-stream' } })

/** Uploads a body without Content-Length. */
const uploadStream = async ({ url, key }: Client, path: string, pieces: Iterable<Uint8Array>) =>
  (
    await fetch(`${url}${path}/files?name=a.bin`, {
      method: 'POST',
      headers: bearer(key),
      body: ReadableStream.from(pieces),
      duplex: 'half',
    } as RequestInit)
  ).json() as Promise<{ file_id: string }>

async function download({ url, key }: Client, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}${path}/content`, { headers: { ...bearer(key), ...headers } })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

const contentOf = async (fileId: string): Promise<string> => {
  const { rows } = await query(h.connection, 'SELECT content_id::text AS id FROM files WHERE file_id = $1', [fileId])
  return rows[0].id
}

/** Returns how many chunks PostgreSQL has of a content. */
const chunksOf = async (contentId: string): Promise<number> => {
  const { rows } = await query(h.connection, 'SELECT FROM file_chunks WHERE content_id = $1', [contentId])
  return rows.length
}

async function uploaded(bytes: Uint8Array = randomBytes(CHUNK_BYTES * 2 + 7)) {
  const { client, path, ada, space_id } = await h.adasSpace()
  const { file_id } = await upload(client, path, bytes).expect(200)
  await client.post(`${path}/speech`, { text: 'Look', file_ids: [file_id] }).expect(200)
  return { client, path, ada, space_id, bytes, place: `${path}/files/${file_id}`, contentId: await contentOf(file_id) }
}

/** Backdates a content by the time in its ID, for the housekeeping. */
async function age(contentId: string): Promise<string> {
  const old = contentId.replace(/^.{13}/, '01890000-0000')
  // One statement, because of the foreign keys.
  await query(
    h.connection,
    `WITH c AS (UPDATE file_contents SET content_id = $2 WHERE content_id = $1),
       f AS (UPDATE files SET content_id = $2 WHERE content_id = $1)
     UPDATE file_chunks SET content_id = $2 WHERE content_id = $1`,
    [contentId, old],
  )
  return old
}

/** Runs the housekeeping of contents. */
async function sweep(): Promise<void> {
  const { connection } = h
  const bucket = await openBucket(readSettings(SETTINGS))
  const database = await openDatabase({ connection, poolSize: 2, bucket, log: () => {} })
  try {
    await database.files.deleteUnattached()
    await database.files.sweepChunks(null)
    await database.files.sweepBucket(null)
  } finally {
    await database.close()
  }
}

describe('a bucket', () => {
  it('stores the bytes of each content once, and PostgreSQL stores none', async () => {
    const { client, path, bytes, place, contentId } = await uploaded()
    const again = await upload(client, path, bytes).expect(200)
    expect(await contentOf(again.file_id)).toBe(contentId)
    expect(await chunksOf(contentId)).toBe(0)
    await eventually(async () => (await store.objects()).filter((id) => id >= contentId).length === 1)
    expect((await download(client, place)).bytes.equals(bytes)).toBe(true)
    await client.delete(place).expect(200)
    expect(await store.objects()).toContain(contentId)
    await client.delete(`${path}/files/${again.file_id}`).expect(200)
    expect(await store.objects()).not.toContain(contentId)
  })

  it('returns the requested range', async () => {
    const { client, place, bytes } = await uploaded()
    for (const [from, to] of [
      [0, 1],
      [CHUNK_BYTES - 1, CHUNK_BYTES + 1],
      [10, CHUNK_BYTES * 2 + 1],
    ] as const) {
      const part = await download(client, place, { Range: `bytes=${from}-${to - 1}` })
      expect(part.status).toBe(206)
      expect(part.bytes.equals(bytes.subarray(from, to))).toBe(true)
    }
  })

  it('accepts an empty file', async () => {
    const { client, place } = await uploaded(Buffer.alloc(0))
    expect(await download(client, place)).toEqual({ status: 200, bytes: Buffer.alloc(0) })
  })

  it('keeps nothing of an upload with a wrong digest', async () => {
    const { client, path } = await h.adasSpace()
    const before = await store.objects()
    await client
      .post(`${path}/files?name=a`, randomBytes(9), {
        headers: { 'content-type': 'text/plain', 'Repr-Digest': `sha-256=:${'A'.repeat(43)}=:` },
      })
      .expect(400, /^body: its SHA-256/)
    await eventually(async () => (await store.objects()).length === before.length)
    expect(await client.get(`${path}/files`).expect(200)).toEqual([])
  })

  it('gets contents that PostgreSQL still holds, by the housekeeping', async () => {
    const { client, path } = await h.adasSpace()
    const bytes = randomBytes(CHUNK_BYTES + 5)
    const { file_id } = await uploadStream(client, path, [bytes.subarray(0, 7), bytes.subarray(7)])
    const place = `${path}/files/${file_id}`
    expect(await chunksOf(await contentOf(file_id))).toBe(2)
    expect((await download(client, place)).bytes.equals(bytes)).toBe(true)
    const contentId = await age(await contentOf(file_id))
    await sweep()
    expect(await chunksOf(contentId)).toBe(0)
    expect(await store.objects()).toContain(contentId)
    expect((await download(client, place)).bytes.equals(bytes)).toBe(true)
    expect((await download(client, place, { Range: 'bytes=-5' })).bytes.equals(bytes.subarray(-5))).toBe(true)
  })

  it('loses only objects without a record, by the housekeeping', async () => {
    const { client, place, bytes } = await uploaded()
    const [garbage, foreign] = ['01890000-0000-7000-8000-000000000000', 'readme']
    for (const name of [garbage, foreign]) await writeFile(store.fileOf(name), 'x')
    await sweep()
    const left = await store.objects()
    expect([left.includes(garbage), left.includes(foreign)]).toEqual([false, true])
    expect((await download(client, place)).bytes.equals(bytes)).toBe(true)
  })

  it('loses the bytes of unattached files when it is back, if it was away at their end', async () => {
    const { client, path } = await h.adasSpace()
    setTime(Date.now() - 25 * 3_600_000)
    const contentId = await contentOf((await upload(client, path, randomBytes(9)).expect(200)).file_id)
    const recorded = async () =>
      (await query(h.connection, 'SELECT FROM file_contents WHERE content_id = $1', [contentId])).rows
    expect(await recorded()).toHaveLength(1)
    await store.kill()
    await sweep().catch(() => {})
    expect(await recorded()).toEqual([])
    await store.start()
    await sweep()
    expect(await store.objects()).not.toContain(contentId)
  })

  it('is read by operate check, which reports changed and missing objects', async () => {
    const check = async () => JSON.parse((await operate('check', '--json'))[0] as string)
    const [changed, lost, redacted] = [await uploaded(), await uploaded(), await uploaded()]
    expect((await check()).problems).toEqual([])
    await writeFile(store.fileOf(changed.contentId), randomBytes(changed.bytes.length))
    await rm(store.fileOf(lost.contentId))
    const { event_id } = (await redacted.client.get(`${redacted.path}/events`).expect(200))[0]
    await operate('event', 'redact', DEFAULT_TENANT, redacted.space_id, event_id, '--by', 'Ada', '--yes')
    const { problems } = await check()
    expect(problems.map(({ problem }: { problem: string }) => problem).sort()).toEqual(
      [
        `the content ${changed.contentId} of files does not have the recorded size and SHA-256`,
        `the content ${lost.contentId} of files is missing`,
      ].sort(),
    )
    for (const { client, place } of [changed, lost]) await client.delete(place).expect(200)
    expect((await download(lost.client, lost.place)).status).toBe(404)
  })

  it('is read by operate check, which ignores a file that is deleted meanwhile', async () => {
    const { client, place, contentId } = await uploaded()
    const bucket = (await openBucket(readSettings(SETTINGS))) as ObjectStore
    const deleting: ObjectStore = Object.assign(Object.create(bucket), {
      async *read(...part: Parameters<ObjectStore['read']>) {
        if (part[0] === contentId) await client.delete(place).expect(200)
        yield* bucket.read(...part)
      },
    })
    const problems: unknown[] = []
    const { signal } = new AbortController()
    await checkDatabase(
      h.connection,
      null,
      (problem) => problems.push(problem),
      () => {},
      signal,
      deleting,
    )
    expect(await store.objects()).not.toContain(contentId)
    expect(problems).toEqual([])
  })
})

/** Opens a bucket that answers everything with a status. */
async function bucketThatAnswers(status: number): Promise<ObjectStore> {
  const server = createServer((_request, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const settings = { ...SETTINGS, FILES_URL: `s3://spaces/files?endpoint=http://127.0.0.1:${port}` }
  return (await openBucket(readSettings(settings))) as ObjectStore
}

it('a bucket may answer that an object to remove is unknown', async () => {
  await (await bucketThatAnswers(404)).remove(randomUUID())
})

it('a bucket has no part of an object that lost its bytes', async () => {
  const pieces = (await bucketThatAnswers(416)).read(randomUUID(), { from: 0, to: 9 }, (work) => work())
  for await (const piece of pieces) expect(piece).toBeUndefined()
})

it('a download from a bucket ends when the participant is removed', async () => {
  const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
  await moveInto(h.connection, await foundTenant(h.connection), ada, bob)
  const space_id = `private-${randomUUID()}`
  const path = `/api/spaces/${space_id}`
  await h.as(ada).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
  await h.as(ada).post(`${path}/participants`, { actor_id: bob.actor_id }).expect(200)
  const { file_id } = await upload(h.as(ada), path, randomBytes(20 * 1024 * 1024)).expect(200)
  await h
    .as(ada)
    .post(`${path}/speech`, { text: 'Look', file_ids: [file_id] })
    .expect(200)
  const answer = await fetch(`${h.url}${path}/files/${file_id}/content`, { headers: bearer(bob.api_key) })
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  await h.as(ada).delete(`${path}/participants/${bob.actor_id}`).expect(200)
  const toTheEnd = async () => {
    while (!(await reader.read()).done);
  }
  await expect(toTheEnd()).rejects.toThrow()
})

describe('the files of a tenant', () => {
  const b = useServer()

  it.each(['moved', 'exported'])('include the bytes of the bucket when it is %s', async (how) => {
    const ada = await h.registerHuman('Ada')
    const tenantId = await foundTenant(h.connection)
    await moveInto(h.connection, tenantId, ada)
    const path = await h.openSpace(ada)
    const bytes = randomBytes(CHUNK_BYTES + 9)
    const { file_id } = await upload(h.as(ada), path, bytes).expect(200)
    await h
      .as(ada)
      .post(`${path}/speech`, { text: 'Look', file_ids: [file_id] })
      .expect(200)
    if (how === 'moved') {
      const to = ['--to-database', urlOf(b.connection), '--location', b.url]
      await operate('tenant', 'move', tenantId, ...to)
    } else {
      const file = join(directory.path, `${tenantId}.gz`)
      await operate('tenant', 'export', tenantId, file)
      await operatorOf(b)('tenant', 'import', file)
    }
    const there = Object.assign(h.as(ada), { url: b.url })
    expect((await download(there, `${path}/files/${file_id}`)).bytes.equals(bytes)).toBe(true)
    await expectIntact(b)
  })

  it('share the objects with the new tenant when a space moves along', async () => {
    const { client, place, bytes, contentId } = await uploaded()
    await client.post('/api/tenants', { name: 'Founded', bring_spaces: true }).expect(200)
    expect((await download(client, place)).bytes.equals(bytes)).toBe(true)
    await client.delete(place).expect(200)
    expect(await store.objects()).not.toContain(contentId)
  })
})

describe('an unreachable bucket', () => {
  afterEach(() => store.start())

  it('makes uploads and downloads return 503, and nothing else', async () => {
    const { client, path, place } = await uploaded()
    const { url } = client
    const { file_id } = await client.post(`${path}/files?name=plan.txt`, Buffer.from('The plan')).expect(200)
    await client.post(`${path}/speech`, { text: 'Read', file_ids: [file_id] }).expect(200)
    const contextOf = async () => (await client.get(`${path}/context`).expect(200)).text
    expect(await contextOf()).toContain('The plan')
    await store.kill()
    expect(await contextOf()).toContain('plan.txt')
    await upload(client, path, randomBytes(CHUNK_BYTES * 3)).expect(503, AWAY)
    await client.get(`${place}/content`).expect(503, AWAY)
    expect(await client.get(`${path}/files`).expect(200)).toHaveLength(2)
    await client.post(`${path}/speech`, { text: 'Still here' }).expect(200)
    await client.delete(place).expect(200)
    expect((await fetch(`${url}/ready`)).status).toBe(200)
  })
})
