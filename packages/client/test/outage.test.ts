import { eventually, useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import type { Client } from '../src/client.js'
import { SpacesError } from '../src/error.js'
import { brisk } from './support/clients.js'
import { adasSpace, textsOf } from './support/space.js'

const h = useProgram()

const WRITERS = 3
const KILLS = 4
const BETWEEN_KILLS = 25

describe('a server that is killed again and again', () => {
  it('loses no event, for writers or readers', async () => {
    const { ada, space_id } = await adasSpace(h)
    const timing = { firstDelay: 100, longestDelay: 1_000 }
    const client = brisk(h.url, ada, timing)
    const acknowledged: string[] = []
    let isOver = false

    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; !isOver; n++) {
        const text = `${writer}:${n}`
        await insist(client, space_id, text)
        acknowledged.push(text)
      }
    })
    const leave = new AbortController()
    const streams = [brisk(h.url, ada, timing), client].map((reader) =>
      reader.stream(space_id, { signal: leave.signal }),
    )
    const read: string[][] = streams.map(() => [])
    const readers = streams.map(async (stream, index) => {
      for await (const { text } of stream) read[index]?.push(text)
    })

    for (let kill = 0; kill < KILLS; kill++) {
      const before = acknowledged.length
      await eventually(() => acknowledged.length >= before + BETWEEN_KILLS)
      await h.kill()
      await h.start()
    }
    isOver = true
    await Promise.all(writers)

    const history = await textsOf(h, ada, space_id)
    expect(new Set(history).size).toBe(history.length)
    expect(acknowledged.filter((text) => !history.includes(text))).toEqual([])
    for (let writer = 0; writer < WRITERS; writer++) {
      const own = history.filter((text) => text.startsWith(`${writer}:`))
      expect(own).toEqual(own.map((_, n) => `${writer}:${n}`))
    }
    await eventually(() => read.every((texts) => texts.length >= history.length))
    leave.abort()
    await Promise.all(readers)
    for (const texts of read) expect(texts).toEqual(history)
  })
})

/** Posts a text with the same key until it is acknowledged. */
async function insist(client: Client, space_id: string, text: string): Promise<void> {
  for (;;) {
    try {
      await client.event.speech.mutate({ space_id, text, idempotency_key: text })
      return
    } catch (error) {
      if (!(error instanceof SpacesError && error.mayPass)) throw error
    }
  }
}
