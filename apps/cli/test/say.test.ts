import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let grace: Actor
let scout: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  grace = await server.registerHuman('Grace Hopper')
  scout = await server.registerAgent(ada, 'Scout')
  env = signedInAs(server, ada)
  await server.openSpace(ada, 'plans')
  for (const actor of [ada, grace, scout]) await server.as(actor).post('/api/spaces/plans/join').expect(200)
})

const post = async (args: readonly string[], options: Parameters<typeof spaces>[1] = {}) =>
  (await spaces(['say', 'plans', ...args, '--json'], { env, ...options }).expect(0)).json

describe('say', () => {
  it('posts its arguments as a human, and shows the event', async () => {
    const event = await post(['Where', 'shall we go?'])
    expect(event).toEqual(await server.as(ada).get(`/api/spaces/plans/events/${event.event_id}`).expect(200))
    expect(event).toMatchObject({ text: 'Where shall we go?', speaker_type: 'human', speaker_id: ada.actor_id })
  })

  it('posts with --occurred-at, and shows that time', async () => {
    const event = await post(['Long ago', '--occurred-at', '2024-02-29T09:00Z'])
    expect(event.occurred_at).toBe('2024-02-29T09:00:00.000Z')
    const { stdout } = await spaces(['read', 'plans'], { env }).expect(0)
    expect(stdout).toMatch(/29 February 2024 ──\n09:00 {2}Ada {2}\S+ {2}\(imported\)\n/)
    const digest = await spaces(['activity', 'plans', '--by', 'occurred_at', '--json'], { env }).expect(0)
    expect(JSON.stringify(digest.json)).not.toContain('Long ago')
    await spaces(['say', 'plans', 'x', '--occurred-at', '2099-01-01'], { env }).expect(1, 'must not be in the future')
  })

  it('posts standard input without its final line break', async () => {
    expect((await post([], { stdin: 'two\n  lines\n' })).text).toBe('two\n  lines')
    expect((await post(['-'], { stdin: 'ends here' })).text).toBe('ends here')
  })

  it('accepts UTF-8 with a byte order mark, and rejects other bytes with the line number', async () => {
    expect((await post(['-'], { stdin: Buffer.from('\ufeffGrüße') })).text).toBe('Grüße')
    const before = await server.as(ada).get('/api/spaces/plans/status').expect(200)
    const latin1 = Buffer.from('Good\nGrüße\n', 'latin1')
    for (const words of [['-'], []])
      await spaces(['say', 'plans', ...words], { env, stdin: latin1 }).expect(1, 'Standard input, line 2: not UTF-8')
    expect((await server.as(ada).get('/api/spaces/plans/status').expect(200)).event_count).toBe(before.event_count)
  })

  it('posts nothing without a text', async () => {
    await spaces(['say', 'plans'], { env }).expect(2, 'TEXT is required')
  })

  it('replies as an agent', async () => {
    const question = await post(['Is there a train?'])
    const answer = await post(['At nine', '--reply-to', question.event_id], { env: signedInAs(server, scout) })
    expect(answer).toMatchObject({
      speaker_type: 'agent',
      speaker_name: 'Scout',
      parent_event_id: question.event_id,
    })
  })

  it('replies as a human', async () => {
    const question = await post(['Who comes?'])
    expect(await post(['I do', '--reply-to', question.event_id])).toMatchObject({
      speaker_type: 'human',
      speaker_id: ada.actor_id,
      speaker_name: 'Ada',
      parent_event_id: question.event_id,
    })
  })

  it('posts in a thread', async () => {
    const anchor = await post(['Luggage'])
    const thread = await server
      .as(ada)
      .post('/api/spaces/plans/threads', { parent_event_id: anchor.event_id, subject: 'What to take' })
      .expect(200)
    expect((await post(['A map', '--thread', thread.thread_id])).thread_id).toBe(thread.thread_id)
  })

  it('mentions members by name in any case, and any actor by ID', async () => {
    const event = await post(['Come!', '--mention', '@grace hopper', '--mention', scout.actor_id])
    expect(event.metadata).toEqual({ mentions: [grace.actor_id, scout.actor_id] })
    const other = await post(['Come!', '--mention', 'ada', '--metadata', '{"mood":"good"}'])
    expect(other.metadata).toEqual({ mood: 'good', mentions: [ada.actor_id] })
  })

  it('mentions actors named with @, and confirms it', async () => {
    const run = await spaces(['say', 'plans', 'Come, @grace hopper and @Scout! (@Scout?)'], { env }).expect(0)
    expect(run.stderr).toBe('Mentioned Grace Hopper and Scout\n')
    expect((await post(['Well, @Grace?'])).metadata).toEqual({ mentions: [grace.actor_id] })
    expect((await post([`Well, @${scout.actor_id}?`])).metadata).toEqual({ mentions: [scout.actor_id] })
    const both = await post(['@Ada', '--mention', 'Scout', '--metadata', '{"mentions":["usr_x"]}'])
    expect(both.metadata).toEqual({ mentions: ['usr_x', scout.actor_id, ada.actor_id] })
  })

  it('mentions no actor of the text with --no-mentions', async () => {
    expect((await post(['@Ada', '--no-mentions'])).metadata).toBeNull()
    expect((await spaces(['say', 'plans', 'Use `@Ada` here'], { env }).expect(0)).stderr).toBe('')
  })

  it('warns about an unknown or ambiguous name', async () => {
    await server.openSpace(ada, 'twins')
    for (const name of ['Twin', 'Twin', 'Twinkle']) {
      await server
        .as(await server.registerHuman(name))
        .post('/api/spaces/twins/join')
        .expect(200)
    }
    const run = await spaces(['say', 'twins', '@Linus and @twin, not @Twinkle'], { env }).expect(0)
    expect(run.stderr).toContain('Warning: No one in twins is named @Linus, so it mentions no one.')
    expect(run.stderr).toMatch(
      /Warning: Several in twins fit @twin, .* Choose one: --mention usr_\w+, or --mention usr_/,
    )
    expect(run.stderr).toContain('Mentioned Twinkle')
  })

  it('asks a person which actor is meant', async () => {
    await server.openSpace(ada, 'namesakes')
    const namesakes = [await server.registerHuman('Jo'), await server.registerHuman('Jo')]
    for (const jo of namesakes) await server.as(jo).post('/api/spaces/namesakes/join').expect(200)
    const person = terminal(['say', 'namesakes', 'Hello @Jo and @Zoe'], { env })
    await person.waitFor('Several in namesakes fit @Jo. Who is meant?')
    person.press('down')
    person.press('enter')
    await person.waitFor('No one in namesakes is named @Zoe. Say it all the same?')
    person.type('y')
    expect(await person.end()).toBe(0)
    const [event] = await server.as(ada).get('/api/spaces/namesakes/events').expect(200)
    expect(namesakes.map(({ actor_id }) => actor_id)).toContain(event.metadata.mentions[0])
    const other = terminal(['say', 'namesakes', 'Hello @Zoe'], { env })
    await other.waitFor('Say it all the same?')
    other.type('n')
    expect(await other.end()).toBe(2)
    expect(await server.as(ada).get('/api/spaces/namesakes/events').expect(200)).toHaveLength(1)
  })

  it('reads the text from an editor', async () => {
    const writes = (text: string) => ({ ...env, EDITOR: `sh -c 'printf "${text}" > "$0"'` })
    const person = terminal(['say', 'plans', '--editor'], { env: writes('Two\\n\\nparagraphs\\n\\n') })
    expect(await person.end()).toBe(0)
    const [last] = await server.as(ada).get('/api/spaces/plans/events?tail=true&limit=1').expect(200)
    expect(last.text).toBe('Two\n\nparagraphs')
    const nothing = terminal(['say', 'plans', '-e'], { env: writes('') })
    expect(await nothing.end()).toBe(2)
    const broken = terminal(['say', 'plans', '-e'], { env: { ...env, EDITOR: 'false' } })
    expect(await broken.end()).toBe(1)
    expect(broken.screen).toContain('The editor failed: false')
    await spaces(['say', 'plans', '-e'], { env: writes('x') }).expect(2, '--editor needs a terminal')
    await spaces(['say', 'plans', 'x', '-e'], { env: writes('x') }).expect(2, 'cannot be used together')
  })

  it('rejects an unknown or ambiguous --mention', async () => {
    await spaces(['say', 'plans', 'Hello', '--mention', 'Linus'], { env }).expect(
      1,
      'No participant of plans is named Linus',
    )
    const other = await server.registerHuman('Twin')
    const twin = await server.registerHuman('Twin')
    for (const actor of [other, twin]) await server.as(actor).post('/api/spaces/plans/join').expect(200)
    const say = ['say', 'plans', 'Hello', '--mention', 'twin']
    await spaces(say, { env }).expect(1, 'Several participants of plans are named twin', twin.actor_id)
  })

  it('posts once with one idempotency key', async () => {
    const once = await post(['Once', '--key', 'k1'])
    expect(await post(['Once', '--key', 'k1'])).toEqual(once)
    await spaces(['say', 'plans', 'Other words', '--key', 'k1'], { env }).expect(5)
  })

  it.each([
    ['say', 'plans', 'Yes', '--reply-to', 'last'],
    ['say', 'plans', 'Yes', '--corrects', 'last'],
    ['say', 'plans', 'Yes', '--thread', 'last'],
    ['retract', 'plans', 'last'],
    ['decision', 'discuss', 'plans', 'last', 'Why?'],
    ['decision', 'use', 'plans', 'last', '--action', '/dev/null'],
  ])('%s %s … with a key needs an ID instead of last', async (...command) => {
    await spaces([...command, '--key', 'k2'], { env }).expect(2, 'last and --key cannot be used together')
  })

  it('suggests resuming a paused space', async () => {
    const path = await server.openSpace(ada, 'paused')
    await server.as(ada).patch(path, { status: 'paused' }).expect(200)
    await spaces(['say', 'paused', 'Hello'], { env }).expect(5, 'Space is not active', 'spaces space resume')
  })

  it('asks a person for the text', async () => {
    const person = terminal(['say', 'plans'], { env })
    await person.waitFor('What do you want to say in plans?')
    person.type('Typed by hand')
    person.press('enter')
    expect(await person.end()).toBe(0)
    expect(person.screen).toMatch(/\d\d:\d\d {2}Ada {2}[0-9a-f-]{36}\n {7}Typed by hand/)
  })
})
