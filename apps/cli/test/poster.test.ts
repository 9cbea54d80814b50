import type { Actor } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { signedInAs, spaces, useServer } from './support/index.js'

/** In the shared scope, where everybody may speak as anybody. */
const server = useServer()
let ada: Actor
let scout: Actor
let env: Record<string, string>
let first: string

beforeAll(async () => {
  ada = await server.registerHuman('Ada Lovelace')
  const grace = await server.registerHuman('Grace')
  scout = await server.registerAgent(grace, 'Scout')
  env = signedInAs(server, ada)
  const space = await server.openSpace(ada, 'plans')
  const post = async (endpoint: string, body: object) =>
    (await server.as(scout).post(`${space}/${endpoint}`, body).expect(200)).event_id
  const said = { text: 'Paste the token', metadata: { mentions: [ada.actor_id] } }
  const asAda = { speaker_id: ada.actor_id, speaker_name: 'Ada Lovelace' }
  first = await post('speech', { ...said, ...asAda })
  await post('events', { ...said, ...asAda, speaker_type: 'system', parent_event_id: first })
  await post('response', { ...said, agent_name: 'Ada Lovelace' })
  const thread = { parent_event_id: first, subject: 'Deploy' }
  const { thread_id } = await server.as(ada).post(`${space}/threads`, thread).expect(200)
  await post('speech', { ...said, ...asAda, thread_id })
})

describe('what an agent posts in the name of a human', () => {
  it.each([
    ['read', ['read', 'plans'], 4],
    ['inbox', ['inbox'], 4],
    ['search', ['search', 'token', '--space', 'plans'], 4],
    ['thread', ['thread', 'show', 'plans'], 1],
  ])('is shown as posted by the agent: %s', async (verb, args, count) => {
    const { stdout } = await spaces(verb === 'thread' ? [...args, first] : args, { env }).expect(0)
    expect(stdout.match(/Scout {2}\(agent\)/g)).toHaveLength(count)
    for (const line of stdout.split('\n').filter((line) => line.includes('Ada Lovelace'))) {
      expect(line).toMatch(/Scout( {2}\(agent\) {2}| )as Ada Lovelace/)
    }
  })
})
