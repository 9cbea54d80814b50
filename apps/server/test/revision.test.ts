import { foldRevisions, shownOf } from '@collab-spaces/domain'
import { checkDatabase } from '@collab-spaces/operator'
import { type Actor, type Client, NOTHING, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const h = useServer()
/** Another server over the same database. */
const other = useServer({}, h)
const operate = operatorOf(h)

const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'

let ada: Actor
let grace: Actor
let path: string
let client: Client

beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  grace = await h.registerHuman('Grace')
  path = await h.openSpace(ada)
  client = h.as(ada)
  for (const actor of [ada, grace]) await h.as(actor).post(`${path}/join`).expect(200)
})

const say = (text: string, more: object = {}) => client.post(`${path}/speech`, { text, ...more }).expect(200)
const get = (eventId: string) => client.get(`${path}/events/${eventId}`).expect(200)

describe.each([
  ['speech', {}],
  ['response', {}],
  ['events', { speaker_id: 'bridge', speaker_name: 'Bridge' }],
])('POST …/%s', (operation, speaker) => {
  const write = (more: object, actor = ada) => h.as(actor).post(`${path}/${operation}`, { ...speaker, ...more })

  it('corrects an own event, whose stored text stays', async () => {
    const first = await write({ text: 'Teh plan' }).expect(200)
    const correction = await write({ text: 'The plan', corrects: first.event_id }).expect(200)
    expect(correction).toMatchObject({ corrects: first.event_id, text: 'The plan' })
    expect(await get(first.event_id)).toEqual({
      ...first,
      corrected_by: correction.event_id,
      corrected_at: correction.timestamp,
      current_text: 'The plan',
    })
    expect(await get(correction.event_id)).toEqual(correction)
  })

  it('resolves a correction of a correction to the first event', async () => {
    const first = await write({ text: 'One' }).expect(200)
    const second = await write({ text: 'Two', corrects: first.event_id }).expect(200)
    const third = await write({ text: 'Three', corrects: second.event_id }).expect(200)
    expect(third.corrects).toBe(first.event_id)
    expect(await get(first.event_id)).toMatchObject({ corrected_by: third.event_id, current_text: 'Three' })
    expect(await client.get(`${path}/events/${first.event_id}/revisions`).expect(200)).toEqual([second, third])
  })

  it('retracts an own event, which refuses later revisions', async () => {
    const first = await write({ text: 'To all' }).expect(200)
    const correction = await write({ text: 'To everyone', corrects: first.event_id }).expect(200)
    const retraction = await write({ text: 'Wrong space', retracts: correction.event_id }).expect(200)
    expect(retraction).toMatchObject({ retracts: first.event_id, text: 'Wrong space' })
    expect(await get(first.event_id)).toEqual({ ...first, retracted_by: retraction.event_id })
    const refusal = 'The event is retracted: send a new event'
    await write({ text: 'Again', corrects: first.event_id }).expect(409, refusal)
    await write({ text: 'Again', retracts: first.event_id }).expect(409, refusal)
    await write({ text: 'Again', corrects: retraction.event_id }).expect(409, /^A retraction cannot be corrected/)
  })

  it('refuses unknown events, events of another poster, and corrects combined with retracts', async () => {
    const { event_id } = await write({ text: 'Mine' }).expect(200)
    await write({ text: 'x', corrects: NOTHING }).expect(404, 'Corrected event not found')
    await write({ text: 'x', retracts: 'nonsense' }).expect(404, 'Retracted event not found')
    const elsewhere = await h
      .as(ada)
      .post(`${await h.openSpace(ada)}/speech`, { text: 'There' })
      .expect(200)
    await write({ text: 'x', corrects: elsewhere.event_id }).expect(404, 'Corrected event not found')
    await write({ text: 'x', corrects: event_id }, grace).expect(403, /^Only the poster of an event may/)
    await write({ text: 'x', corrects: event_id, retracts: event_id }).expect(400, /^corrects: cannot be combined/)
    await write({ text: 'x', corrects: 7 }).expect(400, 'corrects: must be a string')
  })

  it('repeats its answer for the same Idempotency-Key, also after a retraction', async () => {
    const key = { headers: { 'Idempotency-Key': `revision-${operation}` } }
    const { event_id } = await write({ text: 'Once' }).expect(200)
    const body = { ...speaker, text: 'Twice', corrects: event_id }
    const correction = await client.post(`${path}/${operation}`, body, key).expect(200)
    await write({ text: 'No', retracts: event_id }).expect(200)
    expect(await client.post(`${path}/${operation}`, body, key).expect(200)).toEqual(correction)
    await client.post(`${path}/${operation}`, { ...body, text: 'Thrice' }, key).expect(409, /^Idempotency-Key/)
  })
})

describe('a revision', () => {
  it('keeps the thread and the parent of its event', async () => {
    const anchor = await say('Anchor')
    const { thread_id } = await client
      .post(`${path}/threads`, { parent_event_id: anchor.event_id, subject: 'Plan' })
      .expect(200)
    const first = await say('In the thread', { thread_id, parent_event_id: anchor.event_id })
    const correction = await say('In this thread', { corrects: first.event_id })
    expect(correction).toMatchObject({ thread_id, parent_event_id: anchor.event_id })
    const { events } = await client.get(`${path}/threads/${thread_id}`).expect(200)
    expect(events).toEqual([
      {
        ...first,
        corrected_by: correction.event_id,
        corrected_at: correction.timestamp,
        current_text: 'In this thread',
      },
      correction,
    ])
  })

  it('is refused while the space is not active', async () => {
    const there = await h.openSpace(ada)
    const { event_id } = await client.post(`${there}/speech`, { text: 'Here' }).expect(200)
    await client.patch(there, { status: 'paused' }).expect(200)
    await client.post(`${there}/speech`, { text: 'x', corrects: event_id }).expect(409, 'Space is not active')
  })

  it('returns 404 in a private space that the caller cannot see', async () => {
    const hidden = `private-${Date.now()}`
    await client.post('/api/spaces', { space_id: hidden, visibility: 'private' }).expect(200)
    const there = `/api/spaces/${hidden}`
    await client.post(`${there}/join`).expect(200)
    const { event_id } = await client.post(`${there}/speech`, { text: 'Secret' }).expect(200)
    const stranger = h.as(grace)
    await stranger.post(`${there}/speech`, { text: 'x', corrects: event_id }).expect(404, 'Space not found')
    await stranger.get(`${there}/events/${event_id}/revisions`).expect(404, 'Space not found')
  })

  it('is refused for a redacted event, and redacted together with its event', async () => {
    const first = await say('The word is Xylophone')
    const correction = await say('The word is Xylophones', { corrects: first.event_id })
    const place = [DEFAULT_SCOPE, spaceIdOf(path), first.event_id]
    await operate('event', 'redact', ...place, '--by', 'Ada', '--reason', 'Article 17', '--yes')
    expect(await get(first.event_id)).toMatchObject({ text: '[redacted]', current_text: '[redacted]' })
    expect(await get(correction.event_id)).toMatchObject({ text: '[redacted]', corrects: first.event_id })
    await client
      .post(`${path}/speech`, { text: 'x', corrects: first.event_id })
      .expect(409, 'The event is redacted: send a new event')
  })

  it('may be part of a batch, which revises each event at most once', async () => {
    const first = await say('One')
    const event = { speaker_id: 'x', speaker_name: 'X', text: 'Two', corrects: first.event_id }
    const batch = (events: object[]) => client.post(`${path}/events/batch`, { events })
    await batch([event, event]).expect(400, 'events.1: revises the same event as events.0')
    await batch([{ ...event, corrects: NOTHING }]).expect(404, 'events.0: Corrected event not found')
    const [correction] = await batch([event]).expect(200)
    expect(await get(first.event_id)).toMatchObject({ corrected_by: correction.event_id })
  })
})

describe('a revised event', () => {
  let first: { event_id: string; text: string }
  let correction: { event_id: string; timestamp: string }
  let space: string
  let reader: Client

  beforeAll(async () => {
    space = await h.openSpace(ada)
    reader = h.as(grace)
    for (const actor of [ada, grace]) await h.as(actor).post(`${space}/join`).expect(200)
    first = await client
      .post(`${space}/speech`, { text: 'Shall we meet at the aquarium?', metadata: { mentions: [grace.actor_id] } })
      .expect(200)
    correction = await client
      .post(`${space}/speech`, { text: 'Shall we meet at the planetarium?', corrects: first.event_id })
      .expect(200)
  })

  const shown = () => ({
    ...first,
    corrected_by: correction.event_id,
    corrected_at: correction.timestamp,
    current_text: 'Shall we meet at the planetarium?',
  })

  it('has the newest text beside the stored one in every list', async () => {
    for (const list of ['events', 'events?tail=true', 'transcript', `mentions/${grace.actor_id}`]) {
      expect((await reader.get(`${space}/${list}`).expect(200))[0], list).toEqual(shown())
    }
    const { participants } = await reader.get(`${space}/activity`).expect(200)
    expect(participants[0].events[0]).toEqual(shown())
  })

  it('has the newest text in the inbox, and no second item', async () => {
    const { items } = await reader.get(`/api/actors/me/inbox?space_id=${spaceIdOf(space)}`).expect(200)
    expect(items.map(({ event }: { event: unknown }) => event)).toEqual([shown()])
  })

  it('is found by its newest text only', async () => {
    const search = (q: string) => client.get(`/api/search?q=${q}&space_id=${spaceIdOf(space)}`).expect(200)
    expect(await search('aquarium')).toEqual([])
    expect(await search('planetarium')).toMatchObject([{ event_id: correction.event_id, corrects: first.event_id }])
  })

  it('appears with its newest text in a context and a summary', async () => {
    const { text } = await reader.get(`${space}/context`).expect(200)
    expect(text).toContain('planetarium')
    expect(text).not.toContain('aquarium')
    const { summary_text } = await reader.get(`${space}/summary?end=2099-01-01`).expect(200)
    expect(summary_text).toContain('planetarium')
    expect(summary_text).not.toContain('aquarium')
  })

  it('is streamed as it is stored', async () => {
    const stream = await StreamReader.open(reader, space)
    await stream.read(2)
    expect(stream.events).toEqual([first, correction])
    await stream.close()
  })

  it('disappears from search, context and summaries once it is retracted', async () => {
    const { event_id } = await client
      .post(`${space}/speech`, { text: 'Wrong space', retracts: first.event_id })
      .expect(200)
    expect((await reader.get(`${space}/events`).expect(200))[0]).toEqual({ ...first, retracted_by: event_id })
    for (const q of ['aquarium', 'planetarium', 'wrong']) {
      expect(await client.get(`/api/search?q=${q}&space_id=${spaceIdOf(space)}`).expect(200), q).toEqual([])
    }
    const { summary_text } = await reader.get(`${space}/summary?end=2099-01-01`).expect(200)
    expect(summary_text).not.toContain('planetarium')
    const { text } = await reader.get(`${space}/context`).expect(200)
    expect(text).not.toContain('planetarium')
  })
})

describe('a correction', () => {
  it('addresses only mentioned actors that no earlier text addressed', async () => {
    const zoe = await h.registerHuman('Zoe')
    const there = await h.openSpace(ada)
    for (const actor of [ada, grace, zoe]) await h.as(actor).post(`${there}/join`).expect(200)
    const mentions = (...actors: Actor[]) => ({ metadata: { mentions: actors.map(({ actor_id }) => actor_id) } })
    const { event_id } = await client.post(`${there}/speech`, { text: 'Hi', ...mentions(grace) }).expect(200)
    const correct = (text: string, more: object) =>
      client.post(`${there}/speech`, { text, corrects: event_id, ...more }).expect(200)
    const corrections = [await correct('Hi both', mentions(grace, zoe)), await correct('Hi all', mentions(grace, zoe))]
    const itemsOf = async (actor: Actor) =>
      (
        await h
          .as(actor)
          .get(`/api/actors/me/inbox?space_id=${spaceIdOf(there)}`)
          .expect(200)
      ).items.map(({ event }: { event: { event_id: string } }) => event.event_id)
    expect(await itemsOf(grace)).toEqual([event_id])
    expect(await itemsOf(zoe)).toEqual([corrections[0].event_id])
  })

  it('that is shown without its event has the newest text, too', async () => {
    const scout = await h.registerAgent(ada)
    const there = await h.openSpace(ada)
    await h.as(scout).post(`${there}/join`).expect(200)
    const mention = { metadata: { mentions: [scout.actor_id] } }
    const post = async (text: string, more: object = {}) =>
      client.post(`${there}/speech`, { text, ...more }).expect(200)
    const { event_id } = await post('Deploy')
    const first = await post('Deploy v1', { corrects: event_id, ...mention })
    const second = await post('Deploy v2, not v1', { corrects: event_id, ...mention })
    const shown = {
      ...first,
      corrected_by: second.event_id,
      corrected_at: second.timestamp,
      current_text: 'Deploy v2, not v1',
    }
    const inbox = async () => (await h.as(scout).get('/api/actors/me/inbox?peek=true').expect(200)).items[0].event
    const mentions = () => client.get(`${there}/mentions/${scout.actor_id}`).expect(200)
    const window = `${there}/summary?start=${first.timestamp}&end=2099-01-01`
    const summary = async () => (await client.get(window).expect(200)).summary_text
    const focus = async () => {
      const { text } = await client.get(`${there}/context?focus=${first.event_id}`).expect(200)
      return /## Event in focus[\s\S]*?(?=\n## )/.exec(text)?.[0]
    }
    expect(await inbox()).toEqual(shown)
    expect(await mentions()).toEqual([shown, second])
    expect(await focus()).toContain('Deploy v2, not v1')
    expect((await summary()).split('Deploy v2, not v1')).toHaveLength(2)
    expect(await summary()).not.toContain('Deploy v1')

    const { event_id: retracted_by } = await post('Wrong space', { retracts: event_id })
    expect(await inbox()).toEqual({ ...first, retracted_by })
    expect(await mentions()).toEqual([
      { ...first, retracted_by },
      { ...second, retracted_by },
    ])
    expect(await focus()).not.toContain('Deploy')
    expect(await summary()).not.toContain('Deploy')
  })

  it.each(['corrects', 'retracts'])('with "%s" does not answer events after the revised one', async (revises) => {
    const bob = await h.registerHuman('Bob')
    const talk = await h.openConversation(ada, bob)
    const event = await h.as(ada).post(`${talk}/speech`, { text: 'frist' }).expect(200)
    const question = await h.as(bob).post(`${talk}/speech`, { text: 'Why?' }).expect(200)
    await h
      .as(ada)
      .post(`${talk}/speech`, { text: 'first', [revises]: event.event_id })
      .expect(200)
    const { items, done } = await h.as(ada).get('/api/actors/me/inbox').expect(200)
    expect(items.map(({ event }: { event: { event_id: string } }) => event.event_id)).toEqual([question.event_id])
    await h.as(ada).post('/api/actors/me/inbox/done', done).expect(200)
    const [receipt] = await h.as(bob).get(`${talk}/events/${question.event_id}/receipts`).expect(200)
    expect(receipt.state).not.toBe('answered')
  })

  it('adds no inbox item in a conversation', async () => {
    const talk = await h.openConversation(ada, grace)
    const { event_id } = await client.post(`${talk}/speech`, { text: 'Hi' }).expect(200)
    await client.post(`${talk}/speech`, { text: 'Hello', corrects: event_id }).expect(200)
    const { items } = await h
      .as(grace)
      .get(`/api/actors/me/inbox?space_id=${spaceIdOf(talk)}`)
      .expect(200)
    expect(items).toMatchObject([{ event: { event_id, current_text: 'Hello' } }])
  })
})

describe('concurrent revisions', () => {
  it('result in the same text at every server', async () => {
    const there = await h.openSpace(ada)
    const firsts = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text) => client.post(`${there}/speech`, { text }).expect(200)),
    )
    const servers = [h.as(ada), other.as(ada)]
    const writes = Array.from({ length: 120 }, (_, index) => {
      const { event_id } = firsts[index % firsts.length]
      const revision = index % 30 < 28 ? { corrects: event_id } : { retracts: event_id }
      return (servers[index % 2] as Client).post(`${there}/speech`, { text: `${index}`, ...revision })
    })
    for (const answer of await Promise.all(writes)) {
      if (answer.status !== 200) answer.expect(409, 'The event is retracted: send a new event')
    }
    const log = await StreamReader.open(client, there)
    const { event_count } = await client.get(`${there}/status`).expect(200)
    await log.read(event_count)
    await log.close()
    const folded = foldRevisions(log.events)
    for (const server of [h, other]) {
      const read = await server.as(grace).get(`${there}/events?limit=200`).expect(200)
      for (const { event, shown } of folded) {
        expect(shownOf(read.find(({ event_id }: { event_id: string }) => event_id === event.event_id))).toEqual(shown)
      }
    }
    // A retraction is the last revision of its event.
    for (const { event_id } of firsts) {
      const revisions = await client.get(`${there}/events/${event_id}/revisions`).expect(200)
      const kinds = revisions.map(({ retracts }: { retracts?: string }) => retracts !== undefined)
      expect(kinds.indexOf(true)).toBe(kinds.includes(true) ? kinds.length - 1 : -1)
    }
    const problems: unknown[] = []
    await checkDatabase(
      h.connection,
      null,
      (problem) => problems.push(problem),
      () => {},
      new AbortController().signal,
    )
    expect(problems).toEqual([])
  })

  it('are counted per space, and the integrity check verifies the count', async () => {
    const { event_id } = await say('Checked')
    await say('Checked well', { corrects: event_id })
    await query(h.connection, 'UPDATE spaces SET revisions = revisions + 1 WHERE space_id = $1', [spaceIdOf(path)])
    const problems: { problem: string }[] = []
    await checkDatabase(
      h.connection,
      null,
      (problem) => problems.push(problem),
      () => {},
      new AbortController().signal,
    )
    expect(problems.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/corrections and retractions, and has/),
    ])
    await query(h.connection, 'UPDATE spaces SET revisions = revisions - 1 WHERE space_id = $1', [spaceIdOf(path)])
  })
})
