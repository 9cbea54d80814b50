import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>
const decisions: string[] = []

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  for (const id of ['plans', 'other']) await server.openSpace(ada, id)
  for (const text of ['We go by train', 'We fly', 'We stay']) {
    const proposal = { proposed_by: ada.actor_id, text }
    const { decision_id } = await server.as(ada).post('/api/spaces/plans/decisions', proposal).expect(200)
    decisions.push(decision_id)
  }
})

const write = (text: string, space = 'plans') =>
  server.as(ada).post(`/api/spaces/${space}/speech`, { text }).expect(200)

const json = async (...args: string[]) => (await spaces([...args, '--json'], { env }).expect(0)).json
const textOf = async (id: string) => (await json('decision', 'show', 'plans', id)).text

describe('a short ID', () => {
  it('matches the end of an ID', async () => {
    expect(await textOf(decisions[1]?.slice(-6) as string)).toBe('We fly')
    expect(await textOf(decisions[1]?.slice(-6).toUpperCase() as string)).toBe('We fly')
  })

  it('matches the beginning of an ID, with or without its prefix', async () => {
    const { pat_id } = await server.as(ada).post('/api/personal-access-tokens', { name: 'one' }).expect(200)
    const revoke = async (id: string) => (await spaces(['token', 'revoke', id, '--yes'], { env }).expect(0)).stdout
    expect(await revoke(pat_id.slice(4, 12))).toBe(`Revoked ${pat_id}.\n`)
    await server.as(ada).post('/api/personal-access-tokens', { name: 'two' }).expect(200)
    const [two] = await server.as(ada).get('/api/personal-access-tokens').expect(200)
    expect(await revoke(two.pat_id.slice(0, 12))).toBe(`Revoked ${two.pat_id}.\n`)
  })

  it('can be `last`', async () => {
    expect(await textOf('last')).toBe('We stay')
    const first = await write('One')
    const reply = await json('say', 'plans', 'Two', '--reply-to', 'last')
    expect(reply.parent_event_id).toBe(first.event_id)
  })

  it('is rejected if it is ambiguous, too short or unknown', async () => {
    // The first characters of a UUID are its time, which all three share.
    const run = await spaces(['decision', 'show', 'plans', decisions[0]?.slice(0, 6) as string], { env }).expect(2)
    expect(run.stderr).toContain('More than one decision fits')
    for (const id of decisions) expect(run.stderr).toContain(id)
    await spaces(['decision', 'show', 'plans', 'abc'], { env }).expect(1, 'a short ID has at least 4 characters')
    await spaces(['decision', 'show', 'plans', 'nonsense'], { env }).expect(
      1,
      'Decision not found: no ID begins or ends with nonsense',
      'spaces decision list plans',
    )
    await spaces(['decision', 'show', 'other', 'last'], { env }).expect(1, 'Decision not found: there is none')
  })

  it('is looked up among the newest 400 events, and the error names this limit', async () => {
    await server.openSpace(ada, 'long')
    const oldest = await write('The oldest', 'long')
    const speaker = { speaker_id: 'minutes', speaker_name: 'Minutes' }
    for (let batch = 0; batch < 4; batch++) {
      const events = Array.from({ length: 100 }, (_, index) => ({ ...speaker, text: `${batch} ${index}` }))
      await server.as(ada).post('/api/spaces/long/events/batch', { events }).expect(200)
    }
    const start = (event: string) => spaces(['thread', 'start', 'long', event, '--subject', 'Old'], { env })
    const short = oldest.event_id.slice(-8)
    await start(short).expect(
      1,
      `Event not found: no ID of the newest 400 events begins or ends with ${short}. For an older one, use the whole ID`,
      'spaces read long',
    )
    await start(oldest.event_id).expect(0)
  })

  it('identifies events, threads and links, too', async () => {
    const event = await write('Luggage')
    const thread = await json('thread', 'start', 'plans', event.event_id.slice(-8), '--subject', 'What to take')
    expect(thread.parent_event_id).toBe(event.event_id)
    await spaces(['say', 'plans', 'A map', '--thread', thread.thread_id], { env }).expect(0)
    expect(await json('thread', 'show', 'plans', thread.thread_id.slice(-6))).toMatchObject({ thread })
    expect(await json('read', 'plans', '--thread', 'last')).toMatchObject([{ text: 'A map' }])
    expect((await json('read', 'plans', '--since', event.event_id.slice(-8))).at(-1).text).toBe('A map')
    const { link_id } = await json('link', 'add', 'plans', '--space', 'other')
    await spaces(['link', 'remove', 'plans', link_id.slice(-5), '--yes'], { env }).expect(0, '')
  })
})

describe('an agent', () => {
  it('is found by its name or a short ID', async () => {
    const scout = await server.registerAgent(ada, 'Scout')
    expect(await json('agent', 'connect', 'scout', '--installation', 'here')).toMatchObject({
      agent_id: scout.actor_id,
    })
    expect(await json('agent', 'release', scout.actor_id.slice(-6))).toMatchObject({ agent_id: scout.actor_id })
    await spaces(['agent', 'release', 'Zoe'], { env }).expect(1, 'Agent not found', 'spaces agent list')
  })
})

describe('the number of a line', () => {
  it('is shown in a terminal, and identifies the line there', async () => {
    const person = terminal(['decision', 'list', 'plans'], { env, columns: 120 })
    expect(await person.end()).toBe(0)
    expect(person.screen).toMatch(new RegExp(`^2 +${decisions[1]}`, 'm'))
    const narrow = terminal(['decision', 'list', 'plans'], { env, columns: 60 })
    expect(await narrow.end()).toBe(0)
    const end = `…${decisions[1]?.slice(-8)}`
    expect(narrow.screen).toMatch(new RegExp(`^2 +${end} +proposed`, 'm'))
    expect(await textOf(end)).toBe('We fly')
    expect(await textOf('2')).toBe('We fly')
    await spaces(['decision', 'show', 'plans', '9'], { env }).expect(1, 'no line 9 was shown in this terminal')
    await spaces(['decision', 'show', 'other', '2'], { env }).expect(1, 'no line 2 was shown')
    await spaces(['token', 'revoke', '1', '--yes'], { env }).expect(1, 'no line 1 was shown')
  })

  it('is absent in a script, which keeps the numbers of the terminal', async () => {
    const { stdout } = await spaces(['decision', 'list', 'plans', '--status', 'resolved'], { env }).expect(0)
    expect(stdout).not.toContain('#')
    expect(await textOf('3')).toBe('We stay')
  })

  it('identifies an agent code', async () => {
    await spaces(['agent', 'invite', 'Ranger'], { env }).expect(0)
    const { json: invited } = await spaces(['agent', 'invite', 'Scout', '--json'], { env }).expect(0)
    const person = terminal(['agent', 'invites'], { env })
    expect(await person.end()).toBe(0)
    const [, line = ''] = new RegExp(`^(\\d) +…?\\S*${invited.code_id.slice(-8)} `, 'm').exec(person.screen) ?? []
    const { stdout } = await spaces(['agent', 'uninvite', line], { env }).expect(0)
    expect(stdout).toBe(`Revoked ${invited.code_id}.\n`)
  })

  it('identifies a credential', async () => {
    const { pat_id } = await server.as(ada).post('/api/personal-access-tokens', { name: 'spare' }).expect(200)
    const person = terminal(['credential', 'list'], { env })
    expect(await person.end()).toBe(0)
    const [, line = ''] = new RegExp(`^(\\d) +…?\\S*${pat_id.slice(-8)} `, 'm').exec(person.screen) ?? []
    const { stdout } = await spaces(['credential', 'revoke', line, '--yes'], { env }).expect(0)
    expect(stdout).toBe(`Revoked ${pat_id}.\n`)
  })

  it('identifies events of a space', async () => {
    await server.openSpace(ada, 'talk')
    for (const text of ['One', 'Two', 'Three']) await write(text, 'talk')
    const person = terminal(['read', 'talk'], { env })
    expect(await person.end()).toBe(0)
    expect(person.screen).toMatch(/Ada {2}#2 {2}[0-9a-f-]{36}\n {7}Two/)
    const two = (await json('read', 'talk'))[1]
    expect((await json('say', 'talk', 'Why?', '--reply-to', '2')).parent_event_id).toBe(two.event_id)
  })
})
