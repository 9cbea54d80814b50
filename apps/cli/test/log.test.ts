import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { query, startProgram, urlOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Actor,
  configIn,
  eventually,
  freshHome,
  homeOfFile,
  signedInAs,
  spaces,
  useServer,
} from './support/index.js'

const server = useServer({ SERVER_KEY: '5a'.repeat(32) })
let ada: Actor
let env: Record<string, string>
let key: string

const fileNamed = (name: string) => join(homeOfFile(), name)

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  key = (await server.get('/log/keys')).text.trim()
})

async function tell(space: string, texts: readonly string[]): Promise<void> {
  for (const text of texts) await server.as(ada).post(`/api/spaces/${space}/speech`, { text }).expect(200)
  await sealed(space, texts.length)
}

const sealed = (space: string, size: number, tree = 'events') =>
  eventually(async () => {
    const { status, body } = await server.as(ada).get(`/api/spaces/${space}/log/checkpoint?tree=${tree}`)
    return status === 200 && body.size >= size
  })

async function exported(space: string, name: string): Promise<string> {
  const { stdout } = await spaces(['log', 'export', space], { env }).expect(0)
  await writeFile(fileNamed(name), stdout)
  return fileNamed(name)
}

describe('log verify --files', () => {
  it('compares files with the sealed history, on the server and in an export', async () => {
    await server.openSpace(ada, 'filed')
    const files = join(homeOfFile(), 'files')
    await mkdir(files)
    await writeFile(join(files, 'one.txt'), 'One')
    await spaces(['say', 'filed', 'Look', '--file', join(files, 'one.txt')], { env }).expect(0)
    await sealed('filed', 1)
    const log = await exported('filed', 'filed.log')
    const checks = [
      ['log', 'verify', 'filed', '--files', files],
      ['log', 'verify', log, '--key', key, '--files', files],
    ]
    for (const args of checks) await spaces(args, { env }).expect(0, '1 file as sealed')
    await writeFile(join(files, 'two.txt'), 'Two')
    for (const args of checks)
      await spaces(args, { env }).expect(1, 'two.txt is not a file of this history as it was sealed')
  })
})

describe('log export and verify', () => {
  it('prove a history offline, and its consistency with an earlier checkpoint', async () => {
    await server.openSpace(ada, 'exported')
    await tell('exported', ['One', 'Two'])
    const earlier = await exported('exported', 'earlier.log')
    await tell('exported', ['Three', 'Four', 'Five'])
    await sealed('exported', 5)
    const later = await exported('exported', 'later.log')
    const offline = { env: { XDG_CONFIG_HOME: homeOfFile() } }
    const { stdout } = await spaces(['log', 'verify', later, '--key', key, '--since', earlier], offline).expect(0)
    expect(stdout).toBe('exported, events: all 5 entries as sealed\n')
    const { json } = await spaces(['log', 'verify', later, '--key', key, '--json'], offline).expect(0)
    expect(json).toMatchObject({ size: 5, epoch: 1, redactions: 0, redacted: [] })
    await spaces(['log', 'verify', earlier, '--key', key, '--since', later], offline).expect(
      1,
      'it has 2 entries, and had 5 at the earlier checkpoint. The first bad position is 3',
    )
    const text = await readFile(later, 'utf8')
    await writeFile(later, text.replace('"Four"', '"Fore"'))
    await spaces(['log', 'verify', later, '--key', key], offline).expect(1, 'The first bad position is 4')
    await spaces(['log', 'verify', later, '--key', 'nonsense'], offline).expect(1, 'Cannot read nonsense')
    await spaces(['log', 'verify', later, '--since', earlier], offline).expect(2, '--since is for files: add --key')
  })

  it('remember checkpoints of a space, and detect entries that were rewritten since', async () => {
    await server.openSpace(ada, 'watched')
    await tell('watched', ['One', 'Two', 'Three'])
    const { stdout } = await spaces(['log', 'verify', 'watched'], { env }).expect(0)
    expect(stdout).toBe('watched, events: all 3 entries as sealed\nwatched, decisions: all 0 entries as sealed\n')
    await spaces(['log', 'verify', 'watched'], { env }).expect(0)
    await query(
      server.connection,
      `UPDATE events SET wire = replace(wire, '"Two"', '"Too"') WHERE space_id = 'watched' AND position = 2`,
    )
    await spaces(['log', 'verify', 'watched'], { env }).expect(1, 'The first bad position is 2')
    await beginAnew('watched')
    await server.as(ada).post('/api/spaces/watched/speech', { text: 'Four' }).expect(200)
    await sealed('watched', 4)
    const rewritten = 'its first 3 entries are not those of the earlier checkpoint'
    await spaces(['log', 'verify', 'watched'], { env }).expect(1, rewritten)
    await spaces(['log', 'verify', 'watched', '--accept-new'], { env }).expect(1, rewritten)
  })

  it('show the key on first use', async () => {
    await server.openSpace(ada, 'first')
    const elsewhere = { env, home: await freshHome() }
    const first = await spaces(['log', 'verify', 'first'], elsewhere).expect(0)
    expect(first.stderr).toContain(`First time at ${server.url}: its key is ${key}`)
    expect((await spaces(['log', 'verify', 'first'], elsewhere).expect(0)).stderr).not.toContain('First time')
  })

  it('reject a damaged pin', async () => {
    await server.openSpace(ada, 'pinned')
    const elsewhere = { env, home: await freshHome() }
    await spaces(['log', 'verify', 'pinned'], elsewhere).expect(0)
    const pins = join(dirname(configIn(elsewhere.home)), 'checkpoints.json')
    const text = await readFile(pins, 'utf8')
    await writeFile(pins, text.replace('pinned/events/1', 'pinned/events/2'))
    await spaces(['log', 'verify', 'pinned'], elsewhere).expect(1, 'remembers of pinned/events is damaged')
  })
})

/** Deletes the log as the owner of the tables, which needs no key: the next server to start signs what it finds. */
async function beginAnew(space: string): Promise<void> {
  await server.stop()
  await query(server.connection, 'DELETE FROM log_tiles WHERE space_id = $1', [space])
  await query(server.connection, 'DELETE FROM log_trees WHERE space_id = $1', [space])
  await server.start()
}

const operate = async (environment: Record<string, string>, ...words: string[]) => {
  const database = { DATABASE_URL: urlOf(server.connection) }
  expect(await startProgram({ ...database, ...environment }, words).end()).toBe(0)
}

describe('another key', () => {
  const OLD_KEY = { SERVER_KEY: '5a'.repeat(32) }
  const NEW_KEY = { SERVER_KEY: '6b'.repeat(32) }

  it('is rejected until it is accepted, and each history is checked against its last checkpoint', async () => {
    const watching = { env, home: await freshHome() }
    const ids = ['turned-a', 'turned-b', 'turned-c']
    for (const id of ids) {
      await server.openSpace(ada, id)
      await tell(id, ['One', 'Two', 'Three'])
      await spaces(['log', 'verify', id], watching).expect(0)
    }
    const earlier = await exported('turned-a', 'turned-earlier.log')
    const changed = `UPDATE events SET wire = replace(wire, '"Two"', '"Too"') WHERE space_id = 'turned-c' AND position = 2`
    await query(server.connection, changed)
    await beginAnew('turned-c')
    await server.as(ada).post('/api/spaces/turned-c/speech', { text: 'Four' }).expect(200)
    await sealed('turned-c', 4)
    await server.stop()
    await operate(NEW_KEY, 'server-key', 'forget', '--yes')
    const successor = startProgram({
      ...NEW_KEY,
      DATABASE_URL: urlOf(server.connection),
      PORT: new URL(server.url).port,
    })
    await successor.url()
    await spaces(['log', 'verify', 'turned-a'], watching).expect(5, 'Another key has signed this history')
    await operate(NEW_KEY, 'log', 'adopt', key)
    await eventually(async () => (await server.as(ada).get('/api/spaces/turned-a/log/checkpoint')).status === 200)
    await spaces(['log', 'verify', 'turned-a'], watching).expect(1, 'signs with another key than before')
    await spaces(['log', 'verify', 'turned-a', '--accept-new'], watching).expect(0)
    await spaces(['log', 'verify', 'turned-b'], watching).expect(0)
    await spaces(['log', 'verify', 'turned-c'], watching).expect(1, 'its first 3 entries are not those')

    const later = await exported('turned-a', 'turned-later.log')
    const newKey = (await server.get('/log/keys')).text.trim()
    const since = ['log', 'verify', later, '--key', newKey, '--since', earlier]
    await spaces(since).expect(1, 'no checkpoint that this key has signed')
    await spaces([...since, '--since-key', key]).expect(0)
    await spaces(['log', 'verify', later, '--key', newKey, '--accept-new']).expect(2, '--accept-new is for --since')

    await operate(NEW_KEY, 'log', 'new-epoch', '--yes')
    await eventually(async () => {
      const { status, body } = await server.as(ada).get('/api/spaces/turned-b/log/checkpoint')
      return status === 200 && body.epoch > 1 && body.size === 3
    })
    await spaces(['log', 'verify', 'turned-b'], watching).expect(1, 'the operator has begun it anew')
    await spaces(['log', 'verify', 'turned-b', '--accept-new'], watching).expect(0)
    await successor.kill('SIGTERM')
    await operate(OLD_KEY, 'server-key', 'forget', '--yes')
    await server.start()
    await operate(OLD_KEY, 'log', 'adopt', newKey)
  })
})

describe('log receipt', () => {
  it('of a decision proves who proposed it and which humans approved it', async () => {
    await server.openSpace(ada, 'decided')
    const grace = await server.registerHuman('Grace')
    const scout = await server.registerAgent(ada, 'Scout')
    const decisions = '/api/spaces/decided/decisions'
    const proposal = { proposed_by: 'Scout', text: 'Go' }
    const { decision_id } = await server.as(scout).post(decisions, proposal).expect(200)
    await server.as(grace).post(`${decisions}/${decision_id}/reviews`, { verdict: 'approve' }).expect(200)
    const settlement = { resolved_by: 'Ada', resolution: 'Yes', status: 'resolved' }
    await server.as(ada).put(`${decisions}/${decision_id}/resolve`, settlement).expect(200)
    await sealed('decided', 3, 'decisions')
    const { stdout } = await spaces(['log', 'receipt', 'decided', decision_id], { env }).expect(0)
    const path = fileNamed('receipt.json')
    await writeFile(path, stdout)
    const keys = fileNamed('keys.txt')
    await writeFile(keys, `${key}\n`)
    const proven = await spaces(['log', 'verify', path, '--key', keys]).expect(0)
    expect(proven.stdout).toContain(`${scout.actor_id}, an agent of ${ada.actor_id}, proposed: Go`)
    expect(proven.stdout).toContain(`${grace.actor_id} approved`)
    expect(proven.stdout).toContain('1 of 0 approvals')
    expect(proven.stdout).toContain('rules then: settled by: anyone')
    await writeFile(path, stdout.replace(grace.actor_id, ada.actor_id))
    await spaces(['log', 'verify', path, '--key', keys]).expect(1, 'position 2 is not what was sealed')
  })

  it('of an event proves its text', async () => {
    await server.openSpace(ada, 'said')
    await tell('said', ['One', 'Two'])
    const [, { event_id }] = await server.as(ada).get('/api/spaces/said/events').expect(200)
    const { stdout } = await spaces(['log', 'receipt', 'said', '--event', event_id], { env }).expect(0)
    await writeFile(fileNamed('event.json'), stdout)
    const { json } = await spaces(['log', 'verify', fileNamed('event.json'), '--key', key, '--json']).expect(0)
    expect(json).toMatchObject({ subject: 'event', size: 2, entries: [{ position: 2, value: { text: 'Two' } }] })
    await spaces(['log', 'receipt', 'said'], { env }).expect(2, 'Name either a decision or --event')
  })
})

describe('audit export', () => {
  it('proves the security log, and continues after a position', async () => {
    const grace = await server.registerHuman('Grace')
    await server.as(grace).post('/api/tenants', { name: 'Acme' }).expect(200)
    const own = { env: signedInAs(server, grace) }
    const size = await eventually(async () => {
      const { status, body } = await server.as(grace).get('/api/audit/log/checkpoint')
      return status === 200 && body.size >= 1 && body.size
    })
    const all = await spaces(['audit', 'export'], own).expect(0)
    await writeFile(fileNamed('audit.log'), all.stdout)
    const { stdout } = await spaces(['log', 'verify', fileNamed('audit.log'), '--key', key]).expect(0)
    expect(stdout).toMatch(/^security log: all \d+ entr(y|ies) as sealed\n$/)
    const rest = await spaces(['audit', 'export', '--after', String(size)], own).expect(0)
    expect(rest.stdout).not.toContain('"member.joined"')
  })
})
