import { type Event, SpacesError } from '@collab-spaces/client'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Outbox as OutboxClass, PostMessage } from './outbox'

const message = (text: string) => ({ text, parentEventId: null, threadId: null, mentions: [] })
const event = (text: string) => ({ event_id: `event ${text}`, text }) as Event

function memory() {
  const items = new Map<string, string>()
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
  return { items, storage: storage as Storage }
}

/** A server whose answers the test controls. */
function slow() {
  const requests: { text: string; answer: () => void; signal: AbortSignal }[] = []
  const say: PostMessage = ({ text }, signal) =>
    new Promise((resolve, reject) => {
      requests.push({ text, signal, answer: () => resolve(event(text)) })
      signal.addEventListener('abort', () => reject(new Error('Aborted')))
    })
  return { requests, say }
}

describe('an outbox', () => {
  let Outbox: typeof OutboxClass
  beforeAll(async () => {
    // Connectivity depends on browser events.
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('navigator', { onLine: true })
    Outbox = (await import('./outbox')).Outbox
    vi.unstubAllGlobals()
  })

  const textsOf = ({ entries }: OutboxClass) => entries.value.map(({ text }) => text)

  it('keeps a message until its event arrives, and stores it only until the server accepts it', async () => {
    const { items, storage } = memory()
    const outbox = new Outbox(storage, 'outbox', async ({ text }) => event(text))
    outbox.send(message('one'))
    expect(items.get('outbox')).toContain('one')
    await vi.waitFor(() => expect(outbox.entries.value[0]?.state).toBe('sent'))
    expect(items.size).toBe(0)
    outbox.arrived([event('one')])
    expect(textsOf(outbox)).toEqual([])
  })

  it('undoes only the last message', async () => {
    const { requests, say } = slow()
    const outbox = new Outbox(memory().storage, 'outbox', say)
    outbox.send(message('one'))
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    requests[0]?.answer()
    await vi.waitFor(() => expect(outbox.lastSent.value?.eventIds).toEqual(['event one']))
    outbox.send(message('two'))
    expect(outbox.lastSent.value).toBeNull()
  })

  it('undoes a message for a while', async () => {
    vi.useFakeTimers()
    const outbox = new Outbox(memory().storage, 'outbox', async ({ text }) => event(text))
    outbox.send(message('one'))
    await vi.waitFor(() => expect(outbox.lastSent.value).not.toBeNull())
    vi.runAllTimers()
    expect(outbox.lastSent.value).toBeNull()
    vi.useRealTimers()
  })

  it('drops messages sent before a history read, also if the read precedes the answer', async () => {
    const { requests, say } = slow()
    const outbox = new Outbox(memory().storage, 'outbox', say)
    for (const text of ['one', 'two']) outbox.send(message(text))
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    requests[0]?.answer()
    await vi.waitFor(() => expect(requests).toHaveLength(2))
    outbox.wasRead([event('two')])
    expect(textsOf(outbox)).toEqual(['two'])
    requests[1]?.answer()
    await vi.waitFor(() => expect(textsOf(outbox)).toEqual([]))
  })

  it("keeps the server's reason for a refusal", async () => {
    const detail = 'This tenant does not allow a name of a member'
    const refusal = new SpacesError({ status: 403, detail, mayPass: false })
    const outbox = new Outbox(memory().storage, 'outbox', () => Promise.reject(refusal))
    outbox.send(message('one'))
    await vi.waitFor(() => expect(outbox.entries.value).toMatchObject([{ state: 'failed', failure: detail }]))
  })

  it('cancels a discarded message during a retry, and continues with the next', async () => {
    const { requests, say } = slow()
    const outbox = new Outbox(memory().storage, 'outbox', say)
    for (const text of ['one', 'two']) outbox.send(message(text))
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    outbox.discard(outbox.entries.value[0]?.key ?? '')
    expect(requests[0]?.signal.aborted).toBe(true)
    await vi.waitFor(() => expect(requests.map(({ text }) => text)).toEqual(['one', 'two']))
  })

  it('clears all messages, also one in flight', async () => {
    const { items, storage } = memory()
    const { requests, say } = slow()
    const outbox = new Outbox(storage, 'outbox', say)
    for (const text of ['one', 'two']) outbox.send(message(text))
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    outbox.clear()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(requests).toHaveLength(1)
    expect(outbox.entries.value).toEqual([])
    expect(items.size).toBe(0)
  })
})
