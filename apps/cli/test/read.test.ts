import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Actor,
  MAIN,
  signedInAs,
  spaces,
  startSpaces,
  terminal,
  terminalWith,
  useServer,
} from './support/index.js'

interface Event {
  readonly event_id: string
  readonly text: string
  readonly timestamp: string
}

const server = useServer()
let ada: Actor
let grace: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  grace = await server.registerHuman('Grace')
  env = signedInAs(server, ada)
  for (const id of ['long', 'short']) {
    await server.openSpace(ada, id)
    for (const actor of [ada, grace]) await server.as(actor).post(`/api/spaces/${id}/join`).expect(200)
  }
  for (let batch = 0; batch < 15; batch++) {
    await Promise.all(Array.from({ length: 30 }, (_, n) => write('long', { text: `message ${batch * 30 + n}` })))
  }
})

const write = (space: string, body: object, actor = ada): Promise<Event> =>
  server.as(actor).post(`/api/spaces/${space}/speech`, body).expect(200)

const history = (space: string): Promise<Event[]> => server.as(ada).get(`/api/spaces/${space}/transcript`).expect(200)

const read = async (...args: string[]): Promise<Event[]> =>
  (await spaces(['read', ...args, '--json'], { env }).expect(0)).json

describe('read in a pipe', () => {
  it('prints the newest 20 events, or the number in --tail', async () => {
    const all = await history('long')
    expect(all).toHaveLength(450)
    expect(await read('long')).toEqual(all.slice(-20))
    expect(await read('long', '--tail', '1')).toEqual(all.slice(-1))
    expect(await read('long', '--tail', '401')).toEqual(all.slice(-401))
    expect(await read('long', '--tail', '9999')).toEqual(all)
    expect(await read('long', '--tail', '0')).toEqual([])
  })

  it('pages backwards, and prints the next command', async () => {
    const all = await history('long')
    const run = await spaces(['read', 'long'], { env }).expect(0)
    expect(run.stderr).toBe(`\nEarlier events: spaces read long --before ${all.at(-20)?.event_id}\n`)
    expect(await read('long', '--before', all.at(-20)?.event_id as string)).toEqual(all.slice(-40, -20))
    const before = ['--before', all[3]?.event_id as string, '--tail', '2']
    expect(await read('long', ...before)).toEqual(all.slice(1, 3))
    expect((await spaces(['read', 'long', ...before], { env }).expect(0)).stderr).toContain(
      `--before ${all[1]?.event_id} --tail 2`,
    )
    expect((await spaces(['read', 'long', '--before', all[3]?.event_id as string], { env }).expect(0)).stderr).toBe('')
    expect((await spaces(['read', 'long', '--from', '1h', '--tail', '2'], { env }).expect(0)).stderr).toContain(
      'raise --tail',
    )
    await spaces(['read', 'long', '--before', 'x', '--follow'], { env }).expect(2, 'cannot be used with')
  })

  it('continues after an event to the end', async () => {
    const all = await history('long')
    expect(await read('long', '--since', all[9]?.event_id as string)).toEqual(all.slice(10))
    expect(await read('long', '--since', all[9]?.event_id as string, '--tail', '3')).toEqual(all.slice(-3))
    expect(await read('long', '--since', all.at(-1)?.event_id as string)).toEqual([])
    await spaces(['read', 'long', '--since', 'nonsense'], { env }).expect(1, 'Event not found')
  })

  it('accepts relative and absolute times', async () => {
    const all = await history('long')
    const first = all[0]?.timestamp as string
    expect(await read('long', '--from', '1h')).toEqual(all)
    expect(await read('long', '--from', '1h', '--tail', '2')).toEqual(all.slice(-2))
    expect(await read('long', '--to', first)).toEqual(all.filter(({ timestamp }) => timestamp === first))
    expect(await read('long', '--to', '1d', '--from', '2d')).toEqual([])
    await spaces(['read', 'long', '--from', 'soon'], { env }).expect(2, '--from')
    await spaces(['read', 'long', '--from', '1h', '--since', 'x'], { env }).expect(2, "'--from <time>'")
  })

  it('prints the events that mention an actor', async () => {
    const { event_id } = await write('short', { text: 'Grace!', metadata: { mentions: [grace.actor_id] } })
    expect(await read('short', '--mentions')).toEqual([])
    expect(await read('short', '--mentions', 'grace')).toMatchObject([{ event_id }])
    expect(await read('short', '--mentions', grace.actor_id)).toMatchObject([{ event_id }])
  })

  it('prints a thread, by its ID or that of its anchor event', async () => {
    const anchor = await write('short', { text: 'Luggage' })
    const start = { parent_event_id: anchor.event_id, subject: 'What to take' }
    const { thread_id } = await server.as(ada).post('/api/spaces/short/threads', start).expect(200)
    const { event_id } = await write('short', { text: 'A map', thread_id })
    await write('short', { text: 'Elsewhere' })
    expect(await read('short', '--thread', thread_id)).toMatchObject([{ event_id }])
    expect(await read('short', '--thread', anchor.event_id)).toMatchObject([{ event_id }])
  })

  it('suggests a next step in an empty or unknown space', async () => {
    await server.openSpace(ada, 'empty')
    expect((await spaces(['read', 'empty'], { env }).expect(0)).stdout).toContain('spaces say empty "Hello"')
    expect(await read('empty')).toEqual([])
    await spaces(['read', 'nowhere'], { env }).expect(1, 'Space not found\nList spaces')
  })
})

describe('read in a terminal', () => {
  it('shows days, replies, mentions and attributions', async () => {
    await server.openSpace(ada, 'talk')
    for (const actor of [ada, grace]) await server.as(actor).post('/api/spaces/talk/join').expect(200)
    const question = await write('talk', { text: 'Where shall we go, when it is autumn, and the days are short?' })
    const speech = { text: '@Ada to the mountains', speaker_id: grace.actor_id, speaker_name: 'Grace' }
    const answer = { ...speech, parent_event_id: question.event_id, metadata: { mentions: [ada.actor_id] } }
    await server.as(grace).post('/api/spaces/talk/events', answer).expect(200)
    await write('talk', {
      text: 'Be \u001b]0;fooled\u0007\u001b[31mred',
      speaker_id: 'bridge',
      speaker_name: 'Bea',
    })

    const person = terminal(['read', 'talk'], { env, columns: 50 })
    expect(await person.end()).toBe(0)
    expect(person.screen).toMatch(/^── \w+, \d+ \w+ \d{4} ──$/m)
    expect(person.screen).toMatch(/^ {7}Where shall we go, when it is autumn, and\n {7}the days are short\?$/m)
    expect(person.screen).toMatch(/^ {7}↳ Ada: Where shall we go/m)
    // A mention of the reader is shown in inverse colors.
    expect(person.output).toContain('\u001b[7m')
    expect(person.screen).toMatch(/^..:.. {2}Ada {2}as Bea/m)
    expect(person.output).not.toContain('\u001b]0;')
    expect(person.output).not.toContain('\u001b[31m')
  })

  it('pages output that is longer than the screen', async () => {
    const pager = 'sed s/message/paged/'
    const person = terminal(['read', 'long'], { env: { ...env, PAGER: pager }, rows: 10 })
    expect(await person.end()).toBe(0)
    expect(person.screen).toContain('paged 449')
    const short = terminal(['read', 'long', '--tail', '1'], { env: { ...env, PAGER: pager }, rows: 10 })
    expect(await short.end()).toBe(0)
    expect(short.screen).toContain('message')
    const unpaged = terminal(['read', 'long', '--no-pager'], { env: { ...env, PAGER: pager }, rows: 10 })
    expect(await unpaged.end()).toBe(0)
    expect(unpaged.screen).toContain('message')
  })

  it('leaves Ctrl-C to the pager', async () => {
    // As `less`, this pager continues after Ctrl-C.
    const pager = `node -e "process.on('SIGINT', () => console.log('still here')); process.stdin.resume(); console.log('pager'); setInterval(() => {}, 1e3); process.on('SIGTERM', () => process.exit())"`
    const person = terminal(['read', 'long'], { env: { ...env, PAGER: pager }, rows: 10 })
    await person.waitFor('pager')
    person.press('ctrl-c')
    await person.waitFor('still here')
    await person.close()
  })
})

describe('read --follow', () => {
  it('shows old and new events once each, and ends with 0 on Ctrl-C', async () => {
    await server.openSpace(ada, 'live')
    await write('live', { text: 'before' })
    const person = terminal(['read', 'live', '--follow'], { env })
    await person.waitFor('before')
    await write('live', { text: 'after' })
    await person.waitFor('after')
    person.press('ctrl-c')
    expect(await person.end()).toBe(0)
    expect(person.screen.match(/before/g)).toHaveLength(1)
  })

  it('reconnects after a restart of the server, in a terminal and in a pipe', async () => {
    await server.openSpace(ada, 'shells')
    const hears = terminal(['read', 'shells', '--follow'], { env })
    const scripts = terminalWith(process.execPath, [MAIN, 'read', 'shells', '--follow', '--json'], { env })
    await spaces(['say', 'shells', 'Do you hear me?'], { env }).expect(0)
    await hears.waitFor('Do you hear me?')
    await scripts.waitFor('Do you hear me?')
    await server.stop()
    await hears.waitFor('Connection lost')
    await server.start()
    await spaces(['say', 'shells', 'And now?'], { env: signedInAs(server, grace) }).expect(0)
    await hears.waitFor('And now?')
    await scripts.waitFor('And now?')
    expect(hears.screen).toContain('Reconnected')
    for (const reader of [hears, scripts]) {
      reader.press('ctrl-c')
      expect(await reader.end()).toBe(0)
      expect(reader.screen.match(/Do you hear me\?/g)).toHaveLength(1)
    }
  })

  it('continues exactly after the event in --since', async () => {
    await server.openSpace(ada, 'script')
    const first = await write('script', { text: 'one' })
    await write('script', { text: 'two' })
    await write('script', { text: 'three' })
    const all = await history('script')
    const pipe = startSpaces(['read', 'script', '--since', first.event_id, '--follow', '--json'], { env })
    await pipe.waitFor('three')
    const last = await write('script', { text: 'four' })
    await pipe.waitFor('four')
    pipe.kill('SIGINT')
    const run = await pipe.end().expect(0)
    expect(run.lines.map((line) => JSON.parse(line))).toEqual([...all.slice(1), last])
    expect(run.stderr).toBe('')
  })

  it('follows a thread, or the events that mention an actor', async () => {
    await server.openSpace(ada, 'chosen')
    await server.as(grace).post('/api/spaces/chosen/join').expect(200)
    const anchor = await write('chosen', { text: 'Luggage' })
    const start = { parent_event_id: anchor.event_id, subject: 'What to take' }
    const { thread_id } = await server.as(ada).post('/api/spaces/chosen/threads', start).expect(200)
    await write('chosen', { text: 'old', thread_id, metadata: { mentions: [grace.actor_id] } })
    const inThread = startSpaces(['read', 'chosen', '--thread', anchor.event_id, '--follow', '--json'], { env })
    const meant = startSpaces(['read', 'chosen', '--mentions', 'Grace', '--follow', '--json'], { env })
    await Promise.all([inThread.waitFor('old'), meant.waitFor('old')])
    await write('chosen', { text: 'neither' })
    await write('chosen', { text: 'new', thread_id, metadata: { mentions: [grace.actor_id] } })
    for (const pipe of [inThread, meant]) {
      await pipe.waitFor('new')
      pipe.kill('SIGTERM')
      const { lines } = await pipe.end().expect(0)
      expect(lines.map((line) => JSON.parse(line).text)).toEqual(['old', 'new'])
    }
  })

  it('ends with 4 when the token is revoked', async () => {
    const leaver = await server.registerHuman('Leaver')
    await server.openSpace(leaver, 'left')
    await write('left', { text: 'Goodbye' }, leaver)
    const pipe = startSpaces(['read', 'left', '--follow'], { env: signedInAs(server, leaver) })
    await pipe.waitFor('Goodbye')
    await server.as(leaver).delete(`/api/actors/${leaver.actor_id}`).expect(200)
    await pipe.end().expect(4, 'Authentication required')
  })

  it('ends silently when its pipe is closed', async () => {
    await server.openSpace(ada, 'piped')
    await write('piped', { text: 'first' })
    const command = `"${process.execPath}" "${MAIN}" read piped --follow --json | head -n 1; echo "left with \${PIPESTATUS[0]}"`
    const shell = terminalWith('bash', ['-c', command], { env })
    await shell.waitFor('first')
    await write('piped', { text: 'second' })
    await shell.waitFor('left with 0')
    expect(await shell.end()).toBe(0)
    expect(shell.screen.split('\n')).toHaveLength(2)
  })
})
