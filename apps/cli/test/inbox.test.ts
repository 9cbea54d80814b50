import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { cancelled } from '../src/failure.js'
import { runWith } from '../src/inbox/run-with.js'
import { type Actor, freshHome, MAIN, signedInAs, spaces, startSpaces, useServer } from './support/index.js'

const server = useServer()
let ada: Actor
let scout: Actor
let env: Record<string, string>
let space: string

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
})

/** A new agent, and a space in which Ada mentions it. */
async function agentsSpace() {
  scout = await server.registerAgent(ada)
  env = signedInAs(server, scout)
  const path = await server.openSpace(ada)
  space = path.slice('/api/spaces/'.length)
  const mention = (text: string) =>
    server
      .as(ada)
      .post(`${path}/speech`, { text, metadata: { mentions: [scout.actor_id] } })
      .expect(200)
  const unread = async () => (await server.as(scout).get('/api/actors/me/inbox').expect(200)).counts.unread
  const texts = async () => (await server.as(ada).get(`${path}/transcript`).expect(200)).map(textOf)
  return { path, mention, unread, texts }
}
const textOf = ({ text }: { text: string }) => text

describe('inbox', () => {
  it('shows what waits, and why, and says when nothing does', async () => {
    const { mention } = await agentsSpace()
    expect((await spaces(['inbox'], { env }).expect(0)).stdout).toBe('Nothing is waiting for you\n')
    await mention('Where to?')
    const { stdout } = await spaces(['inbox'], { env }).expect(0)
    for (const part of [space, 'Where to?', 'mentions you', 'spaces inbox done --all']) expect(stdout).toContain(part)
    expect((await spaces(['inbox', '--json'], { env }).expect(0)).json).toMatchObject({
      items: [{ space_id: space, kinds: ['mention'] }],
      counts: { unread: 1 },
    })
    const narrow = await spaces(['inbox', '--space', 'nowhere'], { env })
    narrow.expect(1, 'Space not found')
  })

  it('hides a decision or a notice until a time', async () => {
    const bob = await server.registerHuman('Bob')
    const path = await server.openSpace(ada)
    const place = spaceIdOf(path)
    await server.as(bob).post(`${path}/join`).expect(200)
    const { decision_id } = await server
      .as(ada)
      .post(`${path}/decisions`, { proposed_by: 'Ada', text: 'Sail on', assignees: [bob.actor_id] })
      .expect(200)
    const own = { env: signedInAs(server, bob) }
    await spaces(['inbox', 'snooze', place, '--decision', decision_id, '--until', '2h'], own).expect(0)
    expect((await spaces(['inbox'], own).expect(0)).stdout).toBe('Nothing is waiting for you\n')
    const hidden = (await spaces(['inbox', '--snoozed'], own).expect(0)).stdout
    expect(hidden).toMatch(/Sail on {2}Hidden until \d{4}-.*Z\n\nBring one back: /)
    await spaces(['inbox', 'snooze', place, '--decision', decision_id, '--until', 'now'], own).expect(0)
    expect((await spaces(['inbox', '--snoozed'], own).expect(0)).stdout).toBe('Nothing is snoozed\n')
    const { stdout } = await spaces(['inbox'], own).expect(0)
    expect(stdout).toContain('Sail on')
    await server.as(ada).post(`${path}/decisions`, { proposed_by: 'Ada', text: 'For any of us' }).expect(200)
    await spaces(['inbox', 'snooze', '--notice', 'last'], own).expect(0)
    expect((await spaces(['inbox'], own).expect(0)).stdout).not.toContain('is assigned to no one')
    await spaces(['inbox', 'snooze', '--notice', 'last', '--until', 'now'], own).expect(0)
    expect((await spaces(['inbox'], own).expect(0)).stdout).toContain('is assigned to no one')
    const unclear = await spaces(['inbox', 'snooze', place], own)
    unclear.expect(2, 'Say what to hide')
  })

  it('shows what is said in a conversation', async () => {
    await agentsSpace()
    const talk = await server.openConversation(ada, scout)
    await spaces(['say', spaceIdOf(talk), 'Between us'], { env: signedInAs(server, ada) }).expect(0)
    const { stdout } = await spaces(['inbox'], { env }).expect(0)
    for (const part of [spaceIdOf(talk), 'Between us', 'in a conversation of yours']) expect(stdout).toContain(part)
    expect((await spaces(['inbox', '--json'], { env }).expect(0)).json).toMatchObject({
      items: [{ space_id: spaceIdOf(talk), kinds: ['direct'] }],
      counts: { unread: 1 },
    })
  })

  it('says in a sentence what notices tell', async () => {
    const { path } = await agentsSpace()
    await server
      .as(ada)
      .put(`${path}/policy`, { loop_guard: { total: 0, per_agent: 1 } })
      .expect(200)
    await server.as(scout).post(`${path}/speech`, { text: 'One' }).expect(200)
    await server.as(scout).post(`${path}/speech`, { text: 'Two' }).expect(409)
    const proposal = { text: 'Go', proposed_by: scout.actor_id, assignees: [ada.actor_id] }
    const { decision_id } = await server.as(scout).post(`${path}/decisions`, proposal).expect(200)
    const shown = () => spaces(['inbox'], { env: signedInAs(server, ada) }).expect(0)
    await eventually(async () => (await shown()).stdout.includes(`The loop guard stopped ${scout.display_name}:`))
    const { stdout } = await shown()
    expect(stdout).toContain(`Decisions that wait for you\n${decision_id}`)
    expect(stdout.split(decision_id)).toHaveLength(2)
  })

  it('waits until there is something', async () => {
    const { mention } = await agentsSpace()
    const waiting = startSpaces(['inbox', '--wait', '--json'], { env })
    await mention('At last')
    expect((await waiting.end().expect(0)).json.items).toMatchObject([{ event: { text: 'At last' } }])
  })
})

describe('inbox done', () => {
  it('marks what was printed, and nothing that came later', async () => {
    const { mention, unread } = await agentsSpace()
    await mention('one')
    const { stdout } = await spaces(['inbox', '--json'], { env }).expect(0)
    await mention('two')
    expect((await spaces(['inbox', 'done', '--json'], { env, stdin: stdout }).expect(0)).json).toEqual({ ok: true })
    expect(await unread()).toBe(1)
  })

  it.each([
    ['--all', ['--all']],
    ['one of them', ['last']],
    ['a batch', []],
  ])('%s ends the claims of its holder on what is done', async (_, args) => {
    const { path, mention } = await agentsSpace()
    const [first, last] = [await mention('one'), await mention('two')]
    const events = args[0] === 'last' ? [last] : [first, last]
    for (const { event_id } of events) await spaces(['claim', 'take', space, '--event', event_id], { env }).expect(0)
    const { stdout: stdin } = await spaces(['inbox', '--json'], { env }).expect(0)
    await spaces(['inbox', 'done', ...args], { env, stdin }).expect(0)
    expect(await server.as(ada).get(`${path}/claims`).expect(200)).toEqual([])
  })

  it('marks all, or all of a space up to an event', async () => {
    const { mention, unread } = await agentsSpace()
    const { event_id } = await mention('one')
    await mention('two')
    await spaces(['inbox', 'done', space, event_id.slice(0, -1)], { env }).expect(0)
    expect(await unread()).toBe(1)
    expect((await spaces(['inbox', 'done', '--all'], { env }).expect(0)).stdout).toBe('Marked as done\n')
    expect(await unread()).toBe(0)
    expect((await spaces(['inbox', 'done', '--all'], { env }).expect(0)).stdout).toBe('Nothing was waiting for you\n')
  })

  it('marks up to an event that waits, which needs no space', async () => {
    const { mention, unread } = await agentsSpace()
    const { event_id } = await mention('one')
    await mention('two')
    await mention('three')
    await spaces(['inbox', 'done', event_id], { env }).expect(0)
    expect(await unread()).toBe(2)
    await spaces(['inbox', 'done', event_id], { env }).expect(1, 'List them: spaces inbox')
    await spaces(['inbox', 'done', 'last'], { env }).expect(0)
    expect(await unread()).toBe(0)
    await spaces(['inbox', 'done', 'last'], { env }).expect(1, 'there is none')
  })

  it.each([
    [[], '', 'Say what is done'],
    [[], 'nonsense', 'Standard input must be what'],
    [[], '{}', 'Standard input must be what'],
    [['plans'], '', 'An event of the space is required'],
    [['plans', '--all'], '', 'Name what is done, or use --all for all spaces'],
    [['last', '--all'], '', 'Name what is done, or use --all for all spaces'],
  ])('%j with %j on standard input is misuse', async (args, stdin, complaint) => {
    await agentsSpace()
    await spaces(['inbox', 'done', ...args], { env, stdin }).expect(2, complaint)
  })
})

describe('inbox done --declined', () => {
  it.each([
    [['--declined', 'I only read mail'], 'I only read mail'],
    [['--declined'], null],
  ])('%j tells the actor that asked', async (option, reason) => {
    const { path, mention, unread } = await agentsSpace()
    const { event_id } = await mention('one')
    await spaces(['inbox', 'done', 'last', ...option], { env }).expect(0)
    expect(await unread()).toBe(0)
    const receipts = await server.as(ada).get(`${path}/events/${event_id}/receipts`).expect(200)
    expect(receipts).toMatchObject([{ state: 'declined', reason }])
    const shown = await spaces(['event', 'show', space, event_id], { env: signedInAs(server, ada) }).expect(0)
    expect(shown.stdout).toContain(reason === null ? ': declined' : ': declined: I only read mail')
  })
})

describe('event show', () => {
  it('says where it stands with its recipients, as that moves', async () => {
    const { path, mention } = await agentsSpace()
    const { event_id } = await mention('one')
    const shows = (words: string) =>
      eventually(async () => {
        const { stdout } = await spaces(['event', 'show', space, event_id], { env: signedInAs(server, ada) }).expect(0)
        return stdout.includes(`${scout.actor_id}: ${words}`)
      })
    await shows('unreachable')
    await server.as(scout).get('/api/actors/me').expect(200)
    await shows('waiting since')
    await server.as(scout).get('/api/actors/me/inbox').expect(200)
    await shows('seen ')
    const { claim_id } = await server.as(scout).post(`${path}/claims`, { event_id }).expect(200)
    await shows('working until ')
    await server.as(scout).put(`${path}/progress`, { claim_id, text: 'Looking at maps' }).expect(200)
    await eventually(async () => {
      const { stdout } = await spaces(['event', 'show', space, event_id], { env: signedInAs(server, ada) }).expect(0)
      return /: working until .*: Looking at maps/.test(stdout)
    })
    await server.as(ada).post(`/api/actors/${scout.actor_id}/stop`, {}).expect(200)
    await shows('stopped since')
    await server.as(ada).post(`/api/actors/${scout.actor_id}/start`).expect(200)
    const reply = { text: 'To the sea', parent_event_id: event_id }
    const answer = await server.as(scout).post(`${path}/response`, reply).expect(200)
    await shows(`answered by ${answer.event_id}`)
  })

  it('says that it was marked as done without an answer', async () => {
    const { mention } = await agentsSpace()
    const { event_id } = await mention('one')
    await spaces(['inbox', 'done', 'last'], { env }).expect(0)
    const { stdout } = await spaces(['event', 'show', space, event_id], { env: signedInAs(server, ada) }).expect(0)
    expect(stdout).toContain(': marked as done without an answer')
  })
})

describe('--claim', () => {
  it('writes while the claim is held, and nothing after that', async () => {
    const { path, mention, unread, texts } = await agentsSpace()
    const { event_id } = await mention('one')
    const { claim_id } = await server.as(scout).post(`${path}/claims`, { event_id }).expect(200)
    const propose = async (text: string) =>
      (await server.as(scout).post(`${path}/decisions`, { text, proposed_by: scout.actor_id }).expect(200)).decision_id
    const [first, second] = [await propose('First'), await propose('Second')]
    const write = (args: readonly string[]) => spaces([...args, '--claim', `${claim_id}:1`], { env })
    const all = [
      ['say', space, 'Words'],
      ['decision', 'propose', space, 'A proposal'],
      ['decision', 'disapprove', space, first],
      ['decision', 'resolve', space, first, 'So be it'],
      ['decision', 'approve', space, second],
      ['decision', 'reject', space, second, 'No'],
    ]
    for (const args of all) await write(args).expect(0)
    await server.as(ada).post(`${path}/claims/${claim_id}/take-over`).expect(200)
    for (const args of all.slice(0, 2)) await write(args).expect(5, 'The claim is no longer yours')
    const third = await propose('Third')
    for (const verb of ['approve', 'disapprove'])
      await write(['decision', verb, space, third]).expect(5, 'The claim is no longer yours')
    for (const verb of ['resolve', 'reject'])
      await write(['decision', verb, space, third, 'So be it']).expect(5, 'The claim is no longer yours')
    await write(['inbox', 'done', space, event_id]).expect(5, 'The claim is no longer yours')
    expect(await unread()).toBe(1)
    expect(await texts()).toEqual(['one', 'Words'])
    await spaces(['say', space, 'Words', '--claim', claim_id], { env }).expect(2, 'It must be the ID of a claim')
  })
})

describe('read --wait', () => {
  it('prints what comes after an event', async () => {
    const { mention } = await agentsSpace()
    const { event_id } = await mention('zero')
    const waiting = startSpaces(['read', space, '--since', event_id, '--wait', '--json'], { env })
    await mention('one')
    expect((await waiting.end().expect(0)).json.map(textOf)).toEqual(['one'])
    await spaces(['read', space, '--wait', '--follow'], { env }).expect(2, 'cannot be used with')
  })
})

describe('decision show --wait', () => {
  it('ends when it is settled', async () => {
    const { path } = await agentsSpace()
    const proposal = { proposed_by: 'Ada', text: 'Go to the sea' }
    const { decision_id } = await server.as(ada).post(`${path}/decisions`, proposal).expect(200)
    const waiting = startSpaces(['decision', 'show', space, decision_id, '--wait', '--json'], { env })
    const settlement = { resolved_by: 'Ada', resolution: 'Yes', status: 'resolved' }
    await server.as(ada).put(`${path}/decisions/${decision_id}/resolve`, settlement).expect(200)
    expect((await waiting.end().expect(0)).json.status).toBe('resolved')
  })

  it('ends when it has expired', async () => {
    const { path } = await agentsSpace()
    const proposal = { proposed_by: 'Ada', text: 'Go', expires_at: new Date(Date.now() + 2_000).toISOString() }
    const { decision_id } = await server.as(ada).post(`${path}/decisions`, proposal).expect(200)
    const shown = await spaces(['decision', 'show', space, decision_id, '--wait', '--json'], { env }).expect(0)
    expect(shown.json).toMatchObject({ status: 'proposed', is_expired: true })
  })
})

describe('agent run', () => {
  /** Answers every event of the batch, with a key made of its id. */
  const ANSWER = `
    import { text } from 'node:stream/consumers'
    const { items } = JSON.parse(await text(process.stdin))
    for (const { space_id, event } of items) {
      const url = process.env.SPACES_URL + '/api/spaces/' + space_id + '/response'
      const headers = {
        authorization: 'Bearer ' + process.env.SPACES_TOKEN,
        'idempotency-key': 'answer to ' + event.event_id,
      }
      const body = JSON.stringify({ text: 'You said ' + event.text, parent_event_id: event.event_id })
      const { status } = await fetch(url, { method: 'POST', headers, body })
      if (status !== 200) process.exit(1)
    }`

  async function script(name: string, text: string): Promise<string[]> {
    const file = join(await freshHome(), name)
    await writeFile(file, text)
    return [process.execPath, file]
  }

  it('runs the command for each batch, and marks it as done', async () => {
    const { mention, unread, texts } = await agentsSpace()
    await mention('one')
    await mention('two')
    const running = startSpaces(['agent', 'run', '--json', '--', ...(await script('answer.mjs', ANSWER))], { env })
    await running.waitFor('"outcome":0')
    await mention('three')
    await eventually(async () => (await unread()) === 0 && (await texts()).includes('You said three'))
    running.kill('SIGTERM')
    const { lines } = await running.end().expect(0)
    expect(lines.map((line) => JSON.parse(line))[0]).toEqual({ events: 2, notices: 0, outcome: 0 })
    expect((await texts()).filter((text: string) => text.startsWith('You'))).toEqual([
      'You said one',
      'You said two',
      'You said three',
    ])
  })

  it('gives a batch again after the command has failed, and says so', async () => {
    const { mention, unread } = await agentsSpace()
    await mention('one')
    const seen = join(await freshHome(), 'seen')
    const command = await script(
      'fail-once.mjs',
      `import { appendFileSync, readFileSync } from 'node:fs'
       appendFileSync(${JSON.stringify(seen)}, readFileSync(0, 'utf8'))
       process.exit(readFileSync(${JSON.stringify(seen)}, 'utf8').split('\\n').length > 2 ? 0 : 7)`,
    )
    const running = startSpaces(['agent', 'run', '--', ...command], { env })
    await eventually(async () => (await unread()) === 0)
    running.kill('SIGINT')
    await running.end().expect(0, 'The command failed (7). It will be run again')
    const batches = (await readFile(seen, 'utf8')).trim().split('\n')
    expect(
      batches.map((batch) => JSON.parse(batch).items.map(({ event }: { event: { text: string } }) => event.text)),
    ).toEqual([['one'], ['one']])
  })

  it('answers each event once, though it is killed at any moment', async () => {
    const { mention, unread, texts } = await agentsSpace()
    const command = await script('answer.mjs', ANSWER)
    for (let round = 0; round < 5; round++) {
      const running = startSpaces(['agent', 'run', '--', ...command], { env })
      for (let n = 0; n < 4; n++) await mention(`${round}.${n}`)
      await eventually(async () => (await texts()).filter((text: string) => text.startsWith('You')).length > round * 3)
      running.kill('SIGKILL')
    }
    startSpaces(['agent', 'run', '--', ...command], { env })
    await eventually(async () => (await unread()) === 0)
    const all: string[] = await texts()
    const asked = all.filter((text) => !text.startsWith('You')).sort()
    const answered = all.filter((text) => text.startsWith('You')).map((text) => text.slice('You said '.length))
    expect(answered.sort()).toEqual(asked)
  })

  describe('claims what it hands to the command', () => {
    /** Commands of a shell, in which `spaces` is the one that is tested. */
    const shell = (text: string) => ['sh', '-c', `spaces() { "${process.execPath}" "${MAIN}" "$@"; }\n${text}`]
    const claimsIn = (path: string) => server.as(ada).get(`${path}/claims`).expect(200)
    const openTo = async (agent: Actor) => {
      const path = await server.openSpace(ada)
      const body = { text: 'Elsewhere', metadata: { mentions: [agent.actor_id] } }
      const { event_id } = await server.as(ada).post(`${path}/speech`, body).expect(200)
      return { path, event_id, space_id: path.slice('/api/spaces/'.length) }
    }

    it('event by event, and leaves what others have claimed, and what comes after it there', async () => {
      const { path, mention, unread } = await agentsSpace()
      const [first, foreign] = [await mention('one'), await mention('two')]
      await mention('three')
      const other = await openTo(scout)
      const { claim_id } = await server.as(ada).post(`${path}/claims`, { event_id: foreign.event_id }).expect(200)
      const batches = join(await freshHome(), 'batches')
      const command = shell(`cat >> "${batches}"; echo "$SPACES_CLAIMS" >> "${batches}"`)
      const running = startSpaces(['agent', 'run', '--', ...command], { env })
      await eventually(async () => (await unread()) === 2)
      const [batch, claims] = (await readFile(batches, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const items: { event: { event_id: string }; claim: object }[] = batch.items
      expect(items.map(({ event }) => event.event_id).sort()).toEqual([first.event_id, other.event_id].sort())
      for (const { event, claim } of items)
        expect(claim).toMatchObject({ event_id: event.event_id, holder: scout.actor_id, fence: 1 })
      const handed = ['space_id', 'event_id', 'claim_id', 'fence']
      expect(claims).toEqual(
        items.map(({ claim }) => Object.fromEntries(handed.map((name) => [name, claim[name as never]]))),
      )
      await server.as(ada).delete(`${path}/claims/${claim_id}`).expect(200)
      await eventually(async () => (await unread()) === 0)
      running.kill('SIGTERM')
      await running.end().expect(0)
      expect([...(await claimsIn(path)), ...(await claimsIn(other.path))]).toEqual([])
    })

    it('but nothing of a space that is not active', async () => {
      const { path, mention, unread } = await agentsSpace()
      await mention('one')
      await server.as(ada).post(`${path}/archive`).expect(200)
      const other = await openTo(scout)
      startSpaces(['agent', 'run', '--', ...(await script('answer.mjs', ANSWER))], { env })
      const answers = async () => (await server.as(ada).get(`${other.path}/transcript`).expect(200)).map(textOf)
      await eventually(async () => (await answers()).includes('You said Elsewhere'))
      await eventually(async () => (await unread()) === 1)
    })

    it('and renews the claims while it runs', async () => {
      const { path, mention } = await agentsSpace()
      await mention('one')
      const running = startSpaces(['agent', 'run', '--', ...shell('exec sleep 100')], { env, longestMs: 100_000 })
      const [claim] = await eventually(async () => {
        const claims = await claimsIn(path)
        return claims.length > 0 && claims
      })
      await eventually(async () => (await claimsIn(path))[0].expires_at > claim.expires_at)
      expect((await claimsIn(path))[0]).toMatchObject({ claim_id: claim.claim_id, fence: claim.fence })
      running.kill('SIGTERM')
      await running.end()
      await eventually(async () => (await claimsIn(path)).length === 0)
    })

    it('and has the commands of this program write with them', async () => {
      const { path, mention, texts, unread } = await agentsSpace()
      const [first, second] = [await mention('one'), await mention('two')]
      const other = await openTo(scout)
      const go = join(await freshHome(), 'go')
      const say = (where: string, text: string, event: string) =>
        `spaces say ${where} ${text} --reply-to ${event} --key "${text}"`
      const command = shell(`
        until [ -e "${go}" ]; do sleep 0.1; done
        ${say(space, 'First', first.event_id)}
        ${say(space, 'Second', second.event_id)}
        ${say(other.space_id, 'Third', other.event_id)}
        spaces inbox done ${space} ${second.event_id}
        spaces decision propose ${space} Fourth
        exit 0`)
      const running = startSpaces(['agent', 'run', '--', ...command], { env })
      const claims = await eventually(async () => {
        const claims = await claimsIn(path)
        return claims.length === 2 && claims
      })
      await eventually(async () => (await claimsIn(other.path)).length === 1)
      const of = (id: string) => claims.find(({ event_id }: { event_id: string }) => event_id === id).claim_id
      await server
        .as(ada)
        .post(`${path}/claims/${of(second.event_id)}/take-over`)
        .expect(200)
      await writeFile(go, '')
      await eventually(() =>
        running.stderr.includes('no longer yours: it has lapsed, or was taken or given back since. Trying again'),
      )
      running.kill('SIGTERM')
      await running.end()
      expect(await texts()).toEqual(['one', 'two', 'First'])
      expect(await server.as(ada).get(`${path}/decisions`).expect(200)).toEqual([])
      expect((await server.as(ada).get(`${other.path}/transcript`).expect(200)).map(textOf)).toEqual([
        'Elsewhere',
        'Third',
      ])
      expect(await unread()).toBe(2)
    })

    it('but not those that another account writes', async () => {
      const { path, mention, texts } = await agentsSpace()
      await mention('one')
      const home = await freshHome()
      const grace = await server.registerHuman('Grace')
      await server.as(grace).post(`${path}/join`).expect(200)
      await spaces(['login', '--profile', 'grace', '--url', server.url], { home, stdin: grace.api_key }).expect(0)
      const command = shell(`spaces say ${space} "From Grace" --profile grace`)
      const running = startSpaces(['agent', 'run', '--', ...command], { env, home })
      await eventually(async () => (await texts()).includes('From Grace'))
      running.kill('SIGTERM')
      await running.end().expect(0)
    })
  })

  it('says that it is stopped, also while it waits, and goes on when it is started', async () => {
    const { mention, unread, texts } = await agentsSpace()
    const set = (verb: string, body: object = {}) =>
      server.as(ada).post(`/api/actors/${scout.actor_id}/${verb}`, body).expect(200)
    await mention('one')
    const running = startSpaces(['agent', 'run', '--', ...(await script('answer.mjs', ANSWER))], { env })
    await eventually(async () => (await unread()) === 0)
    await set('stop', { reason: 'Enough' })
    await running.waitForNote('Stopped: Enough')
    await mention('two')
    await set('start')
    await eventually(async () => (await texts()).includes('You said two'))
    running.kill('SIGTERM')
    await running.end().expect(0)
  })

  it.each([
    ['is stopped', () => server.as(ada).post(`/api/actors/${scout.actor_id}/stop`, {}).expect(200)],
    ['loses the space', () => server.as(ada).delete(`/api/spaces/${space}/participants/${scout.actor_id}`).expect(200)],
  ])('goes on when the agent %s while its command runs', async (_, change) => {
    const { path, mention, unread } = await agentsSpace()
    await server.as(ada).patch(path, { visibility: 'private' }).expect(200)
    await server.as(ada).post(`${path}/participants`, { actor_id: scout.actor_id }).expect(200)
    const [began, go] = [join(await freshHome(), 'began'), join(await freshHome(), 'go')]
    await mention('one')
    const command = ['sh', '-c', `cat > "${began}"; until [ -e "${go}" ]; do sleep 0.1; done`]
    const running = startSpaces(['agent', 'run', '--', ...command], { env })
    await eventually(() => existsSync(began))
    await change()
    await writeFile(go, '')
    await running.waitForNote('Trying again')
    await server.as(ada).post(`/api/actors/${scout.actor_id}/start`).expect(200)
    const other = await server.openSpace(ada)
    const later = { text: 'Later', metadata: { mentions: [scout.actor_id] } }
    await server.as(ada).post(`${other}/speech`, later).expect(200)
    await eventually(async () => (await unread()) === 0)
    running.kill('SIGTERM')
    await running.end().expect(0)
  })

  it('begins no command after an interruption', async () => {
    const settings = { env: {}, signal: AbortSignal.abort(cancelled()), output: 1 }
    await expect(runWith(['no-such-program'], {}, settings)).rejects.toThrow('Cancelled')
  })

  it('ends when the key is replaced, and when there is no such command', async () => {
    const { mention } = await agentsSpace()
    const running = startSpaces(['agent', 'run', '--', 'true'], { env })
    await mention('one')
    await server.as(scout).post(`/api/actors/${scout.actor_id}/rotate-key`).expect(200)
    await running.end().expect(4, 'spaces login')
    await agentsSpace()
    const [, file = ''] = await script('no-program.txt', '')
    for (const program of ['no-such-command', './no-such-file', file])
      await spaces(['agent', 'run', '--', program], { env }).expect(
        1,
        `Cannot run ${program}: there is no such program`,
      )
    await spaces(['agent', 'run'], { env }).expect(2, "missing required argument 'command'")
  })

  it('says at its start which agent runs where, for which sponsor and with what', async () => {
    await agentsSpace()
    const running = startSpaces(['agent', 'run', '--', 'true', 'again'], { env })
    await running.waitForNote('Stop it with Ctrl-C')
    running.kill('SIGTERM')
    const { stderr } = await running.end().expect(0)
    expect(stderr).toContain(
      `${scout.display_name}, sponsored by Ada, on ${server.url} runs for each batch of its inbox`,
    )
    expect(stderr).toContain('true again')
  })

  it('gives a program of its own what it needs for requests', async () => {
    const { path, mention, texts } = await agentsSpace()
    const { api_key: _, ...me } = scout
    const home = await freshHome()
    await spaces(['login', '--url', server.url, '--profile', 'scout'], { home, stdin: scout.api_key }).expect(0)
    await mention('one')
    const program = await script(
      'own.mjs',
      `const { SPACES_URL, SPACES_TOKEN, SPACES_INSTALLATION_ID } = process.env
      const headers = { authorization: 'Bearer ' + SPACES_TOKEN, 'x-installation-id': SPACES_INSTALLATION_ID }
      const request = (path, options) => fetch(SPACES_URL + path, { headers, ...options })
      const { items: [{ event }] } = await (await request('/api/actors/me/inbox')).json()
      const body = JSON.stringify({ text: 'You said ' + event.text })
      await request('${path}/response', { method: 'POST', body })`,
    )
    await spaces(['agent', 'connect', me.actor_id, '--installation', 'here'], { env }).expect(0)
    const running = startSpaces(['agent', 'run', '--profile', 'scout', '--installation', 'here', '--', ...program], {
      home,
    })
    const own = { env: { ...env, SPACES_INSTALLATION_ID: 'here' } }
    await eventually(async () => (await spaces(['inbox'], own).expect(0)).stdout === 'Nothing is waiting for you\n')
    expect(await texts()).toContain('You said one')
    running.kill('SIGTERM')
    await running.end().expect(0)
    await spaces(['inbox'], { env }).expect(5, 'connected to another installation')
  })

  it('names the installation that it runs in', async () => {
    const { mention } = await agentsSpace()
    const unreadHere = async () => {
      const from = { headers: { 'x-installation-id': 'here' } }
      return (await server.as(scout).get('/api/actors/me/inbox', from).expect(200)).counts.unread
    }
    await spaces(['agent', 'connect', scout.actor_id, '--installation', 'here'], { env }).expect(0)
    await mention('one')
    await spaces(['agent', 'run', '--', 'true'], { env }).expect(5, 'connected to another installation')
    const running = startSpaces(['agent', 'run', '--installation', 'here', '--', 'true'], { env })
    await eventually(async () => (await unreadHere()) === 0)
    running.kill('SIGTERM')
    await running.end().expect(0)
  })
})
