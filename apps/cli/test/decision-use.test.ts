import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describeWith } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Actor,
  eventually,
  homeOfFile,
  signedInAs,
  spaces,
  startSpaces,
  stubServer,
  useServer,
} from './support/index.js'

const server = useServer({ SERVER_KEY: '5a'.repeat(32) })
let ada: Actor
let scout: Actor
let env: Record<string, string>
let key: string

const fileNamed = (name: string) => join(homeOfFile(), name)

/** Writes a JSON file, and returns its path. */
async function writeJson(name: string, content: string | object): Promise<string> {
  await writeFile(fileNamed(name), typeof content === 'string' ? content : JSON.stringify(content))
  return fileNamed(name)
}

const ACTION = { type: 'deploy', title: 'Deploy the shop', arguments: { service: 'shop', version: 82 }, editable: true }

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  scout = await server.registerAgent(ada, 'Scout')
  env = signedInAs(server, scout)
  key = (await server.get('/log/keys')).text.trim()
  await server.openSpace(ada, 'plans')
  await server.as(scout).post('/api/spaces/plans/join').expect(200)
})

/** Proposes as Scout by the command, and returns the ID of the decision. */
async function propose(...options: string[]): Promise<string> {
  const action = await writeJson('action.json', ACTION)
  const args = ['decision', 'propose', 'plans', 'Deploy', '--action', action, ...options, '--json']
  return (await spaces(args, { env }).expect(0)).json.decision_id
}

const resolve = (decision_id: string, extra: object = {}) =>
  server
    .as(ada)
    .put(`/api/spaces/plans/decisions/${decision_id}/resolve`, {
      ...{ resolved_by: 'Ada', resolution: 'Yes', status: 'resolved' },
      ...extra,
    })
    .expect(200)

const use = (decision_id: string, file: string, ...rest: string[]) =>
  spaces(['decision', 'use', 'plans', decision_id, '--action', file, ...rest], { env })

/** Returns a command that writes its environment and input to a file. */
const leaving = (name: string, code = 0) => [
  '--',
  process.execPath,
  '-e',
  `const { readFileSync, writeFileSync } = require('node:fs')
   writeFileSync(process.argv[1], process.env.SPACES_DECISION + ' ' + readFileSync(0))
   process.exit(${code})`,
  fileNamed(name),
]

describe('decision resolve', () => {
  it('edits the arguments of the action, and only the edit can be used', async () => {
    const decision_id = await propose()
    const byAda = { env: signedInAs(server, ada) }
    const settle = (json: string) =>
      spaces(['decision', 'resolve', 'plans', decision_id, 'Yes', '--arguments', json, '--json'], byAda)
    await settle('[]').expect(2, 'It must be a JSON object')
    await settle('{"id": 9007199254740993}').expect(2, '9007199254740993 loses digits: write it as a string')
    const { json } = await settle('{"service": "shop", "version": 83}').expect(0)
    expect(json.edit.arguments).toEqual({ service: 'shop', version: 83 })
    await use(decision_id, await writeJson('action.json', ACTION)).expect(5)
    const edited = { ...ACTION, arguments: { service: 'shop', version: 83 } }
    await use(decision_id, await writeJson('edited.json', edited)).expect(0)
  })
})

describe('decision propose', () => {
  it('accepts options, an action and an expiry', async () => {
    const decision_id = await propose(
      '--option',
      'go=Deploy it',
      '--option',
      'no=Wait',
      '--denies',
      'no',
      '--expires',
      '1h',
    )
    const path = `/api/spaces/plans/decisions/${decision_id}`
    const { expires_at, ...decision } = await server.as(ada).get(path).expect(200)
    expect(decision).toMatchObject({
      action: ACTION,
      options: [
        { id: 'go', label: 'Deploy it', denies: false },
        { id: 'no', label: 'Wait', denies: true },
      ],
    })
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 3_600_000)).toBeLessThan(60_000)
    const resolving = ['decision', 'resolve', 'plans', decision_id, 'Yes', '--option', 'go']
    const { stdout } = await spaces(resolving, { env: signedInAs(server, ada) }).expect(0)
    expect(stdout).toMatch(/^options +go: Deploy it \(chosen\)\n +no: Wait \(denies\)$/m)
    expect(stdout).toMatch(/^action +Deploy the shop$/m)
    expect(stdout).toMatch(/^digest +sha-256:[0-9a-f]{64}$/m)
  })

  it.each([
    ['{"type": "deploy"}', /no action/],
    ['nonsense', /no action/],
    ['{"type": "deploy", "arguments": {"n": 9007199254740993}}', /9007199254740993 loses digits/],
  ])('rejects a file that is no action: %s', async (content, message) => {
    const file = await writeJson('bad.json', content)
    await spaces(['decision', 'propose', 'plans', 'Deploy', '--action', file], { env }).expect(1, message)
  })

  it('rejects malformed options', async () => {
    const args = ['decision', 'propose', 'plans', 'Deploy', '--option']
    await spaces([...args, 'go'], { env }).expect(2, 'It must be an ID, =, and a label')
    await spaces([...args, 'go=Go', '--denies', 'no'], { env }).expect(2, '--denies no: no --option has this ID')
  })
})

describe('decision use', () => {
  it('runs the command once, after the use, and posts its exit code', async () => {
    const decision_id = await propose()
    const file = await writeJson('same.json', '{"arguments": {"version": 82.0, "service": "shop"}, "type": "deploy"}')
    await use(decision_id, file, ...leaving('open')).expect(5, 'Decision is not resolved yet')
    expect(existsSync(fileNamed('open'))).toBe(false)
    await resolve(decision_id)
    const { stdout } = await use(decision_id, file, ...leaving('used')).expect(0)
    expect(stdout).toMatch(/^used +just now by Scout$/m)
    const [, id, json] = /^(\S+) (.*)$/s.exec(readFileSync(fileNamed('used'), 'utf8')) ?? []
    expect(id).toBe(decision_id)
    expect(JSON.parse(json ?? '')).toMatchObject({ decision: { decision_id, used_by: scout.actor_id } })
    const events = await server.as(ada).get('/api/spaces/plans/events?tail=true').expect(200)
    expect(events.at(-1)).toMatchObject({
      text: `Decision ${decision_id}: its action ended with 0.`,
      posted_by: scout.actor_id,
    })
    await use(decision_id, file, ...leaving('again')).expect(5, 'Decision was already used')
    expect(existsSync(fileNamed('again'))).toBe(false)
  })

  it('fails if its command fails, accepts a whole ID without its space, and needs no command', async () => {
    const [one, other] = [await propose(), await propose()]
    for (const decision_id of [one, other]) await resolve(decision_id)
    const file = await writeJson('action.json', ACTION)
    await use(one, file, ...leaving('failed', 7)).expect(1, 'The command ended with 7')
    const { json } = await spaces(['decision', 'use', other, '--action', file, '--json'], { env }).expect(0)
    expect(json).toMatchObject({ decision: { decision_id: other, space_id: 'plans' } })
  })

  /** Forwards requests until a decision is used. */
  const relay = (onUse: () => void, isOver = () => false) =>
    stubServer(async (request, response) => {
      if (isOver()) return response.writeHead(403).end('{"detail": "Not any more"}')
      const body = request.method === 'POST' ? await buffer(request) : null
      const headers = { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' }
      const answer = await fetch(server.url + request.url, { method: request.method ?? '', headers, body })
      if (request.url?.includes('use')) onUse()
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })

  it('runs its command even if no other request succeeds after the use', async () => {
    const decision_id = await propose()
    await resolve(decision_id)
    const file = await writeJson('action.json', ACTION)
    let isUsed = false
    const { url } = await relay(
      () => {
        isUsed = true
      },
      () => isUsed,
    )
    const command = ['decision', 'use', 'plans', decision_id, '--action', file, ...leaving('alone')]
    const using = await spaces(command, { env: { ...env, SPACES_URL: url } })
    using.expect(0, 'How it ended could not be said in the space: Not any more')
    expect(existsSync(fileNamed('alone'))).toBe(true)
  })

  it('does not begin its command after an interruption, and posts that', async () => {
    const decision_id = await propose()
    await resolve(decision_id)
    const file = await writeJson('action.json', ACTION)
    const { url } = await relay(() => using.kill('SIGINT'))
    const command = ['decision', 'use', 'plans', decision_id, '--action', file, ...leaving('late')]
    const using = startSpaces(command, { env: { ...env, SPACES_URL: url } })
    await using.end().expect(2, 'The decision is used, but the command was not run', 'Cancelled')
    expect(existsSync(fileNamed('late'))).toBe(false)
    const events = await server.as(ada).get('/api/spaces/plans/events?tail=true').expect(200)
    expect(events.at(-1)).toMatchObject({ text: `Decision ${decision_id}: its action was not begun.` })
  })

  it('rejects another action, and uses nothing if the command does not exist', async () => {
    const decision_id = await propose()
    await resolve(decision_id, { arguments: { service: 'shop', version: 81 } })
    const proposed = await writeJson('action.json', ACTION)
    await use(decision_id, proposed, ...leaving('other')).expect(5, 'This is not the action that was approved')
    expect(existsSync(fileNamed('other'))).toBe(false)
    const edited = await writeJson('edited.json', { ...ACTION, arguments: { service: 'shop', version: 81 } })
    await use(decision_id, edited, '--', 'no-such-program').expect(1, 'Cannot run no-such-program')
    await use(decision_id, edited).expect(0)
  })
})

describeWith(['python3', 'openssl'], 'the receipt of a decision', () => {
  const VERIFIER = join(import.meta.dirname, '../../../examples/verify-log/verify.py')
  const python = (receipt: string, file: string) => promisify(execFile)('python3', [VERIFIER, receipt, key, file])

  async function receiptOf(decision_id: string): Promise<string> {
    const path = `/api/spaces/plans/log/proof?decision_id=${decision_id}`
    const acts = (await server.as(ada).get(`/api/spaces/plans/decisions/${decision_id}/acts`).expect(200)).length
    await eventually(async () => {
      const { status, body } = await server.as(ada).get(path)
      return status === 200 && body.entries.length === acts
    })
    const { stdout } = await spaces(['log', 'receipt', 'plans', decision_id], { env }).expect(0)
    return writeJson('receipt.json', stdout)
  }

  const verify = (receipt: string, file: string) =>
    spaces(['log', 'verify', receipt, '--key', key, '--action', file], { env: {} })

  it('proves the action, its edit and its use offline, also to the example verifier', async () => {
    const decision_id = await propose('--option', 'go=Go', '--option', 'no=No', '--denies', 'no')
    const args = { z: [1e21, 1e-7, 0.000001, -0, 123456789012345680000, 5e-324, 1.5], é: '\u007f"\n', '10': 1, '2': {} }
    await resolve(decision_id, { option: 'go', arguments: args })
    const proposed = await writeJson('action.json', ACTION)
    const edited = await writeJson('edited.json', { type: 'deploy', arguments: args })
    await use(decision_id, edited).expect(0)
    const receipt = await receiptOf(decision_id)
    const { stdout } = await verify(receipt, edited).expect(0)
    expect(stdout).toMatch(/action deploy, sha-256:\w+\n +options: go \(Go\), no \(No, denies\)/)
    expect(stdout).toMatch(/chose the option go\n +edited the action, now sha-256:/)
    expect(stdout).toMatch(/used its action sha-256:\w+\n/)
    expect((await python(receipt, edited)).stdout).toContain('PROVED')
    await verify(receipt, proposed).expect(1, `${proposed} is not the action of this decision`)
    await expect(python(receipt, proposed)).rejects.toThrow('is not the action that was approved')
  })

  it('proves no action of an open decision, or of one with a denying option chosen', async () => {
    const [open, denied] = [await propose(), await propose('--option', 'go=Go', '--option', 'no=No', '--denies', 'no')]
    await resolve(denied, { option: 'no' })
    const file = await writeJson('action.json', ACTION)
    for (const decision_id of [open, denied]) {
      const receipt = await receiptOf(decision_id)
      await verify(receipt, file).expect(1, 'is not the action of this decision')
      await expect(python(receipt, file)).rejects.toThrow('is not the action that was approved')
    }
    await spaces(['log', 'verify', 'plans', '--action', file], { env }).expect(2, '--action is for receipts: add --key')
  })
})
