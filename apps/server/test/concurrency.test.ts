import { setTimeout as delay } from 'node:timers/promises'
import { type Actor, eventually, type StoredEvent, storedEvents } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const here = useServer()
const there = useServer({}, here)
let ada: Actor

beforeAll(async () => {
  ada = await here.registerHuman()
})

const via = (turn: number) => (turn % 2 === 0 ? here : there).as(ada)

/** Writes events to the spaces in turn, through both instances in turn, until it is stopped. */
class Writer {
  readonly acknowledged = new Map<string, string[]>()

  constructor(
    readonly name: string,
    readonly spaces: readonly string[],
  ) {}

  async run(stopped: () => boolean): Promise<void> {
    for (let n = 0; !stopped(); n++) {
      const space = this.spaces[n % this.spaces.length] as string
      const text = `${this.name}/${n}`
      const answer = await via(n).post(`${space}/speech`, { text })
      expect(answer.expect(200).text).toBe(text)
      this.acknowledged.set(space, [...(this.acknowledged.get(space) ?? []), text])
    }
  }
}

/** The text of the event after all writers are done, which ends the followers. */
const LAST = 'last'

interface SeenEvent {
  readonly event_id: string
  readonly text: string
}

/** Reads a space by stream or by pages, and keeps the events in order of arrival. */
interface Follower {
  readonly seen: SeenEvent[]
  /** The cursor it starts after. */
  readonly after: string | undefined
  /** Resolves at the last event. */
  follow(): Promise<void>
}

const isAtTheEnd = (seen: readonly SeenEvent[]) => seen.at(-1)?.text === LAST

/** Returns a stream that is dropped after some events and resumed at the other instance by its cursor. */
function streamFollower(space: string, turn: number, dropAfter: number, after?: string): Follower {
  const seen: SeenEvent[] = []
  return {
    seen,
    after,
    async follow() {
      for (let round = turn; !isAtTheEnd(seen); round++) {
        const cursor = seen.at(-1)?.event_id ?? after
        const headers = cursor === undefined ? {} : { 'Last-Event-ID': cursor }
        const reader = await StreamReader.open(via(round), space, { headers })
        await reader.until(({ events }) => events.length >= dropAfter || isAtTheEnd(events))
        await reader.close()
        seen.push(...reader.events)
      }
    },
  }
}

/** Returns a reader of pages by cursor, through both instances in turn. */
function pageFollower(space: string, limit: number, after?: string): Follower {
  const seen: SeenEvent[] = []
  return {
    seen,
    after,
    async follow() {
      for (let turn = 0; !isAtTheEnd(seen); turn++) {
        const cursor = seen.at(-1)?.event_id ?? after
        const since = cursor === undefined ? '' : `&since=${cursor}`
        const page: SeenEvent[] = await via(turn).get(`${space}/events?limit=${limit}${since}`).expect(200)
        seen.push(...page)
        if (page.length === 0) await delay(5)
      }
    },
  }
}

describe('concurrent writers and readers through two instances', () => {
  it('lose, repeat or reorder no event', async () => {
    const hot = await via(0).openSpace(ada)
    const others = await Promise.all([0, 1, 2].map((turn) => via(turn).openSpace(ada)))
    const first = await via(0).post(`${hot}/speech`, { text: 'first' }).expect(200)
    const writers = [
      ...[1, 2, 3, 4, 5, 6].map((n) => new Writer(`hot${n}`, [hot])),
      ...[1, 2, 3].map((n) => new Writer(`all${n}`, [hot, ...others])),
    ]
    const followers = [
      ...[3, 17, 50].map((dropAfter, turn) => streamFollower(hot, turn, dropAfter)),
      ...[29, 1_000_000].map((dropAfter, turn) => streamFollower(hot, turn, dropAfter, first.event_id)),
      pageFollower(hot, 7),
      pageFollower(hot, 200, first.event_id),
    ]
    let stop = false
    const following = followers.map((follower) => follower.follow())
    const writing = writers.map((writer) => writer.run(() => stop))
    const written = async () => (await via(0).get(`${hot}/status`).expect(200)).event_count > 300
    await Promise.race([eventually(written), Promise.all([...following, ...writing])])
    stop = true
    await Promise.all(writing)
    await via(1).post(`${hot}/speech`, { text: LAST }).expect(200)
    await Promise.all(following)

    const logs = new Map<string, StoredEvent[]>()
    for (const space of [hot, ...others]) logs.set(space, await storedEvents(here.connection, space))
    for (const { name, acknowledged } of writers) {
      for (const [space, texts] of acknowledged) {
        const stored = logs.get(space) as StoredEvent[]
        // Every write got 200, so the stored events of a writer are the acknowledged ones, in their order.
        expect(stored.map(({ text }) => text).filter((text) => text.startsWith(`${name}/`))).toEqual(texts)
      }
    }
    const order = (logs.get(hot) as StoredEvent[]).map(({ event_id }) => event_id)
    expect(order.length).toBeGreaterThan(300)
    for (const { seen, after } of followers) {
      expect(seen.map(({ event_id }) => event_id)).toEqual(after === undefined ? order : order.slice(1))
    }
    expect((await via(0).get(`${hot}/transcript`).expect(200)).map(({ event_id }: StoredEvent) => event_id)).toEqual(
      order,
    )
  })
})

describe('a pause or an archive', () => {
  it('is followed by no event once it has been answered', async () => {
    const space = await via(0).openSpace(ada)
    const headNow = async () => (await via(1).get(`${space}/status`).expect(200)).event_count
    const refusals: number[] = []
    let stop = false
    const writers = [0, 1, 2, 3, 4, 5].map(async (turn) => {
      while (!stop) {
        const answer = await via(turn).post(`${space}/speech`, { text: 'x' })
        if (answer.status !== 200) refusals.push(answer.expect(409, 'Space is not active') && 409)
      }
    })
    let before = 0
    for (let round = 0; round < 12; round++) {
      while ((await headNow()) <= before) await delay(1)
      const archive = round === 11
      const answer = archive
        ? await via(round).post(`${space}/archive`)
        : await via(round).patch(space, { status: 'paused' })
      const head = await headNow()
      expect(answer.expect(200).event_count).toBe(head)
      // Every writer has retried at least once.
      const tried = refusals.length
      while (refusals.length < tried + 12) await delay(1)
      expect(await headNow()).toBe(head)
      before = head
      if (!archive)
        await via(round + 1)
          .patch(space, { status: 'active' })
          .expect(200)
    }
    stop = true
    await Promise.all(writers)
    expect(await storedEvents(here.connection, space)).toHaveLength(before)
  })
})

describe('concurrent writes with one Idempotency-Key through two instances', () => {
  it('store one event, and all return it', async () => {
    const space = await via(0).openSpace(ada)
    for (let round = 0; round < 20; round++) {
      const headers = { 'Idempotency-Key': `key ${round}` }
      const answers = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((turn) => via(turn).post(`${space}/speech`, { text: `${round}` }, { headers })),
      )
      for (const answer of answers) expect(answer.expect(200)).toEqual(answers[0]?.body)
    }
    expect((await storedEvents(here.connection, space)).map(({ text }) => text)).toEqual(
      Array.from({ length: 20 }, (_, n) => String(n)),
    )
  })

  it('store one event and reject the rest when their bodies differ', async () => {
    const space = await via(0).openSpace(ada)
    for (let round = 0; round < 10; round++) {
      const headers = { 'Idempotency-Key': `key ${round}` }
      const answers = await Promise.all(
        [0, 1, 2, 3].map((turn) => via(turn).post(`${space}/speech`, { text: `${round}/${turn}` }, { headers })),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const answer of answers) {
        if (answer.status !== 200) answer.expect(409, 'Idempotency-Key was already used with a different request')
      }
    }
    expect(await storedEvents(here.connection, space)).toHaveLength(10)
  })
})
