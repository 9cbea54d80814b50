import { eventually, useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import type { ActorStream } from '../src/actor-stream.js'
import type { Client } from '../src/client.js'
import type { ActorMessage } from '../src/router.js'
import { brisk } from './support/clients.js'
import { relayTo } from './support/relay.js'
import { adasSpace } from './support/space.js'

const h = useProgram()

/** Collects all messages of a stream until it ends. */
function listen(stream: ActorStream) {
  const messages: ActorMessage[] = []
  const ended = (async () => {
    for await (const message of stream) messages.push(message)
  })()
  ended.catch(() => {})
  const texts = () => messages.flatMap((message) => (message.kind === 'context_event' ? [message.event.text] : []))
  const kinds = () => new Set(messages.map(({ kind }) => kind))
  return { messages, ended, texts, kinds }
}

describe('the stream of an actor', () => {
  it('delivers changes, and the events of followed spaces', async () => {
    const { space_id, client, say } = await adasSpace(h)
    const stop = new AbortController()
    const stream = client.actorStream({ signal: stop.signal })
    const heard = listen(stream)
    await say('1')
    stream.follow(space_id, null)
    await eventually(() => heard.texts().length === 1)
    await say('2')
    await eventually(() => heard.texts().length === 2)
    await client.claim.take.mutate({ space_id, key: 'the train' })
    await eventually(() => heard.kinds().has('changed'))
    expect(heard.texts()).toEqual(['1', '2'])
    stop.abort()
    await heard.ended
    expect(stream.endedBy).toBe('aborted')
  })

  it('resumes after a broken connection and a change of followed spaces, with each event once', async () => {
    const { ada, space_id, say } = await adasSpace(h)
    const relay = await relayTo(h.url)
    const client = brisk(relay.url, ada)
    await client.space.create.mutate({ space_id: `${space_id}-2` })
    let connections = 0
    const stop = new AbortController()
    const stream = client.actorStream({ signal: stop.signal, onConnect: () => connections++ })
    stream.follow(space_id, null)
    const heard = listen(stream)
    const texts: string[] = []
    for (let at = 0; at < 30; at++) {
      texts.push((await say(String(at))).text)
      if (at % 10 === 3) relay.cut()
      if (at % 10 === 6) stream.follow(`${space_id}-2`, null)
      if (at % 10 === 8) stream.unfollow(`${space_id}-2`)
    }
    await eventually(() => heard.texts().length >= texts.length)
    expect(heard.texts()).toEqual(texts)
    expect(connections).toBeGreaterThan(3)
    stop.abort()
    await heard.ended
  })

  it('announces the start of each space, also after many events of another one', async () => {
    const { ada, space_id, client, say } = await adasSpace(h)
    await client.space.create.mutate({ space_id: `${space_id}-2` })
    const stop = new AbortController()
    const stream = (...followed: string[]) => {
      const stream = brisk(h.url, ada).actorStream({ signal: stop.signal })
      for (const id of followed) stream.follow(id, null)
      return listen(stream)
    }
    // The server then has the events in memory for the next stream.
    const first = stream(space_id)
    await eventually(() => first.kinds().has('following'))
    for (let n = 0; n < 20; n++) await say('long '.repeat(1_000))
    await eventually(() => first.texts().length === 20)
    const both = stream(space_id, `${space_id}-2`)
    await eventually(() => both.texts().length === 20)
    const begun = both.messages.flatMap((message) => (message.kind === 'following' ? [message.space_id] : []))
    expect(begun).toEqual([space_id, `${space_id}-2`])
    stop.abort()
    await Promise.all([first.ended, both.ended])
  })

  it('repeats the events after an earlier cursor', async () => {
    const { space_id, client, say } = await adasSpace(h)
    const events = [await say('1'), await say('2'), await say('3')]
    const stop = new AbortController()
    const stream = client.actorStream({ signal: stop.signal })
    stream.follow(space_id, events[1]?.event_id ?? null)
    const heard = listen(stream)
    await eventually(() => heard.texts().length === 1)
    stream.follow(space_id, events[0]?.event_id ?? null)
    await eventually(() => heard.texts().length === 3)
    await say('4')
    await eventually(() => heard.texts().length === 4)
    expect(heard.texts()).toEqual(['3', '2', '3', '4'])
    stop.abort()
  })

  it('restarts at a new cursor, also while earlier events are in transit', async () => {
    const { space_id, client, say } = await adasSpace(h)
    for (const text of ['1', '2', '3']) await say(text)
    const stop = new AbortController()
    const stream = client.actorStream({ signal: stop.signal })
    stream.follow(space_id, null)
    const texts: string[] = []
    for await (const message of stream) {
      if (message.kind !== 'context_event') continue
      if (texts.push(message.event.text) === 1) {
        // The other events have come with this one.
        stream.unfollow(space_id)
        stream.follow(space_id, message.event.event_id)
      }
      if (texts.length === 5) break
    }
    expect(texts).toEqual(['1', '2', '3', '2', '3'])
    stop.abort()
  })

  it('reports an unknown space, and ends with its credential', async () => {
    const { ada, client } = await adasSpace(h)
    const stream = client.actorStream()
    stream.follow('nowhere', null)
    const heard = listen(stream)
    await eventually(() => heard.kinds().has('unfollowed'))
    await client.actor.rotateKey.mutate({ actor_id: ada.actor_id })
    await heard.ended
    expect([stream.endedBy, stream.refusal?.status]).toEqual(['credential', 401])
  })

  it('throws without a valid credential', async () => {
    const heard = listen(brisk(h.url, { api_key: `svc_${'0'.repeat(64)}` }).actorStream())
    await expect(heard.ended).rejects.toMatchObject({ status: 401 })
  })

  it('delivers the same as a subscription of the typed router', async () => {
    const { space_id, client, say } = await adasSpace(h)
    await say('1')
    const heard = await firstOf(client, space_id)
    expect(heard).toMatchObject({ kind: 'context_event', event: { text: '1' } })
  })
})

async function firstOf(client: Client, space_id: string): Promise<ActorMessage | null> {
  let first: ActorMessage | null = null
  const { unsubscribe } = client.actor.stream.subscribe(
    { follow: space_id },
    {
      onData: (message) => {
        if (message.kind === 'context_event') first ??= message
      },
    },
  )
  await eventually(() => first !== null)
  unsubscribe()
  return first
}
