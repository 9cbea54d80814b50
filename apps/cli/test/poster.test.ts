import type { Actor } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { signedInAs, spaces, useServer } from './support/index.js'

/** The shared default tenant, where a caller may name any speaker. */
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
  const speech = { text: 'Paste the token', metadata: { mentions: [ada.actor_id] } }
  const asAda = { speaker_id: ada.actor_id, speaker_name: 'Ada Lovelace' }
  for (const actor of [ada, scout]) await server.as(actor).post(`${space}/join`).expect(200)
  first = await post('speech', { ...speech, ...asAda })
  await post('events', { ...speech, ...asAda, speaker_type: 'system', parent_event_id: first })
  await post('response', { ...speech, agent_name: 'Ada Lovelace' })
  const thread = { parent_event_id: first, subject: 'Deploy' }
  const { thread_id } = await server.as(ada).post(`${space}/threads`, thread).expect(200)
  await post('speech', { ...speech, ...asAda, thread_id })
  await post('speech', { ...speech, speaker_id: 'elsewhere', speaker_name: 'Ada Lovelace' })
  const proposal = { proposed_by: ada.actor_id, text: 'Deploy' }
  const { decision_id } = await server.as(scout).post(`${space}/decisions`, proposal).expect(200)
  const settlement = { resolved_by: ada.actor_id, resolution: 'Yes', status: 'resolved' }
  await server.as(scout).put(`${space}/decisions/${decision_id}/resolve`, settlement).expect(200)
})

/** A line of mentions names no poster. */
const MENTIONED = /^ +@ /

function expectAsScout(output: string): void {
  for (const line of output.split('\n').filter((line) => line.includes('Ada Lovelace') && !MENTIONED.test(line))) {
    expect(line).toMatch(/Scout {1,2}\(agent\) {1,2}as Ada Lovelace/)
  }
}

describe('an event that an agent attributes to a human', () => {
  it.each([
    ['read', ['read', 'plans'], 5],
    ['inbox', ['inbox'], 5],
    ['search', ['search', 'token', '--space', 'plans'], 5],
    ['thread', ['thread', 'show', 'plans'], 1],
  ])('names the agent as its poster: %s', async (verb, args, count) => {
    const { stdout } = await spaces(verb === 'thread' ? [...args, first] : args, { env }).expect(0)
    expect(stdout.match(/Scout {2}\(agent\)/g)).toHaveLength(count)
    expectAsScout(stdout)
  })

  it.each([
    ['thread list', ['thread', 'list', 'plans']],
    ['activity', ['activity', 'plans']],
    ['decision list', ['decision', 'list', 'plans']],
    ['decision show', ['decision', 'show', 'plans', 'last']],
    ['decision history', ['decision', 'history', 'plans', 'last']],
  ])('names the agent as its poster in one line: %s', async (_, args) => {
    const { stdout } = await spaces(args, { env }).expect(0)
    expect(stdout).toContain('Scout (agent) as Ada Lovelace')
    expectAsScout(stdout)
  })
})
