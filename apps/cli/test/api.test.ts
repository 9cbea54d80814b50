import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { PAGED } from '../src/commands/api/pages.js'
import {
  type Actor,
  homeOfFile,
  signedInAs,
  spaces,
  startSpaces,
  stubServer,
  terminal,
  useServer,
} from './support/index.js'

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly schema: { readonly maximum?: number } }[]
}

const server = useServer()
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = signedInAs(server, ada)
  await server.as(ada).post('/api/spaces', { space_id: 'plans' }).expect(200)
})

const api = (...args: string[]) => spaces(['api', ...args], { env })

describe('api in a pipe', () => {
  it('prints the body unchanged, with or without /api in the path', async () => {
    const { text } = await server.as(ada).get('/api/spaces/plans/status')
    for (const path of ['spaces/plans/status', '/spaces/plans/status', '/api/spaces/plans/status']) {
      expect((await api('GET', path).expect(0)).stdout).toBe(text)
    }
    expect((await api('get', 'health').expect(0)).stdout).toBe('{"status":"ok"}')
  })

  it('sends fields in the body of a write and in the query of a read', async () => {
    const sent = await api(
      'POST',
      'spaces/plans/speech',
      '--field',
      'text=1=1',
      '--field',
      'metadata:={"a": [1, null]}',
    ).expect(0)
    expect(sent.json).toMatchObject({ text: '1=1', metadata: { a: [1, null] } })
    const read = await api('GET', 'spaces/plans/events?tail=true', '--field', 'limit:=1').expect(0)
    expect(read.json).toEqual([sent.json])
  })

  it('defaults to GET, and to POST with fields or a body', async () => {
    expect((await api('spaces/plans/status').expect(0)).json).toMatchObject({ space_id: 'plans' })
    expect((await api('spaces/plans/speech', '-f', 'text=12').expect(0)).json).toMatchObject({ text: '12' })
    const piped = await spaces(['api', 'spaces/plans/speech', '--input', '-'], { env, stdin: '{"text": "in"}' }).expect(
      0,
    )
    expect(piped.json).toMatchObject({ text: 'in' })
    await api().expect(2, "missing required argument 'path'")
  })

  it('parses a typed field, or reads it from a file', async () => {
    const file = join(homeOfFile(), 'long.txt')
    await writeFile(file, 'A long text\n')
    const sent = await api('spaces/plans/speech', '-F', `text=@${file}`, '-f', 'metadata:={"n": 1}').expect(0)
    expect(sent.json).toMatchObject({ text: 'A long text\n', metadata: { n: 1 } })
    const { stdout } = await api('GET', 'spaces/plans/events', '-F', 'limit=1', '-F', 'tail=true').expect(0)
    expect(JSON.parse(stdout)).toEqual([sent.json])
    const typed = await api('spaces/plans/links', '-F', 'target_uri=https://example.org/1', '-F', 'link_type=7').expect(
      1,
    )
    expect(typed.stdout).toContain('link_type')
    await api('spaces', '-F', 'a').expect(2, 'name=value')
    await api('spaces', '-F', 'a=@/no/such/file').expect(1, 'Cannot read --typed-field')
  })

  it('reads all pages of a list', async () => {
    await server.openSpace(ada, 'long')
    for (let n = 0; n < 7; n++)
      await server
        .as(ada)
        .post('/api/spaces/long/speech', { text: `${n}` })
        .expect(200)
    const all = await server.as(ada).get('/api/spaces/long/transcript').expect(200)
    const paginate = ['spaces/long/events', '--paginate', '-F', 'limit=3']
    expect((await api(...paginate).expect(0)).json).toEqual(all)
    expect((await api('GET', ...paginate, '-f', `since=${all[4].event_id}`).expect(0)).json).toEqual(all.slice(5))
    expect((await api(...paginate, '--jq', '.[].text').expect(0)).stdout).toBe('0\n1\n2\n3\n4\n5\n6\n')
    expect((await api(...paginate, '--jq', 'length').expect(0)).stdout).toBe('7\n')
    expect((await api(...paginate, '--json=text').expect(0)).json).toEqual(
      all.map(({ text }: { text: string }) => ({ text })),
    )
    expect((await api('spaces/long/mentions/usr_x', '--paginate').expect(0)).json).toEqual([])
    expect((await api('spaces/long/status', '--paginate').expect(0)).json).toMatchObject({ space_id: 'long' })
    await api('POST', 'spaces', '--paginate').expect(2, '--paginate is for GET only')
    await api('spaces/long/events?tail=true', '--paginate').expect(2, 'Leave out before and tail')
    await api('spaces/long/threads?tail=true', '--paginate').expect(2, 'or at --field before=ID')
  })

  it('reads all pages by any cursor', async () => {
    const path = await server.openSpace(ada, 'short')
    await server.as(ada).post(`${path}/join`).expect(200)
    const decision = { proposed_by: 'Ada', text: 'We go' }
    for (const _ of [1, 2]) {
      await server.as(ada).post(`${path}/decisions`, decision).expect(200)
      await server.as(ada).post(`${path}/files?name=a`, 'x').expect(200)
    }
    const lists = ['decisions', 'files', 'acts', 'acts?start=2026-01-01T00:00:00Z'].map(
      (list) => `spaces/short/${list}`,
    )
    for (const list of ['spaces', 'decisions', ...lists]) {
      const all = await server.as(ada).get(`/api/${list}`).expect(200)
      expect(all.length).toBeGreaterThan(1)
      expect((await api(list, '--paginate', '-F', 'limit=1').expect(0)).json).toEqual(all)
    }
  })

  it('knows every list with pages', async () => {
    const { paths } = await server.get('/openapi.json').expect(200)
    for (const [path, { get }] of Object.entries<Record<string, Operation>>(paths)) {
      const parameters = get?.parameters ?? []
      const cursors = parameters.map(({ name }) => name).filter((name) => ['cursor', 'since', 'before'].includes(name))
      const limit = parameters.find(({ name }) => name === 'limit')
      const known = PAGED.filter((list) => list.path.test(path)).map(({ cursor, largest }) => ({ cursor, largest }))
      const hasPages = limit !== undefined && cursors.length > 0
      expect(known, path).toEqual(
        hasPages ? [{ cursor: expect.toBeOneOf(cursors), largest: limit.schema.maximum }] : [],
      )
    }
  })

  it('filters a JSON answer', async () => {
    expect((await api('spaces/plans/status', '--jq', '.status').expect(0)).stdout).toBe('active\n')
    expect((await api('spaces/plans/status', '--json=space_id').expect(0)).json).toEqual({ space_id: 'plans' })
    await api('docs', '--jq', '.').expect(1)
  })

  it('sends a file or standard input unchanged, and headers', async () => {
    const file = join(homeOfFile(), 'event.json')
    await writeFile(file, '{"text": "once"}')
    const speech = ['POST', 'spaces/plans/speech', '--header', 'Idempotency-Key: once']
    const first = await api(...speech, '--input', file).expect(0)
    const again = await spaces(['api', ...speech, '--input', '-'], { env, stdin: '{"text": "once"}' }).expect(0)
    expect(again.stdout).toBe(first.stdout)
    await api('POST', 'spaces', '--input', join(homeOfFile(), 'none.json')).expect(1, 'Cannot read --input')
    await writeFile(file, Buffer.from('{\n"text": "Grüße"}', 'latin1'))
    await api(...speech, '--input', file).expect(1, '--input, line 2: not UTF-8')
    await api('spaces/plans/speech', '-F', `text=@${file}`).expect(1, '--typed-field, line 2: not UTF-8')
  })

  it('accepts the flags of gh api', async () => {
    const sent = await api(
      'spaces/plans/speech',
      '-X',
      'POST',
      '-f',
      'text=hi',
      '-H',
      'X-Request-Id: mine',
      '-i',
    ).expect(0)
    const [head = '', body = ''] = sent.stdout.split('\n\n')
    expect(head).toMatch(/^HTTP\/1.1 200 OK\n/)
    expect(head.split('\n')).toContain('x-request-id: mine')
    expect(JSON.parse(body)).toMatchObject({ text: 'hi' })
    expect((await api('spaces/none/status', '-i').expect(1)).stdout).toMatch(/^HTTP\/1.1 404 Not Found\n/)
    expect((await api('spaces', '--method', 'get').expect(0)).json).toEqual(expect.any(Array))
    await api('GET', 'spaces', '-X', 'POST').expect(2, '--method and METHOD cannot be used together')
    await api('spaces', '-X', 'FETCH').expect(2, 'Unknown method FETCH')
    await api('spaces', '--paginate', '-i').expect(2, '--paginate and --include')
  })

  it('reports the outcome in its exit code, and prints the body of an error', async () => {
    const unknown = await api('GET', 'spaces/none/status').expect(1, 'Space not found')
    expect(unknown.stdout).toBe('{"detail":"Space not found"}')
    await api('POST', 'spaces', '--field', 'space_id=plans').expect(5)
    await spaces(['api', 'GET', 'spaces'], { env: { ...env, SPACES_TOKEN: `svc_${'0'.repeat(64)}` } }).expect(4)
    const taken = await api('POST', 'spaces', '--field', 'space_id=plans', '--json').expect(5)
    expect(taken.stdout).toBe('')
    expect(taken.error).toMatchObject({ status: 409, exit_code: 5 })
    await spaces(['api', 'GET', 'spaces'], { env: { ...env, SPACES_URL: 'http://127.0.0.1:9' } }).expect(3)
  })

  it('rejects arguments that make no request', async () => {
    await api('FETCH', 'spaces').expect(2, 'use one of GET')
    await api('GET', 'spaces', '--input', '-').expect(2, 'has no body')
    await api('POST', 'spaces', '--field', 'a=b', '--input', '-').expect(2, 'cannot be used together')
    await api('POST', 'spaces', '--field', 'a').expect(2, 'name=value')
    await api('POST', 'spaces', '--field', 'a:=b').expect(2, 'must be JSON')
    for (const field of [
      ['-f', 'a:=[9007199254740993]'],
      ['-F', 'a=9007199254740993'],
    ])
      await api('POST', 'spaces', ...field).expect(2, '9007199254740993 loses digits', '--field a=…')
    await api('GET', 'spaces', '--header', 'none').expect(2, 'name:value')
    await api('GET', 'spaces', '--header', 'authorization: Bearer x').expect(2, '--profile')
  })

  it('prints a stream as it arrives', async () => {
    await server.as(ada).post('/api/spaces', { space_id: 'live' }).expect(200)
    const watching = startSpaces(['api', 'GET', 'spaces/live/events/stream'], { env })
    for (const text of ['first', 'second']) {
      await server.as(ada).post('/api/spaces/live/speech', { text }).expect(200)
      await watching.waitFor(`"text":"${text}"`)
    }
    watching.kill('SIGINT')
    await watching.end().expect(2, 'Cancelled')
  })

  it('fails when an answer breaks off', async () => {
    const { url } = await stubServer((_, response) => {
      response.writeHead(200, { 'content-length': 1_000 }).write('half', () => response.destroy())
    })
    await spaces(['api', 'GET', 'spaces'], { env: { ...env, SPACES_URL: url } }).expect(3, 'No answer from the server')
  })
})

describe('the token of api', () => {
  it('is sent to no other server', async () => {
    const other = await stubServer((_, response) => response.end())
    const { url } = await stubServer((_, response) =>
      response.writeHead(307, { location: `${other.url}/api/spaces` }).end(),
    )
    await spaces(['api', 'GET', 'spaces'], { env: { ...env, SPACES_URL: url } }).expect(1, other.url)
    for (const path of [`${other.url}/api/spaces`, other.url.replace('http:', 'HTTP:')])
      await api('GET', path).expect(2)
    const { host } = new URL(other.url)
    for (const path of [`//${host}/api/spaces`, `@${host}/api`, `\\\\${host}\\api`]) await api('GET', path).expect(1)
    expect(other.requests).toEqual([])
  })
})

describe('api in a terminal', () => {
  it('formats the body', async () => {
    const person = terminal(['api', 'GET', 'spaces/plans/status'], { env })
    expect(await person.end()).toBe(0)
    expect(person.screen).toContain('{\n  "space_id": "plans",\n')
  })

  it('escapes control characters', async () => {
    const { url } = await stubServer((_, response) => {
      response.setHeader('content-type', 'text/plain').end('one\u001b[2Jtwo\n')
    })
    const person = terminal(['api', 'GET', 'spaces'], { env: { ...env, SPACES_URL: url } })
    expect(await person.end()).toBe(0)
    expect(person.screen).toContain('one\\u001b[2Jtwo')
  })
})
