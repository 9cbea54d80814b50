import type { ActorMessage, Client, Event } from '@collab-spaces/client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { SharedStream } from './shared-stream'
import type { TabMessage } from './tab-message'

const SPACE = 'plans'
const following: ActorMessage = { kind: 'following', space_id: SPACE, since: null }
const event = (event_id: string): ActorMessage => ({
  kind: 'context_event',
  event: { space_id: SPACE, event_id } as Event,
})

/** A shared stream whose messages the test sends. */
function begin() {
  let give: (message: ActorMessage) => void = () => {}
  const next = () =>
    new Promise<ActorMessage>((resolve) => {
      give = resolve
    })
  async function* messages() {
    for (;;) yield await next()
  }
  const stream = Object.assign(messages(), { follow: vi.fn(), unfollow: vi.fn() })
  const forwarded: TabMessage[] = []
  let connect = () => {}
  const actorStream = ({ onConnect }: { onConnect: () => void }) => {
    connect = onConnect
    return stream
  }
  const client = { actorStream } as unknown as Client
  const shared = new SharedStream(client, (message) => forwarded.push(message))
  void shared.run()
  const arrive = async (message: ActorMessage) => {
    const given = give
    given(message)
    await vi.waitFor(() => expect(give).not.toBe(given))
  }
  /** The forwarded events, each with its predecessor. */
  const events = () =>
    forwarded.flatMap((one) =>
      one.type === 'forward' && one.message.kind === 'context_event' ? [[one.after, one.message.event.event_id]] : [],
    )
  const misses = () => forwarded.filter((one) => one.type === 'forward' && one.message.kind === 'missed')
  return { shared, arrive, forwarded, events, misses, connect: () => connect() }
}

it('forwards each event with its predecessor', async () => {
  const { shared, arrive, events } = begin()
  await vi.waitFor(() => expect(events()).toEqual([]))
  shared.receive({ type: 'subscribe', id: '1', spaceId: SPACE, since: null })
  for (const message of [following, event('a'), event('b')]) await arrive(message)
  expect(events()).toEqual([
    [null, 'a'],
    ['a', 'b'],
  ])
})

it('forwards no event that arrives between two subscriptions, as it may not be the first', async () => {
  const { shared, arrive, events } = begin()
  shared.receive({ type: 'subscribe', id: '1', spaceId: SPACE, since: null })
  for (const message of [following, event('a')]) await arrive(message)
  // A view that read an empty page before the first event subscribes from the beginning.
  shared.receive({ type: 'unsubscribe', id: '1' })
  shared.receive({ type: 'subscribe', id: '2', spaceId: SPACE, since: null })
  await arrive(event('b'))
  for (const message of [following, event('a'), event('b')]) await arrive(message)
  expect(events()).toEqual([
    [null, 'a'],
    [null, 'a'],
    ['a', 'b'],
  ])
})

it('reports once what connections in quick succession missed', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { connect, misses } = begin()
  connect()
  vi.advanceTimersByTime(500)
  connect()
  vi.advanceTimersByTime(900)
  expect(misses()).toHaveLength(0)
  vi.advanceTimersByTime(5_000)
  expect(misses()).toHaveLength(1)
})

it('reports acts of each followed space when the server has missed signals', async () => {
  const { shared, arrive, forwarded } = begin()
  shared.receive({ type: 'subscribe', id: '1', spaceId: SPACE, since: null })
  for (const message of [following, { kind: 'missed' } as const]) await arrive(message)
  const act = { kind: 'act', space_id: SPACE, decision_id: null }
  expect(forwarded).toContainEqual({ type: 'forward', message: act, after: null })
})
