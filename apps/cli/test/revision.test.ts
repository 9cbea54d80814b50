import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, homeOfFile, signedInAs, spaces, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  await server.openSpace(ada, 'plans')
  await server.as(ada).post('/api/spaces/plans/join').expect(200)
})

const say = async (...args: string[]) => (await spaces(['say', 'plans', ...args, '--json'], { env }).expect(0)).json
const printed = async (...args: string[]) => (await spaces(args, { env }).expect(0)).stdout

describe('say --corrects', () => {
  it('shows only the newest text, marked as edited, and keeps the history', async () => {
    const first = await say('Teh meeting is at nine')
    await say('The meeting is at ten', '--corrects', first.event_id)
    const correction = await say('The meeting is at noon', '--corrects', 'last')
    expect(correction.corrects).toBe(first.event_id)

    const history = await printed('read', 'plans')
    expect(history.match(/meeting/g)).toHaveLength(1)
    expect(history).toMatch(/\(edited\)\n +The meeting is at noon/)
    const shown = await printed('event', 'show', 'plans', first.event_id)
    for (const text of ['Teh meeting is at nine', 'The meeting is at ten', 'The meeting is at noon'])
      expect(shown).toContain(text)
    expect(await printed('search', 'noon', '--space', 'plans')).toContain('(edited)')
    expect(await printed('search', 'nine', '--space', 'plans')).toBe('No results\n')
  })
})

describe('retract', () => {
  it('says that it is no erasure, and marks the event as retracted', async () => {
    const { event_id } = await say('To the wrong space')
    expect(await printed('retract', 'plans', event_id, 'Wrong', 'space')).toBe(
      `Retracted ${event_id}. The history keeps its text.\n`,
    )
    const history = await printed('read', 'plans')
    expect(history).toContain('(retracted)')
    expect(history).not.toContain('To the wrong space')
    expect(await printed('event', 'show', 'plans', event_id)).toContain('To the wrong space')
    await spaces(['retract', 'plans', event_id], { env }).expect(5, 'The event is retracted: send a new event')
  })

  it('is refused for events of another poster', async () => {
    const grace = signedInAs(server, await server.registerHuman('Grace'))
    const { event_id } = await say('Mine')
    await spaces(['retract', 'plans', event_id], { env: grace }).expect(1, 'Only the poster of an event may')
  })
})

describe('export and import', () => {
  it('keep corrections and retractions', async () => {
    const file = join(homeOfFile(), 'plans.ndjson')
    await spaces(['export', 'plans', '--output', file], { env }).expect(0)
    for (const _ of ['first', 'again']) await spaces(['import', 'copy', file, '--create'], { env }).expect(0)
    const statesIn = async (space: string) => {
      const events = await server.as(ada).get(`/api/spaces/${space}/transcript`).expect(200)
      return events.map(({ text, current_text, ...event }: Record<string, unknown>) => [
        text,
        current_text,
        ...['corrects', 'retracts', 'retracted_by'].map((field) => field in event),
      ])
    }
    const states = await statesIn('plans')
    expect(await statesIn('copy')).toEqual(states)
    expect(states).toContainEqual(['Teh meeting is at nine', 'The meeting is at noon', false, false, false])
  })
})
