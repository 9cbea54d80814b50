import { spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, eventually, signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let scout: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  scout = await server.registerAgent(ada, 'Scout')
  env = signedInAs(server, ada)
  for (const id of ['plans', 'budget', 'strangers']) await server.openSpace(ada, id)
  for (const actor of [ada, scout]) await server.as(actor).post('/api/spaces/plans/join').expect(200)
  await server.as(ada).post('/api/spaces/plans/links', { target_id: 'budget' }).expect(200)
  const say = (space: string, text: string) => server.as(ada).post(`/api/spaces/${space}/speech`, { text }).expect(200)
  await say('plans', 'The mountains are high, and high is good')
  await say('plans', 'We take the train to the mountains')
  await say('budget', 'Mountains cost nothing')
  await say('strangers', 'Mountains of others')
  await say('strangers', 'Start it with --dry-run')
})

const found = async (...args: string[]): Promise<string[]> =>
  (await spaces(['search', '--json', ...args], { env }).expect(0)).json.map(({ text }: { text: string }) => text)

describe('search', () => {
  it('covers the spaces that the caller has joined, one space, or linked ones', async () => {
    const inPlans = ['We take the train to the mountains', 'The mountains are high, and high is good']
    expect(await found('mountains')).toEqual(inPlans)
    expect(await found('mountains', '--limit', '1')).toEqual(inPlans.slice(0, 1))
    expect(await found('mountains', '--space', 'strangers')).toEqual(['Mountains of others'])
    expect(await found('mountains', '--linked-to', 'budget')).toEqual(['Mountains cost nothing', ...inPlans])
  })

  it('supports phrases and exclusions', async () => {
    expect(await found('"train to"')).toHaveLength(1)
    expect(await found('--', 'mountains', '-train')).toHaveLength(1)
    expect(await found('--space', 'strangers', '--', '--dry-run')).toEqual(['Start it with --dry-run'])
    expect(await found('mountains', 'OR', 'nonsense', '--sort', 'relevance')).toHaveLength(2)
    await spaces(['search', 'x', '--sort', 'best'], { env }).expect(2, 'relevance')
    await spaces(['search', 'x', '--limit', 'all'], { env }).expect(2, 'whole number')
    await spaces(['search', 'x', '--space', 'a', '--linked-to', 'b'], { env }).expect(2, '--linked-to')
  })

  it('highlights matches, with the space of each', async () => {
    const person = terminal(['search', 'train'], { env })
    expect(await person.end()).toBe(0)
    expect(person.screen).toMatch(/^plans {2}Ada {2}just now {2}\S{36}\n {7}We take the train to the mountains$/m)
    expect(person.output).toContain('the \u001b[1m\u001b[33mtrain\u001b[39m\u001b[22m to')
    const piped = await spaces(['search', 'train'], { env })
    expect(piped.stdout).toContain('the «train» to')
    expect((await spaces(['search', 'nonsense'], { env }).expect(0)).stdout).toContain('--space')
  })
})

describe('a search in files', () => {
  it('shows the file and the match', async () => {
    const as = server.as(ada)
    const path = await server.openSpace(ada)
    const inSpace = ['--space', spaceIdOf(path)]
    const { file_id } = await as.post(`${path}/files?name=packing.txt`, 'Take a snorkel').expect(200)
    await as.post(`${path}/speech`, { text: 'My list', file_ids: [file_id] }).expect(200)
    await eventually(async () => (await found('snorkels', ...inSpace)).length === 1)
    const shown = async (word: string) => (await spaces(['search', word, ...inSpace], { env }).expect(0)).stdout
    expect(await shown('snorkels')).toMatch(/My list\n +\+ packing\.txt {2}Take a «snorkel»\n/)
    expect(await shown('packing')).toMatch(/My list\n +\+ packing\.txt\n/)
  })
})

describe('activity', () => {
  it('shows the events of each participant', async () => {
    const args = ['activity', 'plans', '--since', '2h', '--max', '1', '--json']
    const { json: digest } = await spaces(args, { env }).expect(0)
    expect(digest.participants).toMatchObject([
      { participant_id: ada.actor_id, event_count: 2, events: [{ text: 'We take the train to the mountains' }] },
      { participant_id: scout.actor_id, event_count: 0, events: [] },
    ])
    const person = terminal(['activity', 'plans'], { env, columns: 40 })
    expect(await person.end()).toBe(0)
    expect(person.screen).toMatch(/^Ada {2}2 events, last (?:just now|\d+ minutes? ago)$/m)
    expect(person.screen).toMatch(/^ {2}\d\d:\d\d {2}The mountains are high, and hi…$/m)
    expect(person.screen).toMatch(/^Scout \(agent\) {2}no events$/m)
  })
})

describe('summary', () => {
  it('returns the answer of the API with --json', async () => {
    const { json } = await spaces(['summary', 'plans', '--from', '1d', '--to', 'now', '--json'], { env }).expect(0)
    expect(json).toMatchObject({ space_id: 'plans', event_count: 2 })
    const again = await spaces(['summary', 'plans', '--from', json.window_start, '--to', json.window_end, '--json'], {
      env,
    })
    expect(again.json.summary_id).toBe(json.summary_id)
    const other = await spaces(['summary', 'plans', '--from', '1d', '--to', 'now', '--regenerate', '--json'], { env })
    expect(other.json.summary_id).not.toBe(json.summary_id)
    const german = await spaces(['summary', 'plans', '--to', 'now', '--language', 'de', '--json'], { env })
    expect(german.json.summary_text).toContain('Teilnehmer')
  })

  it('is formatted for a terminal, and wrapped', async () => {
    const person = terminal(['summary', 'plans', '--to', 'now'], { env, columns: 50 })
    expect(await person.end()).toBe(0)
    expect(person.output).toContain('Summarizing plans')
    expect(person.screen).not.toMatch(/Summarizing|\*\*|^#/m)
    expect(person.screen).toMatch(/^• Ada: /m)
    expect(person.output).toContain('\u001b[1mAda\u001b[22m')
    for (const line of person.screen.split('\n')) expect(line.length).toBeLessThanOrEqual(50)
  })

  it('explains why it may be empty', async () => {
    await spaces(['summary', 'plans'], { env }).expect(0, '--to now')
  })
})
