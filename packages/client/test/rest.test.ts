import { useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { createClient, type SentRequest } from '../src/index.js'
import { brisk } from './support/clients.js'
import { adasSpace } from './support/space.js'

const h = useProgram()

describe('rest', () => {
  it('returns the same as the call of the same name', async () => {
    const { ada, space_id, say } = await adasSpace(h)
    const client = brisk(h.url, ada)
    const first = await say('1')
    const second = await say('2')
    expect(await client.rest('event.list', { space_id, tail: true, limit: 1 })).toEqual([second])
    expect(await client.rest('event.list', { space_id, since: first.event_id, before: undefined })).toEqual([second])
    expect(await client.rest('event.get', { space_id, event_id: first.event_id })).toEqual(first)
    expect(await client.rest('actor.me', {})).toEqual(await client.actor.me.query())
  })

  it('accepts ids with any characters', async () => {
    const client = brisk(h.url, await h.registerHuman())
    const space_id = 'plans@home:~1'
    await client.space.create.mutate({ space_id })
    expect(await client.rest('space.status', { space_id })).toMatchObject({ space_id })
    const refused = client.rest('space.status', { space_id: 'a/b?c#d' })
    await expect(refused).rejects.toMatchObject({ status: 404, detail: 'Space not found' })
  })

  it('sends header parameters as headers', async () => {
    const { ada } = await adasSpace(h)
    const sent: SentRequest[] = []
    const onRequest = (request: SentRequest) => sent.push(request)
    const client = createClient({ url: h.url, token: ada.api_key, onRequest })
    await client.rest('inbox.get', { limit: 1, installation_id: 'laptop 1' })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.url).toBe(`${h.url}/api/actors/me/inbox?limit=1`)
    expect(sent[0]?.headers.get('X-Installation-Id')).toBe('laptop 1')
  })
})
