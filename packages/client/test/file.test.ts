import { createHash, randomBytes } from 'node:crypto'
import { useProgram } from '@collab-spaces/testing'
import { describe, expect, it, type MockInstance, vi } from 'vitest'
import { clientWith } from '../src/client.js'
import type { Answer, FetchInit } from '../src/fetch.js'
import type { Timing } from '../src/timing.js'
import { BRISK, brisk } from './support/clients.js'
import { relayTo } from './support/relay.js'
import { adasSpace } from './support/space.js'

const h = useProgram()

const MIB = 1024 * 1024

async function gathered(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const piece of pieces) chunks.push(piece)
  return Buffer.concat(chunks)
}

/** Creates a space, and a client that reaches it through a relay. */
async function behindRelay(timing: Partial<Timing> = {}) {
  const { ada, space_id } = await adasSpace(h)
  const relay = await relayTo(h.url)
  return { space_id, relay, client: brisk(relay.url, ada, timing) }
}

describe('upload', () => {
  it('uploads bytes for an event', async () => {
    const { client, space_id } = await adasSpace(h)
    const bytes = randomBytes(300_000)
    const file = await client.upload(space_id, bytes, { name: 'Plän.bin', contentType: 'image/x-plan' })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(file).toMatchObject({ name: 'Plän.bin', content_type: 'image/x-plan', size: bytes.length, sha256 })
    const blob = await client.upload(space_id, new Blob(['hello']), { name: 'a' })
    const event = await client.event.speech.mutate({ space_id, text: 'Look', file_ids: [file.file_id, blob.file_id] })
    expect(event.files?.map(({ size }) => size)).toEqual([bytes.length, 5])
  })

  it('is retried when the answer is lost, and stores one file', async () => {
    const { client, space_id, relay } = await behindRelay()
    relay.conduct = () => (relay.requests.length === 1 ? 'lose' : 'pass')
    const file = await client.upload(space_id, randomBytes(1_000), { name: 'a' })
    expect(relay.requests).toHaveLength(2)
    expect(await client.file.list.query({ space_id })).toEqual([file])
  })

  it('sends a stream while it is read, and reports progress', async () => {
    const { client, space_id } = await adasSpace(h)
    const sent: number[] = []
    async function* pieces() {
      for (let at = 0; at < 10; at++) yield randomBytes(100_000)
    }
    const options = { name: 'a', onProgress: (bytes: number) => sent.push(bytes) }
    expect(await client.upload(space_id, pieces(), options)).toMatchObject({ size: 1_000_000 })
    expect(sent.at(-1)).toBe(1_000_000)
    expect(sent).toEqual([...new Set(sent)].sort((a, b) => a - b))
    const stream = new Blob(['hello']).stream()
    expect(await client.upload(space_id, stream, { name: 'a', size: 5 })).toMatchObject({ size: 5 })
  })

  it('reopens its source with a function to retry, and stores one file', async () => {
    const { client, space_id, relay } = await behindRelay()
    relay.conduct = () => (relay.requests.length === 1 ? 'lose' : 'pass')
    let opened = 0
    const open = () => {
      opened++
      return new Blob(['hello']).stream()
    }
    const file = await client.upload(space_id, open, { name: 'a' })
    expect(opened).toBe(2)
    expect(await client.file.list.query({ space_id })).toEqual([file])
  })

  it('does not retry a stream that cannot be reopened', async () => {
    const { client, space_id, relay } = await behindRelay()
    relay.conduct = () => 'drop'
    const stream = new Blob(['hello']).stream()
    await expect(client.upload(space_id, stream, { name: 'a' })).rejects.toMatchObject({ status: null, mayPass: true })
    expect(relay.requests).toHaveLength(1)
  })

  it('fails with the error of its source, and closes the source', async () => {
    const { client, space_id } = await adasSpace(h)
    let isClosed = false
    async function* broken() {
      try {
        yield randomBytes(10)
        throw new Error('the disk is gone')
      } finally {
        isClosed = true
      }
    }
    await expect(client.upload(space_id, broken, { name: 'a' })).rejects.toThrow('the disk is gone')
    expect(isClosed).toBe(true)
    expect(await client.file.list.query({ space_id })).toEqual([])
  })

  it('fails when the server stops reading', async () => {
    const { client, space_id, relay } = await behindRelay({ silence: 200 })
    relay.conduct = () => 'swallow'
    const bytes = randomBytes(16 * MIB)
    const uploaded = client.upload(space_id, () => new Blob([bytes]).stream(), { name: 'a' })
    await expect(uploaded).rejects.toMatchObject({ status: null, mayPass: true })
  })

  it('fails with the refusal of the server', async () => {
    const { client } = await adasSpace(h)
    await expect(client.upload('nowhere', randomBytes(1), { name: 'a' })).rejects.toMatchObject({
      status: 404,
      detail: 'Space not found',
    })
  })

  it('ends when its signal fires', async () => {
    const { client, space_id, relay } = await behindRelay()
    relay.conduct = () => 'swallow'
    const leave = new AbortController()
    const uploaded = client.upload(space_id, randomBytes(1), { name: 'a', signal: leave.signal })
    leave.abort()
    await expect(uploaded).rejects.toMatchObject({ name: 'SpacesError', status: null })
  })
})

describe('download', () => {
  it('reads all bytes, or the rest from a position', async () => {
    const { client, space_id } = await adasSpace(h)
    const bytes = randomBytes(MIB)
    const { file_id } = await client.upload(space_id, bytes, { name: 'a' })
    expect((await gathered(client.download(space_id, file_id))).equals(bytes)).toBe(true)
    const rest = await gathered(client.download(space_id, file_id, { from: 700_000 }))
    expect(rest.equals(bytes.subarray(700_000))).toBe(true)
  })

  it('asks a fetch for the stream of an answer once', async () => {
    const { client, space_id, ada } = await adasSpace(h)
    const { file_id } = await client.upload(space_id, new Blob(['hello']), { name: 'a' })
    let asked: MockInstance | undefined
    const fetching = async (url: string, init: FetchInit): Promise<Answer> => {
      const answer = await fetch(url, init)
      asked = vi.spyOn(answer, 'body', 'get')
      return answer
    }
    const other = clientWith({ url: h.url, token: ada.api_key, fetch: fetching }, BRISK)
    expect((await gathered(other.download(space_id, file_id))).toString()).toBe('hello')
    expect(asked).toHaveBeenCalledOnce()
  })

  it('resumes where the connection broke', async () => {
    const { client, space_id, relay } = await behindRelay()
    const bytes = randomBytes(8 * MIB)
    const { file_id } = await client.upload(space_id, bytes, { name: 'a' })
    relay.bytes = 0
    relay.requests.length = 0
    const ranges: (string | undefined)[] = []
    relay.conduct = ({ headers }) => {
      ranges.push(headers.range)
      return 'pass'
    }
    const chunks: Uint8Array[] = []
    for await (const piece of client.download(space_id, file_id)) {
      chunks.push(piece)
      if (chunks.length === 1 || chunks.length === 20) relay.cut()
    }
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
    expect(ranges.length).toBeGreaterThan(1)
    expect(ranges[0]).toBeUndefined()
    for (const range of ranges.slice(1)) expect(range).toMatch(/^bytes=\d+-$/)
  })

  it('reports progress', async () => {
    const { client, space_id } = await adasSpace(h)
    const { file_id } = await client.upload(space_id, randomBytes(MIB), { name: 'a' })
    const seen: [number, number][] = []
    const onProgress = (received: number, size: number) => seen.push([received, size])
    await gathered(client.download(space_id, file_id, { onProgress }))
    expect(seen.at(-1)).toEqual([MIB, MIB])
  })

  it.each([
    ['other bytes', 'hallo'],
    ['more bytes', 'hello!'],
  ])('fails for %s than those of the file', async (_, body) => {
    const { client, space_id, relay } = await behindRelay()
    const { file_id, sha256 } = await client.upload(space_id, new Blob(['hello']), { name: 'a' })
    const headers = { etag: `"${sha256}"`, 'content-length': String(body.length) }
    relay.conduct = () => ({ status: 200, headers, body })
    await expect(gathered(client.download(space_id, file_id))).rejects.toMatchObject({
      status: null,
      mayPass: false,
      detail: expect.stringContaining('SHA-256'),
    })
  })

  it('resumes only if the file still has the same bytes', async () => {
    const { client, space_id, relay } = await behindRelay()
    const { file_id, sha256 } = await client.upload(space_id, new Blob(['hello']), { name: 'a' })
    const tag = `"${sha256}"`
    relay.conduct = ({ headers }) => {
      if (headers['if-range'] !== tag) {
        return { status: 200, headers: { etag: tag, 'content-length': '5' }, body: 'he', breaksOff: true }
      }
      return { status: 206, headers: { etag: tag, 'content-range': `bytes 2-4/5` }, body: 'llo' }
    }
    expect((await gathered(client.download(space_id, file_id))).toString()).toBe('hello')
  })

  it('fails for an unknown file', async () => {
    const { client, space_id } = await adasSpace(h)
    await expect(gathered(client.download(space_id, 'fil_unknown'))).rejects.toMatchObject({ status: 404 })
  })
})
