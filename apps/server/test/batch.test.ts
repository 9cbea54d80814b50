import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Actor,
  type Client,
  eventually,
  NOTHING,
  query,
  spaceIdOf,
  UNKNOWN_ACTOR,
  useProgram,
} from '@collab-spaces/testing'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'
import { foundTenant, moveInto } from './support/tenant.js'

const h = useServer()

interface Event {
  readonly event_id: string
  readonly text: string
  readonly timestamp: string
}

interface SpeechBody {
  readonly text: string
  readonly [field: string]: unknown
}

const from = (text: string, fields: object = {}): SpeechBody => ({
  text,
  speaker_id: 'slack:U1',
  speaker_name: 'Grace',
  ...fields,
})

/** Returns events of one batch: `name/0`, `name/1`, … */
const run = (name: string, length: number, fields: (n: number) => object = () => ({})): SpeechBody[] =>
  Array.from({ length }, (_, n) => from(`${name}/${n}`, fields(n)))

const textsOf = (events: readonly { readonly text: string }[]) => events.map(({ text }) => text)

const history = (client: Client, path: string): Promise<Event[]> => client.get(`${path}/transcript`).expect(200)

describe('POST /api/spaces/{space_id}/events/batch', () => {
  it('stores events from any source in their order, with all fields, and returns them', async () => {
    const { ada, client, path } = await h.adasSpace()
    const parent = await client.post(`${path}/speech`, { text: 'Start' }).expect(200)
    const anchored = { parent_event_id: parent.event_id, subject: 'Minutes' }
    const { thread_id } = await client.post(`${path}/threads`, anchored).expect(200)
    const full = {
      speaker_type: 'transcript',
      parent_event_id: parent.event_id,
      references: ['https://example.org/a', 'not a uri at all'],
      thread_id,
      metadata: { mentions: [ada.actor_id], nested: { list: [1, null, true, 1.5] } },
    }
    const sent = [from('A cat'), from('and a dragonfly', full), from('ünïcödé 😀 \u2028')]
    const bare = { speaker_type: 'human', parent_event_id: null, references: [], thread_id: null, metadata: null }

    const answer = await client.post(`${path}/events/batch`, { events: sent })
    expect(answer.expect(200)).toEqual(
      sent.map((event) => ({
        ...bare,
        ...event,
        event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        space_id: spaceIdOf(path),
        timestamp: expect.stringMatching(TIMESTAMP),
        posted_by: ada.actor_id,
        posted_by_name: 'Ada',
        posted_by_type: 'human',
      })),
    )
    expect((await client.get(`${path}/events?since=${parent.event_id}`)).text).toBe(answer.text)
    expect(await client.get(`${path}/mentions/${ada.actor_id}`).expect(200)).toEqual([answer.body[1]])
    expect((await client.get(`${path}/threads/${thread_id}`).expect(200)).events).toEqual([answer.body[1]])
    const [found] = await client.get(`/api/search?q=dragonflies&space_id=${spaceIdOf(path)}`).expect(200)
    expect(found.event_id).toBe(answer.body[1].event_id)
    expect(await client.get(`${path}/status`).expect(200)).toMatchObject({
      event_count: 4,
      last_event_at: answer.body[2].timestamp,
    })
  })

  it('accepts 1 to 100 events', async () => {
    const { client, path } = await h.adasSpace()
    const send = (events: unknown) => client.post(`${path}/events/batch`, { events })
    expect(await send(run('one', 1)).expect(200)).toHaveLength(1)
    expect(textsOf(await send(run('many', 100)).expect(200))).toEqual(textsOf(run('many', 100)))
    await send([]).expect(400, 'events: must not be empty')
    await send(run('more', 101)).expect(400, 'events: must have at most 100 entries')
    await send(Array(40_000).fill(0)).expect(400, 'events: must have at most 100 entries')
    expect(await history(client, path)).toHaveLength(101)
  })

  it.each<[string, unknown]>([
    ['events: is required', undefined],
    ['events: is required', null],
    ['events: must be an array of events', {}],
    ['events: must be an array of events', 'x'],
    ['events: must be an array of events', from('x')],
    ['events.0: must be a JSON object', [null]],
    ['events.0: must be a JSON object', ['x']],
    ['events.1: must be a JSON object', [from('x'), [from('y')]]],
    ['events.1.text: is required', [from('x'), { speaker_id: 's', speaker_name: 'S' }]],
    ['events.1.text: must not be empty', [from('x'), from('')]],
    ['events.0.speaker_id: is required', [{ text: 'x', speaker_name: 'S' }]],
    ['events.2.speaker_name: must be a string', [from('x'), from('y'), from('z', { speaker_name: 7 })]],
    ['events.1.thread_id: must be a string', [from('x'), from('y', { thread_id: 7 })]],
    ['events.1.metadata: must be a JSON object', [from('x'), from('y', { metadata: [] })]],
    ['events.1.references.1: must not be empty', [from('x'), from('y', { references: ['a', ''] })]],
    [
      'events.1.idempotency_key: must be 1 to 255 printable ASCII characters',
      [from('x'), from('y', { idempotency_key: 'é' })],
    ],
    ['events.1: must not contain the NUL character', [from('x'), from('y', { metadata: { a: ['\0'] } })]],
  ])('rejects an invalid batch, and the error names the event: %s', async (detail, events) => {
    const { client, path } = await h.adasSpace()
    await client.post(`${path}/events/batch`, { events }).expect(400, detail)
    expect(await history(client, path)).toEqual([])
  })

  it('accepts every event that is accepted alone', async () => {
    const { client, path } = await h.adasSpace()
    let nested: object = {}
    for (let level = 1; level < 32; level++) nested = { a: nested }
    const longest = '😀'.repeat(100_000)
    const events = [
      from('deep', { metadata: nested }),
      from(longest),
      from('null', { metadata: null, thread_id: null }),
    ]
    for (const event of events) await client.post(`${path}/events`, event).expect(200)
    expect(await client.post(`${path}/events/batch`, { events }).expect(200)).toMatchObject(events)
    const deeper = [from('deep'), from('deeper', { metadata: { a: nested } })]
    await client
      .post(`${path}/events/batch`, { events: deeper })
      .expect(400, 'events.1: must not nest deeper than 32 levels')
  })

  it('accepts almost 4 MiB', async () => {
    const { client, path } = await h.adasSpace()
    const events = run('large', 41, (n) => ({ text: `${n} ${'lorem ipsum '.repeat(8_330)}` }))
    expect(textsOf(await client.post(`${path}/events/batch`, { events }).expect(200))).toEqual(textsOf(events))
  })
})

describe('a batch with a rejected event', () => {
  it.each(['thread_id', 'parent_event_id'])(
    'is rejected as a whole for an unknown %s, and the error names the event',
    async (field) => {
      const { client, path } = await h.adasSpace()
      const noun = field === 'thread_id' ? 'Thread' : 'Parent event'
      const elsewhere = await h.openSpace(await h.registerHuman())
      const foreign = await foreignIds()
      for (const id of [NOTHING, UNKNOWN_ACTOR, 'x', '', foreign[field]]) {
        const events = [...run('fine', 3), from('wrong', { [field]: id }), from('wrong too', { [field]: NOTHING })]
        await client.post(`${path}/events/batch`, { events }).expect(404, `events.3: ${noun} not found`)
      }
      expect(await history(client, path)).toEqual([])
      expect(await client.get(`${path}/status`).expect(200)).toMatchObject({ event_count: 0, last_event_at: null })
      expect((await client.get(`${elsewhere}/status`).expect(200)).event_count).toBe(0)
    },
  )

  /** Returns a thread and an event of another tenant, in a space of its own. */
  async function foreignIds(): Promise<Record<string, string>> {
    const eve = await h.registerHuman('Eve')
    await moveInto(h.connection, await foundTenant(h.connection), eve)
    const path = await h.openSpace(eve)
    const { event_id } = await h.as(eve).post(`${path}/speech`, { text: 'secret' }).expect(200)
    const start = { parent_event_id: event_id, subject: 'S' }
    const { thread_id } = await h.as(eve).post(`${path}/threads`, start).expect(200)
    return { thread_id, parent_event_id: event_id }
  }

  it('stores no mention, no word for the search and no idempotency key', async () => {
    const { client, path } = await h.adasSpace()
    const events = [from('quokka', { idempotency_key: 'k', metadata: { mentions: ['bob'] } })]
    const refused = [...events, from('x', { thread_id: NOTHING })]
    await client.post(`${path}/events/batch`, { events: refused }).expect(404, 'events.1: Thread not found')
    expect(await client.get(`${path}/mentions/bob`).expect(200)).toEqual([])
    expect(await client.get(`/api/search?q=quokka&space_id=${spaceIdOf(path)}`).expect(200)).toEqual([])
    const changed = [from('other', { idempotency_key: 'k' })]
    expect(textsOf(await client.post(`${path}/events/batch`, { events: changed }).expect(200))).toEqual(['other'])
  })

  it.each(['paused', 'archived'])('returns 409 in a space that is %s, but 404 for an unknown ID', async (status) => {
    const { client, path } = await h.adasSpace()
    await client.patch(path, { status }).expect(200)
    await client.post(`${path}/events/batch`, { events: run('x', 3) }).expect(409, 'Space is not active')
    const lost = [from('x'), from('y', { parent_event_id: NOTHING })]
    await client.post(`${path}/events/batch`, { events: lost }).expect(404, 'events.1: Parent event not found')
    expect(await history(client, path)).toEqual([])
  })
})

describe('idempotency keys in a batch', () => {
  const keyed = (name: string, length: number) => run(name, length, (n) => ({ idempotency_key: `${name}/${n}` }))

  it('make a retry safe: it adds nothing, and returns the stored events', async () => {
    const { client, path } = await h.adasSpace()
    const events = keyed('a', 5)
    const first = await client.post(`${path}/events/batch`, { events }).expect(200)
    const later = await client.post(`${path}/speech`, { text: 'later' }).expect(200)
    expect(await client.post(`${path}/events/batch`, { events }).expect(200)).toEqual(first)
    expect(await history(client, path)).toEqual([...first, later])
    await client.post(`${path}/archive`).expect(200)
    expect(await client.post(`${path}/events/batch`, { events }).expect(200)).toEqual(first)
  })

  it('add only the missing events of a batch that is stored in part', async () => {
    const { client, path } = await h.adasSpace()
    const events = keyed('a', 6)
    const [b, d] = await client.post(`${path}/events/batch`, { events: [events[1], events[3]] }).expect(200)
    const all = await client.post(`${path}/events/batch`, { events }).expect(200)
    expect(textsOf(all)).toEqual(textsOf(events))
    expect([all[1], all[3]]).toEqual([b, d])
    expect(await history(client, path)).toEqual([b, d, all[0], all[2], all[4], all[5]])
    await client.patch(path, { status: 'paused' }).expect(200)
    const more = [...events, ...keyed('b', 1)]
    await client.post(`${path}/events/batch`, { events: more }).expect(409, 'Space is not active')
  })

  it('work like the header of a single event', async () => {
    const { client, path } = await h.adasSpace()
    const fields = { speaker_type: 'system', metadata: { z: 1, a: [2] }, references: ['r'] }
    const events = run('a', 2, (n) => ({ ...fields, idempotency_key: `k${n}` }))
    const alone = async (n: number) => {
      const { idempotency_key, ...body } = events[n] as SpeechBody
      const headers = { 'Idempotency-Key': String(idempotency_key) }
      return await client.post(`${path}/events`, body, { headers }).expect(200)
    }
    const first = await alone(0)
    const both = await client.post(`${path}/events/batch`, { events }).expect(200)
    expect(both[0]).toEqual(first)
    expect(await alone(1)).toEqual(both[1])
    expect(await history(client, path)).toEqual(both)
  })

  it('reject a different event, which the error names, and nothing is written', async () => {
    const { client, path } = await h.adasSpace()
    const stored = await client.post(`${path}/events/batch`, { events: keyed('a', 1) }).expect(200)
    const events = [from('new'), from('changed', { idempotency_key: 'a/0' })]
    await client
      .post(`${path}/events/batch`, { events })
      .expect(409, 'events.1: Idempotency-Key was already used with a different request')
    expect(await history(client, path)).toEqual(stored)
  })

  it('are unique within the batch', async () => {
    const { client, path } = await h.adasSpace()
    const events = [from('a', { idempotency_key: 'k' }), from('b'), from('a', { idempotency_key: 'k' })]
    await client
      .post(`${path}/events/batch`, { events })
      .expect(400, 'events.2.idempotency_key: is already used by events.0: use a different key for each event')
    expect(await history(client, path)).toEqual([])
    const absent = [null, undefined].map((idempotency_key) => from('none', { idempotency_key }))
    for (let i = 0; i < 2; i++) await client.post(`${path}/events/batch`, { events: absent }).expect(200)
    expect(await history(client, path)).toHaveLength(4)
  })
})

describe('concurrent batches through two instances', () => {
  const here = useServer()
  const there = useServer({}, here)
  let ada: Actor
  const via = (turn: number) => (turn % 2 === 0 ? here : there).as(ada)

  beforeAll(async () => {
    ada = await here.registerHuman()
  })

  /** Expects each batch whole, in order and without other events between, or not at all. */
  function expectWhole(texts: readonly string[], names: readonly string[], length: number): void {
    for (const name of names) {
      const begin = texts.indexOf(`${name}/0`)
      expect(texts.slice(begin, begin + length)).toEqual(textsOf(run(name, length)))
    }
  }

  it('stay whole among each other and among single writes, in streams too', async () => {
    const space = await via(0).openSpace(ada)
    const readers = await Promise.all([0, 1].map((turn) => StreamReader.open(via(turn), space)))
    const names: string[] = []
    let stop = false
    const singles = [0, 1, 2, 3].map(async (turn) => {
      for (let n = 0; !stop; n++)
        await via(turn + n)
          .post(`${space}/speech`, { text: `single ${turn} ${n}` })
          .expect(200)
    })
    const batches = [0, 1, 2, 3].map(async (turn) => {
      for (let n = 0; n < 15; n++) {
        const name = `batch ${turn} ${n}`
        names.push(name)
        const answer = await via(turn + n).post(`${space}/events/batch`, { events: run(name, 20) })
        expect(textsOf(answer.expect(200))).toEqual(textsOf(run(name, 20)))
      }
    })
    await Promise.all(batches)
    stop = true
    await Promise.all(singles)

    const stored = await history(via(1), space)
    const texts = textsOf(stored)
    expect(names).toHaveLength(60)
    expectWhole(texts, names, 20)
    expect(new Set(texts).size).toBe(texts.length)
    // Single writes came in between, so the batches had to be kept whole.
    expect(texts.findIndex((text) => text.startsWith('single'))).toBeLessThan(texts.indexOf(`${names.at(-1)}/0`))
    const stamps = stored.map(({ timestamp }) => timestamp)
    expect(stamps).toEqual([...stamps].sort())
    for (const reader of readers) {
      await reader.read(stored.length)
      expect(reader.ids).toEqual(stored.map(({ event_id }) => event_id))
      await reader.close()
    }
    // A cursor may be within a batch.
    const middle = stored.findIndex(({ text }) => text === `${names[30]}/9`)
    const late = await StreamReader.open(via(0), space, { query: `?since=${stored[middle]?.event_id}` })
    await late.read(stored.length - middle - 1)
    expect(late.ids).toEqual(stored.slice(middle + 1).map(({ event_id }) => event_id))
    await late.close()
  })

  it('are written before a pause or not at all', async () => {
    const space = await via(0).openSpace(ada)
    const status = () => via(1).get(`${space}/status`).expect(200)
    const taken: string[] = []
    let refusals = 0
    let stop = false
    const writers = [0, 1, 2, 3].map(async (turn) => {
      for (let n = 0; !stop; n++) {
        const name = `${turn} ${n}`
        const answer = await via(turn + n).post(`${space}/events/batch`, { events: run(name, 7) })
        if (answer.status === 200) taken.push(name)
        else refusals += answer.expect(409, 'Space is not active') && 1
      }
    })
    for (let round = 0; round < 6; round++) {
      const before = taken.length
      await eventually(() => taken.length > before + 4)
      const paused = await via(round).patch(space, { status: 'paused' }).expect(200)
      expect(paused.event_count % 7).toBe(0)
      const tried = refusals
      await eventually(() => refusals > tried + 8)
      expect((await status()).event_count).toBe(paused.event_count)
      await via(round + 1)
        .patch(space, { status: 'active' })
        .expect(200)
    }
    stop = true
    await Promise.all(writers)
    const texts = textsOf(await history(via(0), space))
    expect(texts).toHaveLength(taken.length * 7)
    expectWhole(texts, taken, 7)
  })

  it('are written once when they are equal', async () => {
    const space = await via(0).openSpace(ada)
    for (let round = 0; round < 10; round++) {
      const events = run(`${round}`, 10, (n) => ({ idempotency_key: `${round}/${n}` }))
      const answers = await Promise.all([0, 1, 2, 3].map((turn) => via(turn).post(`${space}/events/batch`, { events })))
      for (const answer of answers) expect(answer.expect(200)).toEqual(answers[0]?.body)
    }
    const texts = Array.from({ length: 10 }, (_, round) => textsOf(run(`${round}`, 10))).flat()
    expect(textsOf(await history(via(0), space))).toEqual(texts)
  })

  it('store each event once when they overlap', async () => {
    const space = await via(0).openSpace(ada)
    for (let round = 0; round < 10; round++) {
      const events = run(`${round}`, 9, (n) => ({ idempotency_key: `${round}/${n}` }))
      // Each commit conflicts once more with all others.
      const pairs = events.slice(1).map((_, n) => events.slice(n, n + 2))
      const parts = [[...events].reverse(), ...pairs, events, events.slice(4, 5)]
      const answers = await Promise.all(
        parts.map((part, turn) => via(turn).post(`${space}/events/batch`, { events: part })),
      )
      for (const [index, answer] of answers.entries()) {
        expect(textsOf(answer.expect(200))).toEqual(textsOf(parts[index] as SpeechBody[]))
      }
    }
    const texts = textsOf(await history(via(0), space))
    expect(texts).toHaveLength(90)
    expect(new Set(texts).size).toBe(90)
  })

  it('leave connections for other requests while they wait for a locked space', async () => {
    const [busy, quiet] = [await via(0).openSpace(ada), await via(0).openSpace(ada)]
    const holder = new pg.Client({ ...here.connection })
    await holder.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('SELECT FROM spaces WHERE space_id = $1 FOR UPDATE', [spaceIdOf(busy)])
      const names = Array.from({ length: 20 }, (_, n) => `waiting ${n}`)
      const batches = names.map((name) => via(0).post(`${busy}/events/batch`, { events: run(name, 3) }))
      await eventually(async () => {
        const locks = 'SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted'
        const { rows } = await query(here.connection, locks)
        return rows[0].waiting === 2
      })
      for (let n = 0; n < 10; n++) {
        await via(0)
          .post(`${quiet}/speech`, { text: String(n) })
          .expect(200)
        await via(0).get(`${busy}/events`).expect(200)
      }
      await holder.query('ROLLBACK')
      // A batch that waits for more than two seconds gets 503 and is not stored.
      const taken = (await Promise.all(batches)).flatMap((answer, n) => {
        if (answer.status === 200) return [names[n] as string]
        answer.expect(503)
        return []
      })
      const texts = textsOf(await history(via(0), busy))
      expect(taken).not.toEqual([])
      expect(texts).toHaveLength(3 * taken.length)
      expectWhole(texts, taken, 3)
    } finally {
      await holder.end()
    }
  })
})

describe('batches to a server that is killed repeatedly', () => {
  const served = useProgram()

  it('are stored whole or not at all, and are safe to retry', async () => {
    const ada = await served.registerHuman()
    const client = served.as(ada)
    const space = await served.openSpace(ada)
    const sent: string[] = []
    const acknowledged: string[] = []
    const batchOf = (name: string) => run(name, 25, (n) => ({ idempotency_key: `${name}/${n}` }))
    let stop = false
    const writers = [0, 1, 2].map(async () => {
      while (!stop) {
        const name = randomUUID()
        sent.push(name)
        const answer = await client.post(`${space}/events/batch`, { events: batchOf(name) }).catch(() => null)
        if (answer?.status === 200) acknowledged.push(name)
        else await delay(5)
      }
    })
    for (let round = 0; round < 3; round++) {
      const before = acknowledged.length
      await eventually(() => acknowledged.length > before + 10)
      await served.kill()
      await served.start()
    }
    stop = true
    await Promise.all(writers)

    const texts = textsOf(await history(client, space))
    const begun = texts.filter((text) => text.endsWith('/0')).map((text) => text.slice(0, -2))
    expect(texts).toEqual(begun.flatMap((name) => textsOf(batchOf(name))))
    expect(new Set(begun).size).toBe(begun.length)
    expect(acknowledged.filter((name) => !begun.includes(name))).toEqual([])

    const unsure = sent.filter((name) => !acknowledged.includes(name)).slice(0, 20)
    for (const name of unsure) await client.post(`${space}/events/batch`, { events: batchOf(name) }).expect(200)
    const all = textsOf(await history(client, space))
    expect(new Set(all).size).toBe(all.length)
    for (const name of unsure) expect(all).toContain(`${name}/24`)
  })
})
