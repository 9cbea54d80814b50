import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Actor,
  eventually,
  homeOfFile,
  signedInAs,
  spaces,
  startSpaces,
  terminal,
  useServer,
} from './support/index.js'

interface Event {
  readonly event_id: string
  readonly text: string
  readonly [field: string]: unknown
}

const source = useServer()
const target = useServer()
let ada: Actor
let here: Record<string, string>
let there: Record<string, string>
/** The bytes that programs on Windows write at the start of UTF-8. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
/** The path of the exported file. */
let story: string

beforeAll(async () => {
  ada = await source.registerHuman('Ada')
  here = signedInAs(source, ada)
  there = signedInAs(target, await target.registerHuman('Grace'))
  await source.openSpace(ada, 'story')
  const append = (event: object): Promise<Event> =>
    source
      .as(ada)
      .post('/api/spaces/story/events', { speaker_id: 'bridge:7', speaker_name: 'Linus', ...event })
      .expect(200)
  const first = await append({ text: 'Where to?', references: ['file:///map'] })
  const start = { parent_event_id: first.event_id, subject: 'Luggage' }
  const { thread_id } = await source.as(ada).post('/api/spaces/story/threads', start).expect(200)
  await append({ text: 'A map', thread_id, metadata: { note: 'light', deep: [{ er: null }] }, speaker_type: 'agent' })
  let parent = first
  for (let n = 0; n < 30; n++) {
    const crowd = Array.from({ length: 10 }, (_, i) => append({ text: `message ${n}.${i} \u2028 ${'x'.repeat(300)}` }))
    parent = await append({ text: `answer ${n}`, parent_event_id: parent.event_id, thread_id })
    await Promise.all(crowd)
  }
  story = fileNamed('story.ndjson')
  await spaces(['export', 'story', '--output', story], { env: here }).expect(0)
})

const fileNamed = (name: string) => join(homeOfFile(), name)
const linesIn = async (path: string) => (await readFile(path, 'utf8')).trimEnd().split('\n')

/** Returns the texts of a space with their speakers, parents and threads, which an import keeps. */
async function eventsIn(server: typeof target, env: Record<string, string>, space: string) {
  const events: Event[] = await server.as(env.SPACES_TOKEN).get(`/api/spaces/${space}/transcript`).expect(200)
  const places = new Map(events.map(({ event_id }, index) => [event_id, index]))
  const threads = [...new Set(events.map(({ thread_id }) => thread_id))]
  return events.map(({ text, references, metadata, ...event }) => {
    const { imported_from: _, ...own } = (metadata ?? {}) as Record<string, unknown>
    const { speaker_id, speaker_name, speaker_type } = event
    const answers = places.get(event.parent_event_id as string)
    return {
      text,
      references,
      own,
      speaker_id,
      speaker_name,
      speaker_type,
      answers,
      thread: threads.indexOf(event.thread_id),
    }
  })
}

describe('import', () => {
  it('replays a history, and adds nothing when repeated', async () => {
    const run = await spaces(['import', 'story', story, '--create', '--json'], { env: there }).expect(0)
    expect(run.json).toEqual({ space_id: 'story', events: 332, threads: 1 })
    expect(run.stderr).toBe('')
    const events = await eventsIn(target, there, 'story')
    expect(events).toEqual(await eventsIn(source, here, 'story'))
    expect(events.filter(({ answers }) => answers !== undefined)).toHaveLength(30)

    const stdin = await readFile(story, 'utf8')
    await spaces(['import', 'story', '--create'], { env: there, stdin }).expect(0)
    expect(await eventsIn(target, there, 'story')).toEqual(events)
  })

  it('keeps the IDs and times of its source, and of the first source in a chain', async () => {
    const [, line = ''] = await linesIn(story)
    const [first] = (await linesIn(story)).map((line) => JSON.parse(line))
    const again = fileNamed('again.ndjson')
    await spaces(['import', 'copy', story, '--create'], { env: there }).expect(0)
    await spaces(['export', 'copy', '--output', again], { env: there }).expect(0)
    await spaces(['import', 'copy-of-copy', again, '--create'], { env: here }).expect(0)
    expect(await eventsIn(source, here, 'copy-of-copy')).toEqual(await eventsIn(source, here, 'story'))
    const [copy] = (await linesIn(again)).map((line) => JSON.parse(line))
    const [last] = await source.as(ada).get('/api/spaces/copy-of-copy/transcript').expect(200)
    const origin = { event_id: first.event_id, space_id: 'story', timestamp: first.timestamp }
    expect([copy.occurred_at, last.occurred_at]).toEqual([first.timestamp, first.timestamp])
    expect(copy.metadata.imported_from).toEqual(origin)
    const from = { event_id: copy.event_id, space_id: 'copy', timestamp: copy.timestamp }
    expect(last.metadata.imported_from).toEqual({ ...from, first: origin })
    expect(line).toContain('thread_id')
  })

  it('resumes after it was killed, with the same result', async () => {
    const [whole, half] = [await readFile(story, 'utf8'), fileNamed('half.ndjson')]
    await writeFile(half, whole)
    const count = async () =>
      (await target.as(there.SPACES_TOKEN).get('/api/spaces/killed/status')).body.event_count ?? 0
    for (const signal of ['SIGKILL', 'SIGINT'] as const) {
      const before = await count()
      const importing = startSpaces(['import', 'killed', story, '--create'], { env: there })
      await eventually(async () => (await count()) > before || before === 332)
      importing.kill(signal)
      const { code, stderr } = await importing.end()
      // The last answer may arrive before the signal.
      if (code === 2)
        expect(stderr).toMatch(/killed has \d+ events? of this export. To continue, run the command again/)
    }
    await spaces(['import', 'killed', story], { env: there }).expect(0)
    expect(await eventsIn(target, there, 'killed')).toEqual(await eventsIn(source, here, 'story'))
  })

  it('continues when the server is killed and restarted', async () => {
    const as = target.as(there.SPACES_TOKEN)
    await as.post('/api/spaces', { space_id: 'restarted' }).expect(200)
    const importing = startSpaces(['import', 'restarted', story], { env: there })
    await eventually(async () => (await as.get('/api/spaces/restarted/status').expect(200)).event_count > 0)
    await target.kill()
    await target.start()
    await importing.end().expect(0)
    expect(await eventsIn(target, there, 'restarted')).toEqual(await eventsIn(source, here, 'story'))
  })

  it('is continued by another account', async () => {
    const [first = '', ...lines] = await linesIn(story)
    await spaces(['import', 'shared', '--create'], { env: there, stdin: first }).expect(0)
    const env = signedInAs(target, await target.registerHuman('Mara'))
    const run = await spaces(['import', 'shared', '--json'], { env, stdin: [first, ...lines].join('\n') }).expect(0)
    expect(run.json).toMatchObject({ events: 332, threads: 1 })
    expect(await eventsIn(target, there, 'shared')).toEqual(await eventsIn(source, here, 'story'))
  })

  it('reads an export from a pipe', async () => {
    const { stdout } = await spaces(['export', 'story'], { env: here }).expect(0)
    await spaces(['import', 'piped', '-', '--create'], { env: there, stdin: stdout }).expect(0)
    expect(await eventsIn(target, there, 'piped')).toEqual(await eventsIn(source, here, 'story'))
  })

  it('joins parts of a history that refer to earlier ones', async () => {
    const lines = await linesIn(story)
    const pieces = [lines.slice(0, 100), [lines[1], ...lines.slice(100)]]
    for (const piece of pieces) {
      await spaces(['import', 'pieces', '--create'], { env: there, stdin: piece.join('\n') }).expect(0)
    }
    expect(await eventsIn(target, there, 'pieces')).toEqual(await eventsIn(source, here, 'story'))
  })

  it('keeps an event whose references are not in the file', async () => {
    const lines = await linesIn(story)
    const answer = lines
      .map((line) => JSON.parse(line))
      .find(({ parent_event_id, event_id }) => event_id && parent_event_id)
    await spaces(['import', 'alone', '--create'], { env: there, stdin: JSON.stringify(answer) }).expect(0)
    const [event] = await target.as(there.SPACES_TOKEN).get('/api/spaces/alone/events').expect(200)
    expect(event).toMatchObject({ parent_event_id: null, thread_id: null })
    const { parent_event_id, thread_id } = answer
    expect(event.metadata.imported_from).toMatchObject({ parent_event_id, thread_id })
  })

  it('accepts events of the maximum size', async () => {
    const [first] = (await linesIn(story)).map((line) => JSON.parse(line))
    const large = Array.from({ length: 12 }, (_, n) => ({
      ...first,
      event_id: `large-${n}`,
      text: '🏔'.repeat(100_000),
      references: Array.from({ length: 100 }, () => '\u0001'.repeat(2_000)),
      metadata: { full: 'x'.repeat(65_500) },
    }))
    const stdin = large.map((event) => JSON.stringify(event)).join('\n')
    await spaces(['import', 'large', '--create'], { env: there, stdin }).expect(0)
    expect(await eventsIn(target, there, 'large')).toHaveLength(12)
  })

  it('reads a file and standard input with a byte order mark', async () => {
    const marked = Buffer.concat([BYTE_ORDER_MARK, await readFile(story)])
    const file = fileNamed('marked.ndjson')
    await writeFile(file, marked)
    await spaces(['import', 'marked', file, '--create'], { env: there }).expect(0)
    const events = await eventsIn(target, there, 'marked')
    expect(events).toEqual(await eventsIn(source, here, 'story'))
    await spaces(['import', 'marked'], { env: there, stdin: marked }).expect(0)
    expect(await eventsIn(target, there, 'marked')).toEqual(events)
  })

  it.each([
    ['a byte of ISO 8859-1', (line: string) => Buffer.from(line.replace('Linus', 'Linné'), 'latin1')],
    ['UTF-16', (line: string) => Buffer.from(`\ufeff${line}`, 'utf16le')],
    ['half of a surrogate pair', (line: string) => Buffer.concat([Buffer.from(line), Buffer.from([0xed, 0xa0, 0x80])])],
  ])('rejects %s with the line number, and creates nothing', async (_, damage) => {
    const lines: (string | Buffer)[] = await linesIn(story)
    lines[2] = damage(lines[2] as string)
    const stdin = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))
    const refused = spaces(['import', 'spoilt', '--create'], { env: there, stdin })
    await refused.expect(1, 'line 3: not UTF-8', 'Nothing was imported. Convert it to UTF-8')
    await target.as(there.SPACES_TOKEN).get('/api/spaces/spoilt/status').expect(404)
  })

  describe('rejects with a hint, and imports nothing, for', () => {
    const event = (change: object) => (line: string) => JSON.stringify({ ...JSON.parse(line), ...change })
    const CASES: readonly (readonly [string, (line: string) => string, number, string, string])[] = [
      ['a torn line', () => '{"event_id": "x', 1, 'line 150: not an event', 'Export the space again'],
      ['no object', () => '[]', 1, 'line 150: not an event', 'Export the space again'],
      ['no text', event({ event_id: 'e', text: '' }), 1, 'line 150: text: must not be empty', 'Fix the line'],
      ['a long text', event({ event_id: 'e', text: 'x'.repeat(100_001) }), 1, 'line 150: text:', 'Fix the line'],
      ['no speaker', event({ event_id: 'e', speaker_name: '' }), 1, 'line 150: speaker_name:', 'Fix the line'],
      ['half a character', event({ event_id: 'e', text: '\ud800' }), 1, 'line 150: must not contain', 'Fix the line'],
      ['a long ID', event({ event_id: 'e'.repeat(250) }), 1, 'line 150: idempotency_key:', 'Fix the line'],
      ['an ID twice', event({ text: 'something else' }), 5, 'line 150: line 1 has another event', 'Fix the line'],
      [
        'a thread without a subject',
        () => JSON.stringify({ thread_id: 't', space_id: 's', parent_event_id: 'e', subject: ' ' }),
        1,
        'line 150: the subject of a thread',
        'Fix the line',
      ],
    ]

    it.each(CASES)('%s', async (_, spoil, code, problem, advice) => {
      const lines = await linesIn(story)
      const stdin = lines.toSpliced(149, 0, spoil(lines[0] as string)).join('\n')
      const refused = await spaces(['import', 'spoilt', '--create'], { env: there, stdin }).expect(code, problem)
      expect(refused.stderr).toContain('Nothing was imported.')
      expect(refused.stderr).toContain(advice)
      await target.as(there.SPACES_TOKEN).get('/api/spaces/spoilt/status').expect(404)
    })

    it('a line with other content than an earlier import', async () => {
      const [first = ''] = await linesIn(story)
      await spaces(['import', 'edited', '--create'], { env: there, stdin: first }).expect(0)
      const edited = [JSON.stringify({ ...JSON.parse(first), event_id: 'new' }), event({ text: 'edited' })(first)]
      await spaces(['import', 'edited'], { env: there, stdin: edited.join('\n') }).expect(
        5,
        'line 2: edited has this event with another content',
        'Nothing was imported.',
      )
      expect(await eventsIn(target, there, 'edited')).toHaveLength(1)
    })

    it('a space that accepts no events', async () => {
      await target.as(there.SPACES_TOKEN).post('/api/spaces', { space_id: 'resting' }).expect(200)
      await target.as(there.SPACES_TOKEN).patch('/api/spaces/resting', { status: 'paused' }).expect(200)
      await spaces(['import', 'resting', story], { env: there }).expect(5, 'Space is paused', 'space resume resting')
    })
  })

  describe('into a tenant with the default policy', () => {
    it('keeps the importer and their agents as speakers', async () => {
      const mara = await source.registerHuman('Mara')
      const scout = await source.registerAgent(mara, 'Scout')
      const trial = await source.openSpace(mara, 'trial')
      for (const actor of [mara, scout]) await source.as(actor).post(`${trial}/speech`, { text: 'hi' }).expect(200)
      const env = signedInAs(source, mara)
      const file = fileNamed('trial.ndjson')
      await spaces(['export', 'trial', '--output', file], { env }).expect(0)
      await source.as(mara).post('/api/tenants', { name: 'Acme' }).expect(200)
      await spaces(['import', 'team', file, '--create'], { env }).expect(0)
      const copy = await source.as(mara).get('/api/spaces/team/transcript').expect(200)
      expect(copy.map(({ speaker_id }: { speaker_id: string }) => speaker_id)).toEqual([mara.actor_id, scout.actor_id])
    })

    it('rejects other members as speakers before it writes, and names the setting that allows them', async () => {
      const mara = await source.registerHuman('Mara')
      await source.as(mara).post('/api/tenants', { name: 'Acme' }).expect(200)
      const { code } = await source.as(mara).post('/api/invites').expect(200)
      const grace = await source.registerHuman('Grace')
      await source.as(grace).post('/api/invites/redeem', { code }).expect(200)
      const path = await source.openSpace(mara, 'both')
      for (const actor of [mara, grace]) await source.as(actor).post(`${path}/speech`, { text: 'hi' }).expect(200)
      const env = signedInAs(source, mara)
      const { stdout: stdin } = await spaces(['export', 'both'], { env }).expect(0)
      const refused = await spaces(['import', 'copied', '--create'], { env, stdin }).expect(1, 'line 2: The tenant')
      expect(refused.stderr).toContain('Nothing was imported. The line is right.')
      expect(refused.stderr).toContain('spaces tenant policy --attribution free')
      expect(refused.stderr).not.toContain('Fix the line')
      await source.as(mara).get('/api/spaces/copied/status').expect(404)
      await spaces(['tenant', 'policy', '--attribution', 'free'], { env }).expect(0)
      await spaces(['import', 'copied', '--create'], { env, stdin }).expect(0)
    })
  })

  it('creates no space without --create, and rejects invalid sources', async () => {
    await spaces(['import', 'nowhere', story], { env: there }).expect(1, '--create')
    await spaces(['import', 'nowhere', fileNamed('missing'), '--create'], { env: there }).expect(1, 'Cannot read')
    await target.as(there.SPACES_TOKEN).get('/api/spaces/nowhere/status').expect(404)
    await spaces(['import', 'story', story], { env: here }).expect(
      1,
      'this export comes from story itself',
      'another space',
    )
    const endless = fileNamed('endless')
    await writeFile(endless, Buffer.alloc(33 * 1024 * 1024, ' '))
    await spaces(['import', 'nothing', endless, '--create'], { env: there }).expect(1, 'line 1: longer than any')
    const person = terminal(['import', 'nowhere'], { env: there })
    expect(await person.end()).toBe(2)
    expect(person.screen).toContain('FILE is required')
  })
})
