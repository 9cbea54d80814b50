import { mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Files, writeTar, writeZip } from './support/archive.js'
import { type Actor, eventually, homeOfFile, signedInAs, spaces, startSpaces, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada Admin')
  env = signedInAs(server, ada)
})

const fileNamed = (name: string) => join(homeOfFile(), name)
const api = () => server.as(ada)

async function zipped(name: string, files: Files): Promise<string> {
  await writeZip(fileNamed(name), files)
  return fileNamed(name)
}

async function unpacked(name: string, files: Files): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(fileNamed(name), path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content))
  }
  return fileNamed(name)
}

const imported = async (...args: string[]) => (await spaces(['import', ...args, '--json'], { env }).expect(0)).json

interface Event {
  readonly event_id: string
  readonly text: string
  readonly thread_id: string | null
  readonly [field: string]: unknown
}

/** Returns the events of a space as time, speaker, thread and text. */
async function eventsOf(space: string): Promise<[string, string, string | null, string][]> {
  const events: Event[] = await api().get(`/api/spaces/${space}/transcript`).expect(200)
  const threads = await api().get(`/api/spaces/${space}/threads?limit=100`).expect(200)
  return events.map(({ speaker_name, text, occurred_at, thread_id }) => [
    String(occurred_at),
    String(speaker_name),
    threads.find((thread: Event) => thread.thread_id === thread_id)?.subject ?? null,
    text,
  ])
}

const seconds = (time: string) => Date.parse(time) / 1000

const PEOPLE = [
  { id: 'U1', name: 'grace', real_name: 'Grace Hopper', profile: { display_name: '', email: 'grace@navy.example' } },
  { id: 'U2', name: 'linus', real_name: 'Linus', profile: { display_name: 'Linus T', email: 'linus@kernel.example' } },
]

/** Returns an export of Slack, as slack.com/help/articles/220556107 documents it. */
const slack = (prefix = ''): Files => {
  const [nine, ten] = [seconds('2024-02-29T09:00:00Z'), seconds('2024-03-01T10:00:00Z')]
  return {
    'channels.json': [
      {
        id: 'C1',
        name: `${prefix}general`,
        purpose: { value: 'Talk to <@U1>' },
        topic: { value: '' },
        members: ['U1'],
      },
      { id: 'C2', name: `${prefix}Café · été`, purpose: { value: '' } },
    ],
    'groups.json': [{ id: 'G1', name: `${prefix}secret`, purpose: { value: '' } }],
    'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
    'users.json': PEOPLE,
    [`${prefix}general/2024-03-01.json`]: [{ type: 'message', user: 'U1', text: 'The *newest*', ts: `${ten}.000300` }],
    [`${prefix}general/2024-02-29.json`]: [
      { type: 'message', subtype: 'channel_join', user: 'U1', text: '<@U1> has joined', ts: `${nine}.000000` },
      {
        type: 'message',
        user: 'U1',
        text: 'Where to, <@U2>? See <#C2> &amp; <https://map.example|the map>',
        ts: `${nine}.000100`,
        thread_ts: `${nine}.000100`,
        reply_count: 1,
        reactions: [{ name: 'wave', users: ['U2', 'U1'], count: 2 }],
      },
      {
        type: 'message',
        user: 'U2',
        text: 'To the sea',
        ts: `${nine + 60}.000200`,
        thread_ts: `${nine}.000100`,
        edited: { user: 'U2', ts: `${nine + 90}.000000` },
      },
      {
        type: 'message',
        subtype: 'bot_message',
        bot_id: 'B1',
        username: 'CI',
        text: '',
        ts: `${nine + 120}.000000`,
        attachments: [{ title: 'Build 7', title_link: 'https://ci.example/7', text: 'is *red*', fallback: 'no' }],
      },
      {
        type: 'message',
        user: 'U2',
        text: '',
        ts: `${nine + 180}.000000`,
        files: [
          {
            name: 'map.png',
            url_private: 'https://files.slack.com/map.png?t=xoxe-1-secret',
            permalink: 'https://team.slack.com/files/U2/F1/map.png',
          },
        ],
      },
    ],
    [`${prefix}Café · été/2024-02-29.json`]: [{ type: 'message', user: 'U9', text: 'Bonjour', ts: `${nine}.5` }],
    [`${prefix}secret/2024-02-29.json`]: [{ type: 'message', user: 'U1', text: 'Psst', ts: `${nine}.000000` }],
    'D1/2024-02-29.json': [{ type: 'message', user: 'U1', text: 'Only you', ts: `${nine}.000000` }],
  }
}

describe('import slack', () => {
  const GENERAL = [
    [
      '2024-02-29T09:00:00.000Z',
      'Grace Hopper',
      null,
      'Where to, @Linus T? See #Café · été & [the map](https://map.example)',
    ],
    [
      '2024-02-29T09:01:00.000Z',
      'Linus T',
      'Where to, @Linus T? See Café · été & [the map](https://map.example)',
      'To the sea (edited)',
    ],
    ['2024-02-29T09:02:00.000Z', 'CI', null, '**[Build 7](https://ci.example/7)**\n\nis **red**'],
    ['2024-02-29T09:03:00.000Z', 'Linus T', null, '[map.png](https://team.slack.com/files/U2/F1/map.png)'],
    ['2024-03-01T10:00:00.000Z', 'Grace Hopper', null, 'The **newest**'],
  ]

  it('reports a dry run, then creates spaces from channels, with the times of messages', async () => {
    const file = await zipped('slack.zip', slack())
    const report = {
      service: 'slack',
      spaces: [
        { space_id: 'general', title: 'general', visibility: 'open', channels: ['general'], messages: 5, threads: 1 },
        {
          space_id: 'cafe-ete',
          title: 'Café · été',
          visibility: 'open',
          channels: ['Café · été'],
          messages: 1,
          threads: 0,
        },
        { space_id: 'secret', title: 'secret', visibility: 'private', channels: ['secret'], messages: 1, threads: 0 },
      ].map((space) => ({ ...space, exists: false, files: 0 })),
      people: { speakers: 4, mapped: 0 },
      left_out: {
        'notices of the service, such as of joining a channel': 1,
        reactions: 2,
        'direct messages': 1,
      },
    }
    expect(await imported('slack', file, '--dry-run')).toEqual(report)
    expect(await api().get('/api/spaces').expect(200)).toEqual([])
    expect(await imported('slack', file)).toEqual({ ...report, imported: 7, before: 0 })
    expect(await eventsOf('general')).toEqual(GENERAL)
    expect((await eventsOf('secret')).map(([, , , text]) => text)).toEqual(['Psst'])
    const { description, visibility } = await api().get('/api/spaces/general/status').expect(200)
    expect({ description, visibility }).toEqual({ description: 'Talk to @Grace Hopper', visibility: 'open' })
    const [first, , bot] = await api().get('/api/spaces/general/transcript').expect(200)
    expect(first).toMatchObject({ posted_by: ada.actor_id, speaker_id: 'slack:U1', speaker_type: 'human' })
    expect(bot).toMatchObject({ speaker_id: 'slack:B1', speaker_type: 'agent' })
    const shown = (await spaces(['read', 'general'], { env }).expect(0)).stdout
    expect(shown).toMatch(/── Thursday,? 29 February 2024 ──/)
    expect(shown).toContain('(imported)')
  })

  it('adds nothing when repeated, and only new messages of a newer export', async () => {
    const again = await imported('slack', fileNamed('slack.zip'))
    expect(again).toMatchObject({ imported: 0, before: 7 })
    const files = slack()
    const changed = JSON.parse(JSON.stringify(files['general/2024-03-01.json']))
    changed[0].text = 'The newest, with other words'
    changed.push({ ...changed[0], text: 'Newer', ts: `${seconds('2024-03-02')}.000000` })
    const newer = await zipped('newer.zip', { ...files, 'general/2024-03-01.json': changed })
    expect(await imported('slack', newer)).toMatchObject({ imported: 1, before: 7 })
    expect((await eventsOf('general')).slice(0, 5)).toEqual(GENERAL)
    expect((await eventsOf('general')).slice(5)).toEqual([['2024-03-02T00:00:00.000Z', 'Grace Hopper', null, 'Newer']])
  })

  it('imports direct messages, selected channels, or all channels into one space, on request', async () => {
    const file = fileNamed('slack.zip')
    await imported('slack', file, '--direct', '--channel', 'D1')
    expect(await eventsOf('grace-hopper-linus-t')).toHaveLength(1)
    const args = ['--channel', 'general', '--channel', 'Café · été', '--space', 'merged']
    expect(await imported('slack', file, ...args)).toMatchObject({ imported: 6 })
    expect((await eventsOf('merged')).map(([at]) => at)).toEqual([
      '2024-02-29T09:00:00.000Z',
      '2024-02-29T09:00:00.500Z',
      ...GENERAL.slice(1).map(([at]) => at),
    ])
    await spaces(['import', 'slack', file, '--channel', 'nowhere'], { env }).expect(
      2,
      'The export has no channel nowhere',
    )
  })

  it('moves no private channel into an open space without --visibility', async () => {
    await api().post('/api/spaces', { space_id: 'town' }).expect(200)
    const args = ['import', 'slack', fileNamed('slack.zip'), '--channel', 'secret', '--space', 'town']
    await spaces(args, { env }).expect(1, /Space town is open, and a channel for it is private/)
    expect(await eventsOf('town')).toEqual([])
    await spaces([...args, '--visibility', 'open'], { env }).expect(0)
    expect(await eventsOf('town')).toHaveLength(1)
  })

  it('posts as mapped actors, and checks speakers before it writes', async () => {
    const linus = await server.registerHuman('Linus')
    const map = fileNamed('people.txt')
    await writeFile(map, `LINUS@kernel.example ${linus.actor_id}\n\nU1, ${ada.actor_id}\n`)
    const file = await zipped('mapped.zip', slack('mapped-'))
    expect(await imported('slack', file, '--map', map)).toMatchObject({ people: { speakers: 4, mapped: 2 } })
    const [first, second] = await api().get('/api/spaces/mapped-general/transcript').expect(200)
    expect(second).toMatchObject({ speaker_id: linus.actor_id, speaker_name: 'Linus T', posted_by: ada.actor_id })
    expect(first).toMatchObject({ speaker_id: ada.actor_id, speaker_name: 'Ada Admin' })
    await writeFile(map, 'not a mapping\n')
    await spaces(['import', 'slack', file, '--map', map], { env }).expect(
      1,
      /people.txt, line 1: not an e-mail address/,
    )

    const founder = await server.registerHuman('Grace Hopper')
    await server.as(founder).post('/api/tenants', { name: 'Navy' }).expect(200)
    const member = await server.registerHuman('Founder')
    const { code } = await server.as(founder).post('/api/invites', {}).expect(200)
    await server.as(member).post('/api/invites/redeem', { code }).expect(200)
    const run = await spaces(['import', 'slack', file], { env: signedInAs(server, member) }).expect(
      1,
      /Grace Hopper \(slack:U1\): The tenant's policy/,
    )
    expect(run.stderr).toContain('spaces tenant policy --attribution free')
    expect(await server.as(member).get('/api/spaces').expect(200)).toEqual([])
  })

  it('resumes after it was killed, with each message once and in order', async () => {
    const start = seconds('2023-01-01')
    const day = Array.from({ length: 1_200 }, (_, n) => ({
      type: 'message',
      user: n % 2 ? 'U1' : 'U2',
      text: `message ${n}`,
      ts: `${start + n}.000000`,
      ...(n % 40 === 7 && { thread_ts: `${start + n - 3}.000000` }),
    }))
    const file = await zipped('long.zip', {
      'channels.json': [{ id: 'C7', name: 'long' }],
      'users.json': PEOPLE,
      'long/2023-01-01.json': day,
    })
    const count = async () => (await api().get('/api/spaces/long/status')).body.event_count ?? 0
    for (const signal of ['SIGKILL', 'SIGINT', 'SIGKILL'] as const) {
      const before = await count()
      const importing = startSpaces(['import', 'slack', file], { env })
      await eventually(async () => (await count()) > before || before === 1_200)
      importing.kill(signal)
      await importing.end()
    }
    const { imported: rest, before } = await imported('slack', file)
    expect(rest + before).toBe(1_200)
    const events: Event[] = await api().get('/api/spaces/long/transcript').expect(200)
    expect(events.map(({ text }) => text)).toEqual(day.map(({ text }) => text))
    expect(events.filter(({ thread_id }) => thread_id !== null)).toHaveLength(30)
    const [fourth, seventh] = [events[4], events[7]]
    const [thread] = await api().get(`/api/spaces/long/threads?event_id=${fourth?.event_id}`).expect(200)
    expect(seventh).toMatchObject({ occurred_at: '2023-01-01T00:00:07.000Z', thread_id: thread.thread_id })
    expect(thread).toMatchObject({ subject: 'message 4', parent_event_id: fourth?.event_id })
  })
})

describe('import mattermost', () => {
  const at = (time: string) => Date.parse(`2024-02-29T${time}Z`)
  const lines = (posts: readonly object[]) =>
    [
      { type: 'version', version: 1 },
      { type: 'team', team: { name: 'navy', display_name: 'Navy' } },
      {
        type: 'channel',
        channel: { team: 'navy', name: 'town-square', display_name: 'Deck', type: 'O', purpose: 'All' },
      },
      { type: 'channel', channel: { team: 'navy', name: 'bridge', display_name: 'Bridge', type: 'P' } },
      {
        type: 'user',
        user: { username: 'grace', email: 'grace@navy.example', first_name: 'Grace', last_name: 'Hopper' },
      },
      { type: 'user', user: { username: 'linus', nickname: 'Linus T' } },
      { type: 'direct_channel', direct_channel: { members: ['linus', 'grace'] } },
      ...posts,
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
  const post = (fields: object) => ({
    type: 'post',
    post: { team: 'navy', channel: 'town-square', user: 'grace', ...fields },
  })
  const POSTS = [
    post({ message: 'Later', create_at: at('12:00') }),
    post({
      message: 'Where to?',
      create_at: at('09:00'),
      attachments: [{ path: '2024/map.png' }],
      reactions: [{ user: 'linus', emoji_name: 'wave', create_at: at('09:01') }],
      replies: [{ user: 'linus', message: 'To the sea', create_at: at('12:30'), edit_at: at('12:31') }],
    }),
    post({ message: 'joined', create_at: at('08:00'), type: 'system_join_channel' }),
    post({ message: 'Bridge only', create_at: at('10:00'), channel: 'bridge' }),
    {
      type: 'direct_post',
      direct_post: { channel_members: ['grace', 'linus'], user: 'linus', message: 'Hi', create_at: at('10:00') },
    },
  ]

  it('sorts posts by time, and keeps replies, files and the visibility of channels', async () => {
    const file = await zipped('mattermost.zip', {
      'import.jsonl': lines(POSTS),
      'data/2024/map.png': Buffer.from('PNG'),
    })
    const report = await imported('mattermost', file)
    expect(report).toMatchObject({ imported: 4, left_out: { reactions: 1, 'direct messages': 1 } })
    expect(report.spaces.map(({ space_id, visibility, files }: Event) => [space_id, visibility, files])).toEqual([
      ['deck', 'open', 1],
      ['bridge', 'private', 0],
    ])
    expect(await eventsOf('deck')).toEqual([
      ['2024-02-29T09:00:00.000Z', 'Grace Hopper', null, 'Where to?'],
      ['2024-02-29T12:00:00.000Z', 'Grace Hopper', null, 'Later'],
      ['2024-02-29T12:30:00.000Z', 'Linus T', 'Where to?', 'To the sea (edited)'],
    ])
    const [first] = await api().get('/api/spaces/deck/transcript').expect(200)
    expect(first.files).toMatchObject([{ name: 'map.png', size: 3 }])
    expect(await imported('mattermost', file)).toMatchObject({ imported: 0, before: 4 })
  })

  it('accepts a plain JSON Lines file, and names an invalid line', async () => {
    const file = fileNamed('mattermost.jsonl')
    await writeFile(file, `${lines(POSTS)}{"type":"post","po`)
    const run = await spaces(['import', 'mattermost', file, '--space', 'broken'], { env }).expect(1)
    expect(run.stderr).toMatch(/mattermost.jsonl, line 13: not a line of an export/)
    await api().get('/api/spaces/broken/status').expect(404)
    await writeFile(file, lines(POSTS))
    expect(await imported('mattermost', file, '--space', 'lines', '--visibility', 'open')).toMatchObject({
      imported: 4,
    })
  })
})

describe('import zulip', () => {
  it('turns topics into threads, and uploads into files', async () => {
    const message = (id: number, fields: object) => ({
      id,
      sender: 7,
      recipient: 20,
      subject: 'Harbour',
      content: `message ${id}`,
      date_sent: seconds('2024-02-29T09:00:00Z') + id + 0.25,
      last_edit_time: null,
      ...fields,
    })
    const file = fileNamed('zulip.tar.gz')
    await writeTar(file, {
      'zulip-export/realm.json': {
        zerver_realm: [{ id: 2, name: 'Navy' }],
        zerver_userprofile: [{ id: 7, full_name: 'Grace Hopper', delivery_email: 'grace@navy.example', is_bot: false }],
        zerver_userprofile_crossrealm: [{ id: 1, email: 'notification-bot@zulip.example' }],
        zerver_stream: [
          { id: 5, name: 'Ships & sails', invite_only: false, description: 'All ships' },
          { id: 6, name: 'Captains', invite_only: true },
        ],
        zerver_recipient: [
          { id: 20, type: 2, type_id: 5 },
          { id: 21, type: 2, type_id: 6 },
          { id: 30, type: 1, type_id: 7 },
        ],
      },
      'zulip-export/messages-000002.json': {
        zerver_message: [message(4, { recipient: 30 }), message(5, { recipient: 21 })],
      },
      'zulip-export/messages-000001.json': {
        zerver_message: [
          message(1, {}),
          message(2, {
            content: 'Look, @**Grace Hopper|7**: [map.png](/user_uploads/2/ab/map.png)',
            last_edit_time: 1,
          }),
          message(3, { subject: 'harbour' }),
        ],
        zerver_usermessage: [{ id: 1, user_profile: 7, message: 1 }],
      },
      'zulip-export/uploads/2/ab/map.png': Buffer.from('PNG'),
    })
    expect(await imported('zulip', file)).toMatchObject({ imported: 4, left_out: { 'direct messages': 1 } })
    expect(await eventsOf('ships-sails')).toEqual([
      ['2024-02-29T09:00:01.250Z', 'Grace Hopper', null, 'message 1'],
      ['2024-02-29T09:00:02.250Z', 'Grace Hopper', 'Harbour', 'Look, @Grace Hopper: map.png (edited)'],
      ['2024-02-29T09:00:03.250Z', 'Grace Hopper', 'Harbour', 'message 3'],
    ])
    const [, second] = await api().get('/api/spaces/ships-sails/transcript').expect(200)
    expect(second.files).toMatchObject([{ name: 'map.png', size: 3 }])
    expect((await api().get('/api/spaces/captains/status').expect(200)).visibility).toBe('private')
  })
})

describe('import discord', () => {
  const guild = { id: '1', name: 'Navy' }
  const author = { id: '70', name: 'grace', nickname: 'Grace Hopper', isBot: false }
  const message = (id: number, fields: object) => ({
    id: String(100 + id),
    type: 'Default',
    timestamp: `2024-02-29T10:00:0${id}.123+01:00`,
    timestampEdited: null,
    content: `message ${id}`,
    author,
    attachments: [],
    embeds: [],
    reactions: [],
    mentions: [],
    ...fields,
  })

  it('keeps replies, threads and saved files, in private spaces', async () => {
    const folder = await unpacked('discord', {
      'general.json': {
        guild,
        channel: {
          id: '10',
          type: 'GuildTextChat',
          categoryId: '9',
          category: 'Text',
          name: 'decks',
          topic: 'All decks',
        },
        messages: [
          message(1, { content: 'Ship, <@71> <:wave:5>', mentions: [{ id: '71', name: 'linus' }] }),
          message(2, { type: 'Reply', reference: { messageId: '101', channelId: '10' } }),
          message(3, { type: 'ChannelPinnedMessage' }),
          message(4, {
            content: '',
            attachments: [{ id: '8', url: 'general.json_Files\\map.png', fileName: 'map.png' }],
          }),
        ],
      },
      'thread.json': {
        guild,
        channel: { id: '101', type: 'GuildPublicThread', categoryId: '10', category: 'decks', name: 'Which ship' },
        messages: [message(5, { reactions: [{ emoji: { name: 'x' }, count: 3 }] })],
      },
      'general.json_Files/map.png': Buffer.from('PNG'),
      'notes.json': [{ not: 'an export' }],
    })
    expect(await imported('discord', folder)).toMatchObject({ imported: 4, left_out: { reactions: 3 } })
    expect(await eventsOf('decks')).toEqual([
      ['2024-02-29T09:00:01.123Z', 'Grace Hopper', null, 'Ship, @linus :wave:'],
      ['2024-02-29T09:00:02.123Z', 'Grace Hopper', null, 'message 2'],
      ['2024-02-29T09:00:04.123Z', 'Grace Hopper', null, 'map.png'],
      ['2024-02-29T09:00:05.123Z', 'Grace Hopper', 'Which ship', 'message 5'],
    ])
    const [first, second, third] = await api().get('/api/spaces/decks/transcript').expect(200)
    expect(second.parent_event_id).toBe(first.event_id)
    expect(third.files).toMatchObject([{ name: 'map.png' }])
    const { visibility, description } = await api().get('/api/spaces/decks/status').expect(200)
    expect({ visibility, description }).toEqual({ visibility: 'private', description: 'All decks' })
  })
})

describe('a damaged export', () => {
  const refusing = async (service: string, file: string) => {
    const { stderr, stdout } = await spaces(['import', service, file], { env }).expect(1)
    expect(stdout).toBe('')
    return stderr
  }
  const files = () => slack('broken-')

  it('is rejected with one line that names the problem', async () => {
    const cut = await zipped('cut.zip', files())
    await truncate(cut, (await stat(cut)).size - 40)
    expect(await refusing('slack', cut)).toMatch(/Cannot read .*cut.zip: .*end of central directory/i)
    const day = 'broken-general/2024-02-29.json'
    const bad = await zipped('bad.zip', { ...files(), [day]: '[{"ts": "1.0", "text": "x"}, {"ts": nonsense}]' })
    expect(await refusing('slack', bad)).toMatch(`${day}: not JSON at byte`)
    const early = await zipped('early.zip', { ...files(), [day]: '[{"ts": "1.0", "text": "x"}' })
    expect(await refusing('slack', early)).toMatch(`${day}: it ends too early`)
    const tar = fileNamed('cut.tar.gz')
    await writeTar(tar, files())
    await truncate(tar, 500)
    expect(await refusing('zulip', tar)).toMatch(/Cannot read .*cut.tar.gz: unexpected end of file/)
    expect(await refusing('slack', fileNamed('missing.zip'))).toMatch(/Cannot read .*missing.zip: ENOENT/)
  })

  it('is distinguished from one of another service', async () => {
    const file = await zipped('other.zip', files())
    expect(await refusing('mattermost', file)).toMatch(/other.zip is no export of Mattermost/)
    expect(await refusing('zulip', file)).toMatch(/other.zip is no export of Zulip: it has no realm.json/)
    expect(await refusing('discord', file)).toMatch(/other.zip is no export of DiscordChatExporter/)
    const zip = await zipped('none.zip', { 'readme.txt': 'Hello' })
    expect(await refusing('slack', zip)).toMatch(/none.zip is no export of Slack: it has no channels.json/)
  })

  it('reads no file outside of it', async () => {
    const file = await zipped('climbing.zip', { ...files(), '../../climbed.json': '[]' })
    expect(await refusing('slack', file)).toMatch(/Cannot read .*climbing.zip: invalid relative path/)
    const secret = fileNamed('secret.txt')
    await writeFile(secret, 'secret')
    const path = `../${'../'.repeat(20)}${secret}`
    const post = { team: 't', channel: 'climb', user: 'x', message: 'x', create_at: 1, attachments: [{ path }] }
    const lines = [
      { type: 'version', version: 1 },
      { type: 'post', post },
    ].map((line) => JSON.stringify(line))
    const report = await imported('mattermost', await unpacked('climbing', { 'import.jsonl': lines.join('\n') }))
    expect(report.left_out).toEqual({ 'files that the export does not have': 1 })
    expect((await eventsOf('t-climb')).map(([, , , text]) => text)).toEqual(['x\n\nsecret.txt'])
  })

  it('exhausts neither memory nor disk when it is an archive bomb', async () => {
    const bomb = await zipped('bomb.zip', {
      ...files(),
      'broken-general/2024-02-29.json': `[${' '.repeat(80_000_000)}]`,
    })
    expect((await readFile(bomb)).length).toBeLessThan(200_000)
    expect(await refusing('slack', bomb)).toMatch(/bomb.zip grows to more than 100 times its size/)
    const long = await zipped('long-part.zip', {
      ...files(),
      'broken-general/2024-02-29.json': `["${'x'.repeat(40_000_000)}"]`,
    })
    expect(await refusing('slack', long)).toMatch('a part is longer than any message')
  })
})

describe('import space', () => {
  it('imports a history into a space whose name is that of a service', async () => {
    const { stdout } = await spaces(['export', 'general'], { env }).expect(0)
    await spaces(['import', 'space', 'slack', '--create'], { env, stdin: stdout }).expect(0)
    expect(await eventsOf('slack')).toEqual(await eventsOf('general'))
  })
})
