import { eventually, NOTHING, useProgram } from '@collab-spaces/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { Client } from '../src/client.js'
import { brisk } from './support/clients.js'
import { relayTo } from './support/relay.js'
import { adasSpace } from './support/space.js'

const h = useProgram()

const open: { unsubscribe(): void }[] = []
afterEach(() => {
  for (const { unsubscribe } of open.splice(0)) unsubscribe()
})

type Input = Parameters<Client['event']['stream']['subscribe']>[0]

function listen(client: Client, input: Input, signal?: AbortSignal) {
  const heard = { texts: [] as string[], states: [] as string[], error: undefined as unknown }
  const subscription = client.event.stream.subscribe(input, {
    ...(signal && { signal }),
    onStarted: () => heard.states.push('started'),
    onData: ({ id, data }) => {
      expect(id).toBe(data.event_id)
      heard.texts.push(data.text)
    },
    onConnectionStateChange: ({ state }) => heard.states.push(state),
    onError: (error) => {
      heard.error = error
    },
    onComplete: () => heard.states.push('complete'),
  })
  open.push(subscription)
  return Object.assign(heard, { leave: () => subscription.unsubscribe() })
}

describe('a subscription', () => {
  it('replays the history, continues live, and resumes after an id', async () => {
    const { space_id, client, say } = await adasSpace(h)
    await say('1')
    const { event_id } = await say('2')
    const all = listen(client, { space_id })
    const since = listen(client, { space_id, since: event_id })
    const last = listen(client, { space_id, since: NOTHING, lastEventId: event_id })
    await say('3')
    await eventually(() => all.texts.length === 3 && since.texts.length === 1 && last.texts.length === 1)
    expect(all.texts).toEqual(['1', '2', '3'])
    expect(since.texts).toEqual(['3'])
    expect(last.texts).toEqual(['3'])
    expect(all.states).toEqual(['connecting', 'started', 'pending'])
    all.leave()
    await say('4')
    await eventually(() => since.texts.length === 2)
    expect(all.texts).toEqual(['1', '2', '3'])
  })

  it('reconnects when its connection breaks', async () => {
    const { ada, space_id, say } = await adasSpace(h)
    const relay = await relayTo(h.url)
    const heard = listen(brisk(relay.url, ada), { space_id })
    await say('1')
    await eventually(() => heard.texts.length === 1)
    relay.cut()
    await say('2')
    await eventually(() => heard.texts.length === 2)
    expect(heard.texts).toEqual(['1', '2'])
    expect(heard.states).toEqual(['connecting', 'started', 'pending', 'connecting', 'started', 'pending'])
    expect(heard.error).toBeUndefined()
  })

  it('reports the reason of a refusal', async () => {
    const { space_id, client } = await adasSpace(h)
    const stranger = listen(brisk(h.url), { space_id })
    const lost = listen(client, { space_id: 'nowhere' })
    await eventually(() => stranger.error && lost.error)
    expect(stranger.error).toMatchObject({ name: 'SpacesError', status: 401, detail: 'Authentication required' })
    expect(lost.error).toMatchObject({ name: 'SpacesError', status: 404, detail: 'Space not found' })
  })

  it('reports the end of its credential', async () => {
    const { ada, space_id, client } = await adasSpace(h)
    const heard = listen(client, { space_id })
    await eventually(() => heard.states.includes('pending'))
    await client.actor.rotateKey.mutate({ actor_id: ada.actor_id })
    await eventually(() => heard.error)
    expect(heard.error).toMatchObject({ name: 'SpacesError', status: 401 })
    expect(heard.states).not.toContain('complete')
  })

  it('ends when its signal fires', async () => {
    const { space_id, client } = await adasSpace(h)
    const stop = new AbortController()
    const heard = listen(client, { space_id }, stop.signal)
    await eventually(() => heard.states.includes('pending'))
    stop.abort()
    await eventually(() => heard.states.includes('complete'))
    expect(heard.error).toBeUndefined()
    expect(listen(client, { space_id }, stop.signal).error).toBeUndefined()
  })

  it('can be read in a loop', async () => {
    const { space_id, client, say } = await adasSpace(h)
    await say('1')
    await say('2')
    const texts: string[] = []
    for await (const { data } of client.event.stream.subscribe({ space_id })) {
      texts.push(data.text)
      if (texts.length === 2) break
    }
    expect(texts).toEqual(['1', '2'])
    const refused = async () => {
      for await (const _ of client.event.stream.subscribe({ space_id: 'nowhere' }));
    }
    await expect(refused()).rejects.toMatchObject({ status: 404 })
  })
})
