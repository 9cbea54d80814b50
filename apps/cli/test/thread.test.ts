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
  const said = await server.as(ada).post('/api/spaces/plans/speech', { text: 'Where shall we go?' }).expect(200)
  eventId = said.event_id
})

describe('thread', () => {
  it('is started once on an event', async () => {
    const start = ['thread', 'start', 'plans', eventId, '--subject', 'Where to', '--json']
    const first = (await spaces(start, { env }).expect(0)).json
    expect(first).toMatchObject({ space_id: 'plans', parent_event_id: eventId, subject: 'Where to' })
    expect((await spaces(start, { env }).expect(0)).json).toEqual(first)
  })

  it('is shown by its id or that of its event, with what was said in it', async () => {
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

  it('says what is missing', async () => {
    await spaces(['thread', 'start', 'plans', eventId], { env }).expect(2, '--subject')
    await spaces(['thread', 'show', 'plans', 'nothing'], { env }).expect(1, 'Thread not found')
  })
})
