import { useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { brisk } from './support/clients.js'
import { relayTo } from './support/relay.js'
import { adasSpace } from './support/space.js'

const h = useProgram()

/** More than two pages of 200 events. */
const COUNT = 450

describe('the events of a space', () => {
  it('are read page by page, up to the newest', async () => {
    const { ada, space_id, client } = await adasSpace(h)
    const ids: string[] = []
    for (let first = 0; first < COUNT; first += 90) {
      const one = { speaker_id: 'bot', speaker_name: 'Bot' }
      const events = Array.from({ length: 90 }, (_, n) => ({ ...one, text: `${first + n}` }))
      const written = await client.event.appendBatch.mutate({ space_id, events })
      ids.push(...written.map(({ event_id }) => event_id))
    }
    const relay = await relayTo(h.url)
    const reader = brisk(relay.url, ada)
    const read: string[] = []
    for await (const { event_id } of reader.events(space_id)) read.push(event_id)
    expect(read).toEqual(ids)
    expect(relay.requests).toHaveLength(3)

    const since = ids[COUNT - 3] as string
    const last: string[] = []
    for await (const { event_id } of reader.events(space_id, { since })) last.push(event_id)
    expect(last).toEqual(ids.slice(-2))
  })

  it('are read no further than the loop goes', async () => {
    const { ada, space_id, say } = await adasSpace(h)
    await say('First')
    const relay = await relayTo(h.url)
    for await (const { text } of brisk(relay.url, ada).events(space_id)) {
      expect(text).toBe('First')
      break
    }
    expect(relay.requests).toHaveLength(1)
  })

  it('fail with the error of a read', async () => {
    const { ada } = await adasSpace(h)
    const events = brisk(h.url, ada).events('nowhere')
    await expect(events.next()).rejects.toMatchObject({ status: 404, detail: 'Space not found' })
  })
})
