import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>
let eventId: string

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  await server.as(ada).post('/api/spaces', { space_id: 'plans' }).expect(200)
  const question = await server.as(ada).post('/api/spaces/plans/speech', { text: 'Where shall we go?' }).expect(200)
  eventId = question.event_id
})

describe('thread', () => {
  it('is started once on an event', async () => {
    const start = ['thread', 'start', 'plans', eventId, '--subject', 'Where to', '--json']
    const first = (await spaces(start, { env }).expect(0)).json
    expect(first).toMatchObject({ space_id: 'plans', parent_event_id: eventId, subject: 'Where to' })
    expect((await spaces(start, { env }).expect(0)).json).toEqual(first)
  })

  it('is shown with its events, by its ID or that of its anchor event', async () => {
    const start = { parent_event_id: eventId, subject: 'Where to' }
    const { thread_id } = await server.as(ada).post('/api/spaces/plans/threads', start).expect(200)
    await server.as(ada).post('/api/spaces/plans/speech', { text: 'To the sea', thread_id }).expect(200)
    const answer = await server.as(ada).get(`/api/spaces/plans/threads/${thread_id}`).expect(200)
    for (const id of [thread_id, eventId]) {
      expect((await spaces(['thread', 'show', 'plans', id, '--json'], { env }).expect(0)).json).toEqual(answer)
    }
    const shown = (await spaces(['thread', 'show', 'plans', thread_id], { env }).expect(0)).stdout
    expect(shown).toMatch(/^subject +Where to$/m)
    expect(shown).toContain('To the sea')
  })

  it('is listed with its newest event, and read by its subject', async () => {
    const env = signedInAs(server, ada)
    await server.openSpace(ada, 'trips')
    const anchors: string[] = []
    for (const text of ['One', 'Two', 'Three']) {
      anchors.push((await server.as(ada).post('/api/spaces/trips/speech', { text }).expect(200)).event_id)
    }
    const threads: { thread_id: string }[] = []
    for (const [n, parent_event_id] of anchors.entries()) {
      const start = { parent_event_id, subject: `About ${n}` }
      threads.push(await server.as(ada).post('/api/spaces/trips/threads', start).expect(200))
    }
    for (const thread of threads.slice(0, 2)) {
      const reply = { text: 'Hear, hear', thread_id: thread.thread_id }
      await server.as(ada).post('/api/spaces/trips/speech', reply).expect(200)
    }
    const listed = (await spaces(['thread', 'list', 'trips', '--json'], { env }).expect(0)).json
    expect(listed.map(({ subject }: { subject: string }) => subject)).toEqual(['About 1', 'About 0', 'About 2'])
    const page = await spaces(['thread', 'list', 'trips', '--limit', '2'], { env }).expect(0)
    expect(page.stdout).toMatch(/About 1 +1 +just now +Ada: Hear, hear/)
    const [, next] = /More: spaces (.*)/.exec(page.stderr) ?? []
    const rest = await spaces([...(next as string).split(' '), '--json'], { env }).expect(0)
    expect(rest.json).toEqual(listed.slice(2))

    const read = (await spaces(['read', 'trips'], { env }).expect(0)).stdout
    expect(read).toContain('# About 0')
    expect(read).toContain('# About 1')
    expect(read).not.toContain('# thread')
  })

  it('names the missing argument', async () => {
    await spaces(['thread', 'start', 'plans', eventId], { env }).expect(2, '--subject')
    await spaces(['thread', 'show', 'plans', 'nothing'], { env }).expect(1, 'Thread not found')
  })
})
