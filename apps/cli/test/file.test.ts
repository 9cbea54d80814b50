import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useDirectory } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { safeName } from '../src/file/download.js'
import { type Actor, signedInAs, spaces, useServer } from './support/index.js'

const server = useServer()
const directory = useDirectory()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  await server.openSpace(ada, 'plans')
})

const run = (args: readonly string[], options: Parameters<typeof spaces>[1] = {}) => spaces(args, { env, ...options })

/** Posts an event with files, and returns these. */
async function postFiles(
  ...paths: string[]
): Promise<{ file_id: string; name: string; content_type: string; size: number }[]> {
  const flags = paths.flatMap((path) => ['--file', path])
  return (await run(['say', 'plans', 'Look', ...flags, '--json']).expect(0)).json.files
}

const at = (name: string) => join(directory.path, name)

async function saved(name: string, bytes: Uint8Array = randomBytes(1_000)): Promise<string> {
  await writeFile(at(name), bytes)
  return at(name)
}

describe('say --file', () => {
  it('attaches files in the given order, with types by their extensions', async () => {
    const files = await postFiles(await saved('map.png'), await saved('notes.MD'), await saved('data'))
    expect(files.map(({ name, content_type }) => [name, content_type])).toEqual([
      ['map.png', 'image/png'],
      ['notes.MD', 'text/markdown'],
      ['data', 'application/octet-stream'],
    ])
  })

  it('attaches standard input, and shows names and sizes', async () => {
    const { stdout } = await run(['say', 'plans', 'Look', '--file', '-'], { stdin: 'x'.repeat(2_048) }).expect(0)
    expect(stdout).toContain('+ stdin (2.0 KiB)')
  })

  it('uploads files once with one idempotency key', async () => {
    const say = ['say', 'plans', 'Once', '--key', 'k1', '--json']
    for (const name of ['k1.png', 'k2.png']) say.push('--file', await saved(name))
    const once = (await run(say).expect(0)).json
    const files = await server.as(ada).get('/api/spaces/plans/files').expect(200)
    expect((await run(say).expect(0)).json).toEqual(once)
    expect(await server.as(ada).get('/api/spaces/plans/files').expect(200)).toEqual(files)
  })

  it.each([[['-']], [[]]])('needs a text when standard input is a file: %j', async (words) => {
    const complaint = 'TEXT is required, as standard input is a file'
    await run(['say', 'plans', ...words, '--file', '-'], { stdin: 'x' }).expect(2, complaint)
  })

  it('posts nothing if a file cannot be read', async () => {
    const before = await server.as(ada).get('/api/spaces/plans/status').expect(200)
    await run(['say', 'plans', 'Look', '--file', await saved('a'), '--file', 'nowhere']).expect(
      2,
      'Cannot read nowhere',
    )
    await run(['say', 'plans', 'Look', '--file', '']).expect(2, 'or - for standard input')
    const after = await server.as(ada).get('/api/spaces/plans/status').expect(200)
    expect(after.event_count).toBe(before.event_count)
  })
})

describe('a list', () => {
  it('names the files of a short text, except deleted ones', async () => {
    const space = await server.openSpace(ada, 'drafts')
    const bob = await server.registerHuman('Bob')
    const names = ['plan.pdf', 'a.png', 'b.png']
    const file_ids: string[] = []
    for (const name of names) {
      file_ids.push((await server.as(bob).post(`${space}/files?name=${name}`, name).expect(200)).file_id)
    }
    const metadata = { mentions: [ada.actor_id] }
    const event = await server.as(bob).post(`${space}/speech`, { text: 'Here', file_ids, metadata }).expect(200)
    const about = { parent_event_id: event.event_id, subject: 'Plan' }
    const { thread_id } = await server.as(ada).post(`${space}/threads`, about).expect(200)
    const [last_id] = [(await server.as(bob).post(`${space}/files?name=last.txt`, 'x').expect(200)).file_id]
    const last = { text: '👍', thread_id, file_ids: [last_id] }
    await server.as(bob).post(`${space}/speech`, last).expect(200)
    const shown = async (...args: string[]) => (await run(args).expect(0)).stdout
    expect(await shown('activity', 'drafts')).toMatch(/Here \(plan\.pdf and 2 other files\)[\s\S]*Sent last\.txt/)
    expect(await shown('thread', 'list', 'drafts')).toContain('Bob: Sent last.txt')
    expect(await shown('search', 'here', '--space', 'drafts')).toContain('+ plan.pdf and 2 other files')
    await server.as(bob).delete(`${space}/files/${file_ids[0]}`).expect(200)
    await server.as(bob).delete(`${space}/files/${last_id}`).expect(200)
    expect(await shown('activity', 'drafts')).toMatch(/Here \(a\.png and 1 other file\)[\s\S]*👍/)
    expect(await shown('thread', 'list', 'drafts')).toContain('Bob: 👍')
  })
})

describe('file', () => {
  it('lists files, and downloads one by its ID', async () => {
    const bytes = randomBytes(300_000)
    const [file] = await postFiles(await saved('first.bin', bytes))
    const { stdout } = await run(['file', 'list', 'plans', '--limit', '1']).expect(0)
    expect(stdout).toMatch(/first\.bin\s+293 KiB\s+application\/octet-stream/)
    await run(['file', 'get', 'plans', file?.file_id as string, '--output', at('copy.bin')]).expect(0)
    expect((await readFile(at('copy.bin'))).equals(bytes)).toBe(true)
    expect(await readdir(directory.path)).not.toContain('copy.bin.part')
  })

  it('downloads one with the longest name', async () => {
    const name = `${'ü'.repeat(251)}.csv`
    const path = `/api/spaces/plans/files?name=${encodeURIComponent(name)}`
    const { file_id } = await server.as(ada).post(path, 'x').expect(200)
    const { stderr } = await run(['file', 'get', 'plans', file_id]).expect(0)
    expect(stderr).toMatch(/^Saved ü+\.csv$/m)
  })

  it('never replaces a file', async () => {
    const [file] = await postFiles(await saved('second.bin'))
    const args = ['file', 'get', 'plans', file?.file_id as string, '--output', at('second.bin')]
    await run(args).expect(2, 'second.bin exists already')
  })

  it('continues an interrupted download, and rejects bytes of another file', async () => {
    const bytes = randomBytes(500_000)
    const [file] = await postFiles(await saved('third.bin', bytes))
    const id = file?.file_id as string
    await saved('whole.part', bytes.subarray(0, 123_456))
    await run(['file', 'get', 'plans', id, '--output', at('whole')]).expect(0)
    expect((await readFile(at('whole'))).equals(bytes)).toBe(true)
    await saved('other.part', randomBytes(10))
    await run(['file', 'get', 'plans', id, '--output', at('other')]).expect(1, 'The bytes are not those of the file')
    expect((await readdir(directory.path)).filter((name) => name.startsWith('other'))).toEqual([])
    await run(['file', 'get', 'plans', id, '--output', at('other')]).expect(0)
  })

  it('deletes a file', async () => {
    const [file] = await postFiles(await saved('fourth.bin'))
    const id = file?.file_id as string
    await run(['file', 'delete', 'plans', id, '--yes']).expect(0)
    await run(['file', 'get', 'plans', id, '--output', at('gone')]).expect(1, 'The file was deleted')
    const { stdout } = await run(['file', 'list', 'plans', '--limit', '1']).expect(0)
    expect(stdout).toContain('deleted')
  })
})

describe('safeName', () => {
  it.each([
    ['plan.md', 'plan.md'],
    ['.bashrc', 'bashrc'],
    ['--help', 'help'],
    ['a:b?.txt', 'a_b_.txt'],
    ['ex\u202egnp.exe', 'ex_gnp.exe'],
    ['..', 'fil_a'],
    ['Übersicht (1).csv', 'Übersicht (1).csv'],
    [`${'ü'.repeat(251)}.csv`, `${'ü'.repeat(123)}.csv`],
    [`a${'👍'.repeat(254)}`, `a${'👍'.repeat(62)}`],
    [`a.${'x'.repeat(253)}`, `a.${'x'.repeat(248)}`],
  ])('turns %j into %j', (name, safe) => {
    expect(safeName({ name, file_id: 'fil_a' })).toBe(safe)
  })
})
