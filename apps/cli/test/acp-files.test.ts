import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Actor, eventually, freshHome, signedInAs, startSpaces, useServer } from './support/index.js'

const LIMIT = 100_000
const server = useServer({ FILE_MAX_BYTES: String(LIMIT) })
const SCRIPTED = fileURLToPath(new URL('support/acp-agent.mjs', import.meta.url))

interface Answer {
  readonly text: string
  readonly posted_by: string
  readonly files?: readonly { readonly file_id: string; readonly name: string; readonly size: number }[]
}

/** Creates an agent that works in a directory of its own. */
async function team() {
  const ada: Actor = await server.registerHuman('Ada')
  const path = await server.openSpace(ada)
  const scout = await server.registerAgent(ada)
  await server.as(scout).post(`${path}/join`).expect(200)
  const home = await freshHome()
  const env = { ...signedInAs(server, scout), AGENT_LOG: join(home, 'agent.log') }
  const answers = async (): Promise<Answer[]> =>
    (await server.as(ada).get(`${path}/events`).expect(200)).filter(
      (event: Answer) => event.posted_by === scout.actor_id,
    )
  return {
    home,
    path,
    scout,
    answers,
    outbox: join(home, 'outbox'),
    memory: join(home, '.config/spaces/agents', `${scout.actor_id}.json`),
    received: join(home, 'received'),
    run: (more: Record<string, string> = {}) =>
      startSpaces(['agent', 'run', '--acp', `"${process.execPath}" "${SCRIPTED}"`], {
        env: { ...env, ...more },
        home,
        longestMs: 120_000,
      }),
    mention: (text: string, file_ids: readonly string[] = []) =>
      server
        .as(ada)
        .post(`${path}/speech`, { text, metadata: { mentions: [scout.actor_id] }, file_ids })
        .expect(200),
    upload: async (name: string, bytes: string | Buffer): Promise<string> =>
      (await server.as(ada).post(`${path}/files?name=${name}`, bytes).expect(200)).file_id,
    unread: async () => (await server.as(scout).get('/api/actors/me/inbox').expect(200)).counts.unread,
    remove: (file_id: string) => server.as(ada).delete(`${path}/files/${file_id}`).expect(200),
    files: async () => server.as(ada).get(`${path}/files`).expect(200),
    contentOf: (file_id: string) => server.as(ada).get(`${path}/files/${file_id}/content`),
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

const namesOf = ({ files = [] }: Answer) => files.map(({ name }) => name)

describe('files that an agent writes to outbox/', () => {
  it('are attached to its answer, under safe names, and moved away', async () => {
    const { run, mention, answers, outbox, unread } = await team()
    await mention('say Here.\nwrite plan.txt To the sea\nwrite reports/.hidden x\nwrite reports/a%20b%3F.md # Plan')
    run()
    const [answer] = await eventually(async () => ((await unread()) === 0 ? answers() : null))
    expect(answer?.text).toBe('Here.')
    expect(answer && namesOf(answer)).toEqual(['plan.txt', 'reports_a b_.md'])
    expect(answer?.files?.[0]).toMatchObject({ content_type: 'text/plain', size: 10 })
    const [left] = await eventually(() => (readdirSync(outbox)[0]?.endsWith('.sent') ? readdirSync(outbox) : null))
    expect(readFileSync(join(outbox, left as string, 'plan.txt'), 'utf8')).toBe('To the sea')
    await mention('say Again.')
    await eventually(async () => (await answers()).length === 2)
    expect((await answers()).map(namesOf)).toEqual([['plan.txt', 'reports_a b_.md'], []])
  })

  it('are sent as an answer without text', async () => {
    const { run, mention, answers } = await team()
    await mention('say NO ANSWER\nwrite plan.txt x')
    run()
    await eventually(async () => (await answers()).length === 1)
    expect(await answers()).toMatchObject([{ text: 'Sent plan.txt', files: [{ name: 'plan.txt' }] }])
  })

  it('are omitted and named if they are links, too large or too many', async () => {
    const { run, mention, answers } = await team()
    const many = Array.from({ length: 10 }, (_, at) => `write c${at}.txt x`).join('\n')
    await mention(
      `say Here.\nlink secret /etc/hostname\nfill A-large.txt ${LIMIT + 1}\nfill B-largest.txt ${LIMIT}\n${many}`,
    )
    run()
    await eventually(async () => (await answers()).length === 1)
    const [answer] = await answers()
    expect(answer?.files).toHaveLength(10)
    expect(answer && namesOf(answer)).not.toContain('A-large.txt')
    expect(answer && namesOf(answer)).toContain('B-largest.txt')
    const reasons = 'secret (a link, or no file), A-large.txt (too large), c9.txt (more than 10)'
    expect(answer?.text).toBe(`Here.\n\nNot attached: ${reasons}`)
  })

  // Root reads everything.
  it.skipIf(process.getuid?.() === 0)('are omitted and named if they cannot be read', async () => {
    const { run, mention, answers, outbox } = await team()
    await mention('say Here.\nwrite a.txt x\nlock a.txt\nwrite b/c.txt x\nlock b\nwrite d.txt x')
    run()
    await eventually(async () => (await answers()).length === 1)
    const [answer] = await answers()
    expect(answer && namesOf(answer)).toEqual(['d.txt'])
    expect(answer?.text).toBe('Here.\n\nNot attached: b (cannot be read), a.txt (cannot be read)')
    const [sent] = await eventually(() => (readdirSync(outbox)[0]?.endsWith('.sent') ? readdirSync(outbox) : null))
    chmodSync(join(outbox, sent as string, 'b'), 0o700)
  })

  it('are not read from a directory that is a symbolic link', async () => {
    const { home, run, mention, answers, outbox } = await team()
    const elsewhere = join(home, 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, outbox)
    await mention('say Here.\nwrite plan.txt x')
    run()
    await eventually(async () => (await answers()).length === 1)
    expect((await answers()).map(namesOf)).toEqual([[]])
  })

  it('are posted once after a crash between answer and upload, and after the upload', async () => {
    const { run, mention, answers, files, memory, outbox } = await team()
    const { event_id } = await mention('say Here.\nwrite plan.txt To the sea')
    const first = run()
    await eventually(async () => (await answers()).length === 1 && !readFileSync(memory, 'utf8').includes('event_ids'))
    first.kill('SIGKILL')
    await first.end()
    // Restores the state before the upload, which is also that before the post.
    const [sent = ''] = readdirSync(outbox)
    const key = sent.replace('.sent', '')
    const saved = JSON.parse(readFileSync(memory, 'utf8'))
    const [space] = Object.keys(saved) as [string]
    mkdirSync(join(outbox, key))
    writeFileSync(join(outbox, key, 'plan.txt'), 'To the sea')
    rmSync(join(outbox, sent), { recursive: true })
    saved[space].batch = { event_ids: [event_id], thread_id: null, failures: 0, answer: 'Here.' }
    writeFileSync(memory, JSON.stringify(saved))
    await mention('say Next.')
    const second = run()
    await eventually(async () => (await answers()).length === 2)
    expect((await answers()).map(namesOf)).toEqual([['plan.txt'], []])
    expect(await files()).toHaveLength(1)
    await eventually(() => existsSync(join(outbox, `${key}.sent`)))
    second.kill('SIGTERM')
    await second.end().expect(0)
  })

  it.each([
    ['uploaded again if they have expired before the answer was posted', false, ['plan.txt']],
    ['left out if they were deleted before the answer was posted', true, []],
  ])('are %s', async (_, isDeleted, names) => {
    const { run, mention, answers, memory, outbox, path, scout } = await team()
    const { event_id } = await mention('say Here.')
    const key = hashOf(event_id).slice(0, 40)
    const file = join(outbox, key.slice(0, 12), 'plan.txt')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'To the sea')
    let file_id = `fil_${'a'.repeat(24)}`
    if (isDeleted) {
      const headers = {
        'idempotency-key': `outbox ${hashOf(`${key}\n${file}\nTo the sea`)}`,
        'content-type': 'text/plain',
      }
      const upload = server.as(scout).post(`${path}/files?name=plan.txt`, 'To the sea', { headers })
      file_id = (await upload.expect(200)).file_id
      await server.as(scout).delete(`${path}/files/${file_id}`).expect(200)
    }
    const batch = { event_ids: [event_id], thread_id: null, failures: 0, answer: 'Here.', file_ids: [file_id] }
    mkdirSync(dirname(memory), { recursive: true })
    writeFileSync(memory, JSON.stringify({ [basename(path)]: { batch } }))
    run()
    await eventually(async () => (await answers()).length === 1)
    expect((await answers()).map(namesOf)).toEqual([names])
    await eventually(() => existsSync(`${dirname(file)}.sent`))
  })
})

describe('files of the events that an agent answers', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

  it('are links to their bytes, and images as such, until it has answered', async () => {
    const { run, mention, upload, answers, received, unread } = await team()
    const notes = await upload('notes.txt', 'To the sea')
    const photo = await upload('photo.png', PNG)
    const fake = await upload('fake.png', 'No image')
    await mention('show', [notes, photo, fake])
    run()
    await eventually(async () => (await unread()) === 0)
    const lines = [
      'resource_link notes.txt 1-notes.txt 10',
      'resource_link photo.png 2-photo.png 16',
      'image image/png 2-photo.png 16',
      'resource_link fake.png 3-fake.png 8',
    ]
    expect(await answers()).toMatchObject([{ text: lines.join('\n') }])
    await eventually(() => !existsSync(received))
  })

  it('are only links for an agent that takes no images, without those that were deleted', async () => {
    const { run, mention, upload, remove, answers } = await team()
    const photo = await upload('photo.png', PNG)
    const notes = await upload('notes.txt', 'To the sea')
    await mention('show', [notes, photo])
    await remove(notes)
    run({ AGENT_IS_BLIND: 'yes' })
    await eventually(async () => (await answers()).length === 1)
    expect(await answers()).toMatchObject([{ text: 'resource_link photo.png 1-photo.png 16' }])
  })

  it('are only links, in a new session, after a prompt with images failed twice', async () => {
    const { run, mention, upload, answers } = await team()
    await mention('choke\nsay Seen.', [await upload('photo.png', PNG)])
    run()
    await eventually(async () => (await answers()).length === 1)
    expect(await answers()).toMatchObject([{ text: 'Seen.' }])
  })
})
