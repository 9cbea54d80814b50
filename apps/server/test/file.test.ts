import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { CHUNK_BYTES, DEFAULT_TENANT } from '@collab-spaces/domain'
import { type Actor, bearer, type Client, eventually, query } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { TIMESTAMP } from './support/form.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { startStack } from './support/stack.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const LIMIT = 1_000_000

const h = useServer({ FILE_MAX_BYTES: String(LIMIT) })

const operate = operatorOf(h)

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR<script>alert(1)</script>', 'latin1')

const digestOf = (bytes: Uint8Array, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(bytes).digest(encoding)

interface Options {
  readonly name?: string
  readonly headers?: Record<string, string>
}

const upload = (client: Client, path: string, bytes: Uint8Array, { name = 'a.bin', headers = {} }: Options = {}) =>
  client.post(`${path}/files?name=${encodeURIComponent(name)}`, bytes, {
    headers: { 'content-type': 'application/octet-stream', ...headers },
  })

/** Downloads the bytes of a file unchanged. */
async function download({ url, key }: Client, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${url}${path}`, { method, headers: { ...bearer(key), ...headers } })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Uploads a file and attaches it to an event of Ada. */
async function attached(bytes: Uint8Array = randomBytes(100), options?: Options) {
  const { client, path, ada, space_id } = await h.adasSpace()
  const file = await upload(client, path, bytes, options).expect(200)
  const event = await client.post(`${path}/speech`, { text: 'Look', file_ids: [file.file_id] }).expect(200)
  return { ada, client, path, space_id, file, event, content: `${path}/files/${file.file_id}/content` }
}

const chunksOf = async (sha256: string) => {
  const { rows } = await query(
    h.connection,
    `SELECT count(k.index)::int AS chunks FROM file_contents c JOIN file_chunks k USING (tenant_id, content_id)
     WHERE c.sha256 = decode($1, 'hex')`,
    [sha256],
  )
  return rows[0].chunks
}

describe('POST /api/spaces/{space_id}/files', () => {
  it('accepts an upload while eight slow ones are in progress', async () => {
    const { ada, client, path } = await h.adasSpace()
    const headers = { ...bearer(ada.api_key), 'content-length': String(LIMIT) }
    const slow = Array.from({ length: 8 }, () =>
      request(`${client.url}${path}/files?name=slow`, { method: 'POST', headers }),
    )
    for (const each of slow) {
      each.on('error', () => {})
      each.write(randomBytes(100_000))
    }
    const other = await h.adasSpace()
    const bytes = randomBytes(CHUNK_BYTES * 3)
    const file = await upload(other.client, other.path, bytes).expect(200)
    expect(file).toMatchObject({ size: bytes.length, sha256: digestOf(bytes) })
    for (const each of slow) each.destroy()
  })

  it('stores the bytes with their name, type, size and hash', async () => {
    const { ada, client, path, space_id } = await h.adasSpace()
    const bytes = randomBytes(CHUNK_BYTES * 2 + 7)
    const headers = { 'content-type': 'text/csv; charset=utf-8' }
    const file = await upload(client, path, bytes, { name: 'Pläne “1”.csv', headers }).expect(200)
    expect(file).toEqual({
      file_id: expect.stringMatching(/^fil_[0-9A-Za-z]{24}$/),
      space_id,
      name: 'Pläne “1”.csv',
      content_type: 'text/csv; charset=utf-8',
      size: bytes.length,
      sha256: digestOf(bytes),
      uploaded_by: ada.actor_id,
      event_id: null,
      created_at: expect.stringMatching(TIMESTAMP),
      deleted_at: null,
    })
    expect((await download(client, `${path}/files/${file.file_id}/content`)).bytes.equals(bytes)).toBe(true)
    expect(await chunksOf(file.sha256)).toBe(3)
  })

  it('accepts an empty file without a type', async () => {
    const { client, path } = await h.adasSpace()
    const { url, key } = client
    const response = await fetch(`${url}${path}/files?name=empty`, { method: 'POST', headers: bearer(key) })
    const file = (await response.json()) as { file_id: string }
    expect(file).toMatchObject({ size: 0, content_type: 'application/octet-stream', sha256: digestOf(Buffer.alloc(0)) })
    const { status, headers, bytes } = await download(client, `${path}/files/${file.file_id}/content`)
    expect([status, headers.get('content-length'), bytes.length]).toEqual([200, '0', 0])
  })

  it('accepts a body of unknown length, in chunks of any size', async () => {
    const { client, path } = await h.adasSpace()
    const bytes = randomBytes(CHUNK_BYTES + 1)
    const pieces = function* () {
      for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000)
    }
    const response = await fetch(`${client.url}${path}/files?name=a`, {
      method: 'POST',
      headers: bearer(client.key),
      body: ReadableStream.from(pieces()),
      duplex: 'half',
    } as RequestInit)
    expect(await response.json()).toMatchObject({ size: bytes.length, sha256: digestOf(bytes) })
  })

  it('rejects a body beyond the limit, with or without Content-Length', async () => {
    const { client, path } = await h.adasSpace()
    await upload(client, path, Buffer.alloc(LIMIT)).expect(200)
    await upload(client, path, Buffer.alloc(LIMIT + 1)).expect(413, `The file is larger than ${LIMIT} bytes`)
    const response = await fetch(`${client.url}${path}/files?name=a`, {
      method: 'POST',
      headers: bearer(client.key),
      body: ReadableStream.from([Buffer.alloc(LIMIT), Buffer.alloc(1)]),
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
    expect(await client.get(`${path}/files`).expect(200)).toHaveLength(1)
  })

  it.each(['Content-Digest', 'Repr-Digest'])('verifies the header %s', async (header) => {
    const { client, path } = await h.adasSpace()
    const [bytes, other] = [randomBytes(10), randomBytes(10)]
    const headers = { [header]: `sha-256=:${digestOf(bytes, 'base64')}:` }
    await upload(client, path, bytes, { headers }).expect(200)
    await upload(client, path, other, { headers }).expect(400, /^body: its SHA-256 is not the announced one/)
    await upload(client, path, other, { headers: { [header]: 'sha-256=:YQ==:' } }).expect(400, /^\S+: must have/)
  })

  it('verifies the older header Digest', async () => {
    const { client, path } = await h.adasSpace()
    const bytes = randomBytes(10)
    await upload(client, path, bytes, { headers: { Digest: `SHA-256=${digestOf(bytes, 'base64')}` } }).expect(200)
    await upload(client, path, bytes, { headers: { Digest: `SHA-256=${digestOf(PNG, 'base64')}` } }).expect(400)
  })

  it.each([
    ['', 'name: must not be empty'],
    ['a/b', 'name: must be a name without / and \\, not a path'],
    ['..', 'name: must not be . or ..'],
    ['a\nb', 'name: must be one line, without control characters'],
    ['x'.repeat(256), 'name: must be at most 255 characters, not 256'],
  ])('rejects the name %j', async (name, detail) => {
    const { client, path } = await h.adasSpace()
    await upload(client, path, PNG, { name }).expect(400, detail)
  })

  it('rejects a malformed type, and a compressed body', async () => {
    const { client, path } = await h.adasSpace()
    await upload(client, path, PNG, { headers: { 'content-type': 'text' } }).expect(400, /^Content-Type: must be/)
    await upload(client, path, PNG, { headers: { 'content-encoding': 'gzip' } }).expect(415)
  })

  it('rejects a space that is not active, an unknown one, and a typed call', async () => {
    const { client, path } = await h.adasSpace()
    await client.patch(path, { status: 'paused' }).expect(200)
    await upload(client, path, PNG).expect(409, 'Space is not active')
    await upload(client, '/api/spaces/nowhere', PNG).expect(404, 'Space not found')
    const answer = await client.post('/trpc/file.upload', { space_id: 'nowhere', name: 'a' })
    expect(answer.status).toBe(415)
    expect(answer.text).toContain('use REST: POST /api/spaces/{space_id}/files')
  })

  it('returns the first file for the same Idempotency-Key, also after a pause', async () => {
    const { client, path } = await h.adasSpace()
    const headers = { 'Idempotency-Key': randomUUID() }
    const first = await upload(client, path, PNG, { headers }).expect(200)
    expect(await upload(client, path, PNG, { headers }).expect(200)).toEqual(first)
    await client.patch(path, { status: 'paused' }).expect(200)
    expect(await upload(client, path, PNG, { headers }).expect(200)).toEqual(first)
    const used = 'Idempotency-Key was already used with a different request'
    await upload(client, path, randomBytes(3), { headers }).expect(409, used)
    await upload(client, path, PNG, { headers, name: 'b' }).expect(409, used)
    expect(await client.get(`${path}/files`).expect(200)).toEqual([first])
  })

  it('stores one file for concurrent uploads with one key', async () => {
    const { client, path } = await h.adasSpace()
    const headers = { 'Idempotency-Key': randomUUID() }
    const bytes = randomBytes(CHUNK_BYTES + 5)
    const files = await Promise.all(
      Array.from({ length: 5 }, () => upload(client, path, bytes, { headers }).expect(200)),
    )
    expect(new Set(files.map(({ file_id }) => file_id)).size).toBe(1)
    expect(await chunksOf(files[0].sha256)).toBe(2)
  })

  it('stores equal contents of a tenant once', async () => {
    const { client, path, ada } = await h.adasSpace()
    const other = await h.openSpace(ada)
    const bytes = randomBytes(CHUNK_BYTES + 5)
    const files = await Promise.all([path, path, other, other].map((each) => upload(client, each, bytes).expect(200)))
    expect(await chunksOf(files[0].sha256)).toBe(2)
    for (const [index, { file_id }] of files.entries()) {
      const from = index < 2 ? path : other
      expect((await download(client, `${from}/files/${file_id}/content`)).bytes.equals(bytes)).toBe(true)
      await client.delete(`${from}/files/${file_id}`).expect(200)
    }
    expect(await chunksOf(files[0].sha256)).toBe(0)
  })

  it('keeps nothing of an interrupted upload', async () => {
    const { client, path } = await h.adasSpace()
    const stored = async () => (await query(h.connection, 'SELECT DISTINCT content_id FROM file_chunks')).rows.length
    const before = await stored()
    const leave = new AbortController()
    const response = fetch(`${client.url}${path}/files?name=a`, {
      method: 'POST',
      headers: bearer(client.key),
      body: new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.alloc(CHUNK_BYTES * 2 + 1))
        },
      }),
      duplex: 'half',
      signal: leave.signal,
    } as RequestInit)
    await eventually(async () => (await stored()) > before)
    leave.abort()
    await expect(response).rejects.toThrow()
    await eventually(async () => (await stored()) === before)
    expect(await client.get(`${path}/files`).expect(200)).toEqual([])
  })

  it('returns 503 on a full disk, and keeps nothing', async () => {
    const { client, path } = await h.adasSpace()
    await query(
      h.connection,
      `CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE 'no space left on device' USING ERRCODE = 'disk_full'; END $$;
       CREATE TRIGGER is_full BEFORE INSERT ON file_chunks FOR EACH ROW WHEN (NEW.index = 1) EXECUTE FUNCTION is_full()`,
    )
    try {
      await upload(client, path, randomBytes(CHUNK_BYTES + 1)).expect(503, /^The database is unavailable/)
    } finally {
      await query(h.connection, 'DROP FUNCTION is_full CASCADE')
    }
    expect(await client.get(`${path}/files`).expect(200)).toEqual([])
    const stored = `SELECT FROM file_chunks k WHERE NOT EXISTS (
      SELECT FROM file_contents c WHERE c.tenant_id = k.tenant_id AND c.content_id = k.content_id)`
    await eventually(async () => (await query(h.connection, stored)).rows.length === 0)
  })
})

describe('GET /api/spaces/{space_id}/files/{file_id}/content', () => {
  it('returns an attachment in a sandbox, whatever the uploaded type', async () => {
    const html = Buffer.from('<script>alert(1)</script>')
    for (const type of ['text/html', 'image/svg+xml', 'image/png']) {
      const { client, content } = await attached(html, { name: 'a "b".html', headers: { 'content-type': type } })
      const { status, headers } = await download(client, content)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe(type)
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename="a _b_.html"; filename*=UTF-8''a%20%22b%22.html`,
      )
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('returns an image inline by its bytes, whatever the uploaded type', async () => {
    const { client, content } = await attached(PNG, { name: 'a.html', headers: { 'content-type': 'text/html' } })
    const { headers, bytes } = await download(client, content)
    expect(headers.get('content-type')).toBe('image/png')
    expect(headers.get('content-disposition')).toMatch(/^inline; /)
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(bytes.equals(PNG)).toBe(true)
  })

  it('returns the requested range, across chunks', async () => {
    const bytes = randomBytes(CHUNK_BYTES * 3)
    const { client, content } = await attached(bytes)
    for (const [from, to] of [
      [0, 1],
      [CHUNK_BYTES - 1, CHUNK_BYTES + 1],
      [10, CHUNK_BYTES * 2 + 10],
      [CHUNK_BYTES, bytes.length],
    ] as const) {
      const part = await download(client, content, { Range: `bytes=${from}-${to - 1}` })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${bytes.length}`)
      expect(part.headers.get('content-length')).toBe(String(to - from))
      expect(part.bytes.equals(bytes.subarray(from, to))).toBe(true)
    }
    expect((await download(client, content, { Range: 'bytes=-5' })).bytes.equals(bytes.subarray(-5))).toBe(true)
    const beyond = await download(client, content, { Range: `bytes=${bytes.length}-` })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
  })

  it('supports If-None-Match and If-Range with the hash as entity tag', async () => {
    const { client, content, file } = await attached(PNG)
    const tag = `"${file.sha256}"`
    const whole = await download(client, content)
    expect(whole.headers.get('etag')).toBe(tag)
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    expect(whole.headers.get('repr-digest')).toBe(`sha-256=:${digestOf(PNG, 'base64')}:`)
    const known = await download(client, content, { 'If-None-Match': `"x", W/${tag}` })
    expect([known.status, known.bytes.length, known.headers.get('etag')]).toEqual([304, 0, tag])
    expect((await download(client, content, { Range: 'bytes=0-1', 'If-Range': tag })).status).toBe(206)
    expect((await download(client, content, { Range: 'bytes=0-1', 'If-Range': '"x"' })).status).toBe(200)
  })

  it('answers HEAD without the bytes', async () => {
    const { client, content } = await attached(PNG)
    const { status, headers, bytes } = await download(client, content, {}, 'HEAD')
    expect([status, headers.get('content-length'), bytes.length]).toEqual([200, String(PNG.length), 0])
    expect((await download(client, content, { Range: 'bytes=0-1' }, 'HEAD')).status).toBe(206)
  })

  it('accepts a ticket for this file only', async () => {
    const { client, path, content, file } = await attached(PNG)
    const other = await upload(client, path, PNG).expect(200)
    const { ticket } = await client.post(`${path}/files/${file.file_id}/tickets`).expect(200)
    const stream = await client.post(`${path}/events/stream/tickets`).expect(200)
    expect((await download(h, `${content}?token=${ticket}`)).bytes.equals(PNG)).toBe(true)
    for (const [to, token] of [
      [`${path}/files/${other.file_id}/content`, ticket],
      [`${path}/files/${file.file_id}`, ticket],
      [`${path}/events`, ticket],
      [`${path}/events/stream`, ticket],
      [content, stream.ticket],
    ]) {
      await h.get(`${to}?token=${token}`).expect(401, 'Authentication required')
    }
  })

  it('returns 415 as a typed call', async () => {
    const { client, file, path } = await attached(PNG)
    const input = encodeURIComponent(JSON.stringify({ space_id: path.slice(12), file_id: file.file_id }))
    const answer = await client.get(`/trpc/file.content?input=${input}`)
    expect(answer.status).toBe(415)
    expect(answer.text).toContain('/content')
  })

  it('ends the download when its reader is removed from a private space', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    await moveInto(h.connection, await foundTenant(h.connection), ada, bob)
    const space_id = `private-${randomUUID()}`
    const path = `/api/spaces/${space_id}`
    await h.as(ada).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
    await h.as(ada).post(`${path}/participants`, { actor_id: bob.actor_id }).expect(200)
    const stack = await startStack(h.connection)
    const large = randomBytes(20 * 1024 * 1024)
    const file = await upload(Object.assign(h.as(ada), { url: stack.url }), path, large).expect(200)
    await h
      .as(ada)
      .post(`${path}/speech`, { text: 'Look', file_ids: [file.file_id] })
      .expect(200)
    const { socket, server } = await stack.ask(`${path}/files/${file.file_id}/content`, bob.api_key)
    await eventually(() => server.bytesWritten > 0)
    const closed = new Promise((resolve) => server.once('close', resolve))
    await h.as(ada).delete(`${path}/participants/${bob.actor_id}`).expect(200)
    await closed
    expect(server.bytesWritten).toBeLessThan(large.length)
    socket.destroy()
    await h.as(bob).get(`${path}/files/${file.file_id}/content`).expect(404, 'File not found')
  })
})

describe('file_ids of an event', () => {
  it('become files of the event in their order, in every answer', async () => {
    const { client, path } = await h.adasSpace()
    const [one, two] = [await upload(client, path, PNG, { name: 'one' }), await upload(client, path, randomBytes(5))]
    const files = [two.body, one.body].map(({ file_id, name, content_type, size, sha256 }) => ({
      ...{ file_id, name, content_type, size, sha256 },
    }))
    const file_ids = files.map(({ file_id }) => file_id)
    const event = await client.post(`${path}/speech`, { text: 'Look', file_ids }).expect(200)
    expect(event.files).toEqual(files)
    expect(Object.keys(event).at(-1)).toBe('files')
    expect(await client.get(`${path}/events`).expect(200)).toEqual([event])
    expect((await client.get(`${path}/files/${one.body.file_id}`).expect(200)).event_id).toBe(event.event_id)
    const without = await client.post(`${path}/speech`, { text: 'Nothing' }).expect(200)
    expect(without).not.toHaveProperty('files')
  })

  it.each(['response', 'events'])('are accepted by POST /%s and by batches', async (operation) => {
    const { client, path } = await h.adasSpace()
    const speaker = operation === 'events' ? { speaker_id: 'radio', speaker_name: 'Radio' } : {}
    const { file_id } = await upload(client, path, PNG).expect(200)
    const event = await client
      .post(`${path}/${operation}`, { text: 'Look', file_ids: [file_id], ...speaker })
      .expect(200)
    expect(event.files).toHaveLength(1)
    const other = await upload(client, path, PNG).expect(200)
    const sent = { text: 'Look', speaker_id: 'radio', speaker_name: 'Radio' }
    const events = [sent, { ...sent, file_ids: [other.file_id] }]
    const batch = await client.post(`${path}/events/batch`, { events }).expect(200)
    expect(batch.map(({ files = [] }) => files.length)).toEqual([0, 1])
    const twice = {
      events: [
        { ...sent, file_ids: ['fil_a'] },
        { ...sent, file_ids: ['fil_a'] },
      ],
    }
    await client
      .post(`${path}/events/batch`, twice)
      .expect(400, /^events.1.file_ids: must not name a file that another/)
    const taken = { events: [sent, { ...sent, file_ids: [other.file_id] }] }
    await client.post(`${path}/events/batch`, taken).expect(409, /^events.1: The file belongs to an event already/)
  })

  it('refer to files of the space by the poster, each used once', async () => {
    const { ada, client, path } = await h.adasSpace()
    const bob = await h.registerHuman('Bob')
    const elsewhere = await h.openSpace(ada)
    const say = (by: Client, to: string, ...file_ids: string[]) => by.post(`${to}/speech`, { text: 'Look', file_ids })
    const { file_id } = await upload(client, path, PNG).expect(200)
    await say(client, elsewhere, file_id).expect(404, 'File not found')
    await say(h.as(bob), path, file_id).expect(404, 'File not found')
    await say(client, path, 'fil_unknown').expect(404, 'File not found')
    await say(client, path, file_id, file_id).expect(400, 'file_ids: must not name a file twice')
    const many = Array.from({ length: 11 }, (_, index) => `fil_${index}`)
    await say(client, path, ...many).expect(400, /^file_ids: must have at most 10/)
    await say(client, path, file_id).expect(200)
    await say(client, path, file_id).expect(409, /^The file belongs to an event already/)
    const deleted = await upload(client, path, PNG).expect(200)
    await client.delete(`${path}/files/${deleted.file_id}`).expect(200)
    await say(client, path, deleted.file_id).expect(409, /^The file was deleted/)
    expect(await client.get(`${path}/events`).expect(200)).toHaveLength(1)
  })

  it('attach the file to one of many concurrent events', async () => {
    const { client, path } = await h.adasSpace()
    const { file_id } = await upload(client, path, PNG).expect(200)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post(`${path}/speech`, { text: 'Look', file_ids: [file_id] })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(19).fill(409)])
  })

  it('are compared on a retry with an Idempotency-Key', async () => {
    const { client, path } = await h.adasSpace()
    const { file_id } = await upload(client, path, PNG).expect(200)
    const headers = { 'Idempotency-Key': randomUUID() }
    const event = await client.post(`${path}/speech`, { text: 'Look', file_ids: [file_id] }, { headers }).expect(200)
    expect(await client.post(`${path}/speech`, { text: 'Look', file_ids: [file_id] }, { headers }).expect(200)).toEqual(
      event,
    )
    await client.post(`${path}/speech`, { text: 'Look' }, { headers }).expect(409)
  })
})

describe('a file', () => {
  let ada: Actor
  let bob: Actor
  let grace: Actor
  let path: string
  beforeAll(async () => {
    ;[ada, bob, grace] = [await h.registerHuman('Ada'), await h.registerHuman('Bob'), await h.registerHuman('Grace')]
    await moveInto(h.connection, await foundTenant(h.connection), ada, bob, grace)
    await makeAdmin(h.connection, grace)
    path = await h.openSpace(ada)
  })

  it('is visible only to its uploader until an event names it', async () => {
    const file = await upload(h.as(bob), path, PNG).expect(200)
    const place = `${path}/files/${file.file_id}`
    for (const actor of [ada, grace]) {
      await h.as(actor).get(place).expect(404, 'File not found')
      await h.as(actor).get(`${place}/content`).expect(404, 'File not found')
      await h.as(actor).post(`${place}/tickets`).expect(404, 'File not found')
      await h.as(actor).delete(place).expect(404, 'File not found')
      expect(await h.as(actor).get(`${path}/files`).expect(200)).toEqual([])
    }
    expect(await h.as(bob).get(`${path}/files`).expect(200)).toEqual([file])
    const { event_id } = await h
      .as(bob)
      .post(`${path}/speech`, { text: 'Look', file_ids: [file.file_id] })
      .expect(200)
    expect(await h.as(ada).get(`${path}/files`).expect(200)).toEqual([{ ...file, event_id }])
  })

  it('is deleted by its uploader and owners, while its row stays', async () => {
    const scout = await h.registerAgent(bob, 'Scout', EVERYTHING)
    for (const [actor, status] of [
      [scout, 403],
      [bob, 200],
      [ada, 200],
      [grace, 200],
    ] as const) {
      const bytes = randomBytes(10)
      const file = await upload(h.as(bob), path, bytes).expect(200)
      await h
        .as(bob)
        .post(`${path}/speech`, { text: 'Look', file_ids: [file.file_id] })
        .expect(200)
      const place = `${path}/files/${file.file_id}`
      await h.as(actor).delete(place).expect(status)
      if (status !== 200) continue
      await h.as(actor).delete(place).expect(200)
      const shown = await h.as(bob).get(place).expect(200)
      expect(shown).toMatchObject({
        name: file.name,
        sha256: file.sha256,
        deleted_at: expect.stringMatching(TIMESTAMP),
      })
      await h.as(bob).get(`${place}/content`).expect(404, 'File not found')
      expect(await chunksOf(file.sha256)).toBe(0)
    }
  })

  it('is listed newest first, in pages', async () => {
    const space = await h.openSpace(ada)
    const files = []
    for (const name of ['1', '2', '3']) files.unshift(await upload(h.as(ada), space, PNG, { name }).expect(200))
    const list = (parameters: string) => h.as(ada).get(`${space}/files?${parameters}`).expect(200)
    expect(await list('')).toEqual(files)
    expect(await list('limit=2')).toEqual(files.slice(0, 2))
    expect(await list(`limit=2&before=${files[1].file_id}`)).toEqual(files.slice(2))
    await h.as(ada).get(`${space}/files?before=fil_unknown`).expect(404, 'File not found')
  })

  it('requires a credential with the scope and the space', async () => {
    const space = await h.openSpace(ada)
    const file = await upload(h.as(ada), space, PNG).expect(200)
    const token = async (limits: object) =>
      h.as(
        (
          await h
            .as(ada)
            .post('/api/personal-access-tokens', { name: 'x', ...limits })
            .expect(200)
        ).token,
      )
    const reader = await token({ scopes: ['read'] })
    expect((await download(reader, `${space}/files/${file.file_id}/content`)).status).toBe(200)
    await upload(reader, space, PNG).expect(403, /write/)
    await reader.delete(`${space}/files/${file.file_id}`).expect(403, /write/)
    const elsewhere = await token({ scopes: ['read', 'write'], space_ids: [path.slice(12)] })
    await elsewhere.get(`${space}/files/${file.file_id}/content`).expect(404)
    await upload(elsewhere, space, PNG).expect(404)
  })

  it('counts towards the quota of its tenant, each content once', async () => {
    const bytes = randomBytes(600)
    const { tenant_id } = await h.as(ada).get('/api/actors/me').expect(200)
    await upload(h.as(ada), path, bytes).expect(200)
    const { rows } = await query(
      h.connection,
      'SELECT sum(size)::int AS used FROM file_contents WHERE tenant_id = $1',
      [tenant_id],
    )
    const quota = String(rows[0].used + 500)
    await operate('tenant', 'quota', 'set', tenant_id, '--file-bytes', quota, '--tokens', '0')
    const refusal = `The quota of bytes of files (${quota}) is used up`
    await eventually(async () => (await h.as(ada).post('/api/personal-access-tokens', { name: 'x' })).status === 403)
    await upload(h.as(ada), path, randomBytes(501)).expect(403, refusal)
    await upload(h.as(ada), path, bytes).expect(200)
    await upload(h.as(ada), path, randomBytes(500)).expect(200)
    const shown = await operate('tenant', 'quota', 'show', tenant_id, '--json')
    const { file_bytes } = JSON.parse(shown.join('\n'))
    expect(file_bytes).toEqual({ quota: Number(quota), used: Number(quota) })
    await operate('tenant', 'quota', 'clear', tenant_id)
  })
})

describe('files', () => {
  const check = async () => JSON.parse((await operate('check', '--json'))[0] as string)

  it('lose their names and bytes with a redacted event', async () => {
    const { client, path, file, event, space_id } = await attached(randomBytes(CHUNK_BYTES + 1), { name: 'secret.txt' })
    const other = await upload(client, path, randomBytes(5)).expect(200)
    await client.post(`${path}/speech`, { text: 'Look', file_ids: [other.file_id] }).expect(200)
    await operate('event', 'redact', DEFAULT_TENANT, space_id, event.event_id, '--by', 'Ada', '--yes')
    const redacted = await client.get(`${path}/events/${event.event_id}`).expect(200)
    expect(redacted).not.toHaveProperty('files')
    const shown = await client.get(`${path}/files/${file.file_id}`).expect(200)
    expect(shown).toMatchObject({ name: '[redacted]', content_type: '[redacted]', sha256: null })
    expect(shown.deleted_at).toMatch(TIMESTAMP)
    await client.get(`${path}/files/${file.file_id}/content`).expect(404, 'File not found')
    expect(await chunksOf(file.sha256)).toBe(0)
    expect(await chunksOf(other.sha256)).toBe(1)
    expect((await check()).problems).toEqual([])
  })

  it('lose their bytes with a deleted space, unless another space has the same content', async () => {
    const bytes = randomBytes(10)
    const { client, ada, file, space_id } = await attached(bytes)
    const elsewhere = await h.openSpace(ada)
    const same = await upload(client, elsewhere, bytes).expect(200)
    const own = await attached()
    for (const id of [space_id, own.space_id])
      await operate('space', 'delete', DEFAULT_TENANT, id, '--by', 'Ada', '--yes')
    expect(await chunksOf(file.sha256)).toBe(1)
    expect(await chunksOf(own.file.sha256)).toBe(0)
    expect((await download(client, `${elsewhere}/files/${same.file_id}/content`)).bytes.equals(bytes)).toBe(true)
  })

  it('are checked for damaged and missing bytes', async () => {
    const [changed, cut, lost] = [
      await attached(randomBytes(10)),
      await attached(randomBytes(CHUNK_BYTES + 1)),
      await attached(randomBytes(CHUNK_BYTES + 1)),
    ]
    const ofFile = `content_id = (SELECT content_id FROM files WHERE file_id = $1)`
    const damage = (statement: string, { file }: { file: { file_id: string } }) =>
      query(h.connection, `${statement} ${ofFile}`, [file.file_id])
    await damage('UPDATE file_chunks SET bytes = set_byte(bytes, 0, get_byte(bytes, 0) # 1) WHERE', changed)
    await damage('DELETE FROM file_chunks WHERE index = 1 AND', cut)
    await damage('DELETE FROM file_chunks WHERE index = 0 AND', lost)
    const { problems, contents } = await check()
    expect(contents).toBeGreaterThan(3)
    const found = problems.map(({ problem }: { problem: string }) => problem.replace(/content \S+/, 'content'))
    expect(found.sort()).toEqual([
      'the content of files does not have the recorded size and SHA-256',
      'the content of files does not have the recorded size and SHA-256',
      'the content of files lacks a chunk',
    ])
    for (const each of [changed, cut, lost]) await damage('DELETE FROM file_chunks WHERE', each)
  })
})

describe('the housekeeping of files', () => {
  it('deletes files without an event after a day, and bytes without a record', async () => {
    const { services } = await startStack(h.connection)
    const { client, path } = await h.adasSpace()
    const old = await upload(client, path, randomBytes(10)).expect(200)
    const { file: kept } = await attached()
    const young = await upload(client, path, randomBytes(10)).expect(200)
    const age = `UPDATE files SET created_at = created_at - interval '24 hours' WHERE file_id = ANY ($1)`
    await query(h.connection, age, [[old.file_id, kept.file_id]])
    const garbage = '01890000-0000-7000-8000-000000000000'
    await query(
      h.connection,
      `INSERT INTO file_chunks (tenant_id, content_id, index, bytes)
       SELECT tenant_id, $1, 0, 'x' FROM tenants LIMIT 1`,
      [garbage],
    )
    await services.fileKeeper.sweep()
    expect(await client.get(`${path}/files`).expect(200)).toEqual([young])
    expect(await chunksOf(old.sha256)).toBe(0)
    expect(await chunksOf(kept.sha256)).toBe(1)
    const left = await query(h.connection, 'SELECT FROM file_chunks WHERE content_id = $1', [garbage])
    expect(left.rows).toHaveLength(0)
  })
})
