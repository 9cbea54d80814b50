import { createHash, randomBytes } from 'node:crypto'
import { useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { brisk } from './support/clients.js'
import { relayTo } from './support/relay.js'
import { adasSpace } from './support/space.js'

const h = useProgram()

const MIB = 1024 * 1024

async function gathered(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const piece of pieces) chunks.push(piece)
  return Buffer.concat(chunks)
}

/** A space, and a client that reaches it through a relay. */
async function behindRelay() {
  const { ada, space_id } = await adasSpace(h)
  const relay = await relayTo(h.url)
  return { space_id, relay, client: brisk(relay.url, ada) }
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

  it('is repeated when the answer is lost, and stores one file', async () => {
    const { client, space_id, relay } = await behindRelay()
    relay.conduct = () => (relay.requests.length === 1 ? 'lose' : 'pass')
    const file = await client.upload(space_id, randomBytes(1_000), { name: 'a' })
    expect(relay.requests).toHaveLength(2)
    expect(await client.file.list.query({ space_id })).toEqual([file])
  })

  it('fails as the server refuses it', async () => {
    const { client } = await adasSpace(h)
    await expect(client.upload('nowhere', randomBytes(1), { name: 'a' })).rejects.toMatchObject({
      status: 404,
      detail: 'Space not found',
    })
  })

  it('ends with its signal', async () => {
    const { client, space_id, relay } = await behindRelay()
    relay.conduct = () => 'swallow'
    const leave = new AbortController()
    const uploaded = client.upload(space_id, randomBytes(1), { name: 'a', signal: leave.signal })
    leave.abort()
    await expect(uploaded).rejects.toMatchObject({ name: 'SpacesError', status: null })
  })
})

describe('download', () => {
  it('reads bytes, all or the rest of them', async () => {
    const { client, space_id } = await adasSpace(h)
    const bytes = randomBytes(MIB)
    const { file_id } = await client.upload(space_id, bytes, { name: 'a' })
    expect((await gathered(client.download(space_id, file_id))).equals(bytes)).toBe(true)
    const rest = await gathered(client.download(space_id, file_id, { from: 700_000 }))
    expect(rest.equals(bytes.subarray(700_000))).toBe(true)
  })

  it('goes on where the connection broke', async () => {
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

  it('fails for an unknown file', async () => {
    const { client, space_id } = await adasSpace(h)
    await expect(gathered(client.download(space_id, 'fil_unknown'))).rejects.toMatchObject({ status: 404 })
  })
})
