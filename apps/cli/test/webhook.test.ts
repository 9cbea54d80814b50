import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { eventually } from '@collab-spaces/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, terminal, useServer } from './support/index.js'

const server = useServer({ SERVER_KEY: '5a'.repeat(32), WEBHOOK_NETWORKS: 'loopback' })
/** The status that the receiver answers with. */
let status = 200
let receiver: Server
let url: string
let ada: Actor
let scout: Actor
let env: Record<string, string>

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const { type, data } = JSON.parse(await text(request))
    response.writeHead(status)
    response.end(type === 'webhook.challenge' && status === 200 ? data.challenge : undefined)
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(() => receiver.close())

beforeEach(async () => {
  status = 200
  ada = await server.registerHuman('Ada')
  scout = await server.registerAgent(ada, 'Scout')
  env = signedInAs(server, ada)
})

let spaceCount = 0

async function space(): Promise<string> {
  const space_id = `plans${++spaceCount}`
  await server.as(ada).post('/api/spaces', { space_id }).expect(200)
  return space_id
}

async function create(...args: string[]): Promise<string> {
  const { json } = await spaces(['webhook', 'create', url, ...args, '--json'], { env }).expect(0)
  return json.webhook_id
}

const shown = (id: string) => server.as(ada).get(`/api/webhooks/${id}`).expect(200)

describe('spaces webhook', () => {
  it('prints only the secret on standard output, and only once', async () => {
    const run = await spaces(['webhook', 'create', url, '--space', await space()], { env })
    run.expect(
      0,
      'not shown again',
      /^Its receiver has answered the challenge\. Send a test: spaces webhook test whk_\w+$/m,
    )
    expect(run.stdout).toMatch(/^whsec_[\w+/]+=*\n$/)
    expect(run.stderr).not.toContain('whsec_')
    const [webhook] = await server.as(ada).get('/api/webhooks').expect(200)
    for (const args of [['list'], ['show', webhook.webhook_id]]) {
      const { stdout } = await spaces(['webhook', ...args, '--json'], { env }).expect(0)
      expect(stdout).not.toContain('whsec_')
    }
  })

  it('reports a failed challenge of the receiver, and repeats it', async () => {
    status = 401
    const run = await spaces(['webhook', 'create', url, '--inbox'], { env })
    run.expect(
      0,
      /^Nothing is sent until its receiver has answered the challenge \(Answered 401\)\. Ask it again: spaces webhook test whk_\w+$/m,
    )
    expect(run.stdout).toMatch(/^whsec_[\w+/]+=*\n$/)
    const { stdout } = await spaces(['webhook', 'show', 'last'], { env }).expect(0)
    expect(stdout).toMatch(/^state +not confirmed by its receiver$/m)
    expect(stdout).toMatch(/\nNothing is sent until/)
    status = 200
    const repeated = await spaces(['webhook', 'test', 'last', '--json'], { env }).expect(0)
    expect(repeated.json).toMatchObject({ type: 'webhook.challenge', ok: true })
    const active = await spaces(['webhook', 'show', 'last'], { env }).expect(0)
    expect(active.stdout).toMatch(/^state +active$/m)
  })

  it('is created for a space, for the inbox of the caller or that of their agent', async () => {
    const plans = await space()
    const full = await create('--space', plans, '--type', 'events.appended', '--type', 'decision.changed', '--full')
    expect(await shown(full)).toMatchObject({ space_id: plans, payload: 'full', types: expect.any(Array) })
    expect(await shown(await create('--inbox'))).toMatchObject({ inbox_of: ada.actor_id, payload: 'thin' })
    expect(await shown(await create('--inbox-of', 'scout'))).toMatchObject({ inbox_of: scout.actor_id })
    await spaces(['webhook', 'create', url], { env }).expect(2, '--space, --inbox or --inbox-of is required')
    await spaces(['webhook', 'create', url, '--inbox', '--space', plans], { env }).expect(2, 'cannot be used with')
    await spaces(['webhook', 'create', url, '--inbox', '--type', 'all'], { env }).expect(2, 'Allowed choices are')
    await spaces(['webhook', 'create', 'http://example.org', '--inbox'], { env }).expect(
      1,
      'url: must begin with https',
    )
  })

  it('notifies its creator when the receiver is gone', async () => {
    const plans = await space()
    const id = await create('--space', plans)
    status = 410
    await server.as(ada).post(`/api/spaces/${plans}/speech`, { text: 'Hello' }).expect(200)
    const sentence = `Webhook ${id} is disabled: spaces webhook show ${id}`
    await eventually(async () => (await spaces(['inbox'], { env }).expect(0)).stdout.includes(sentence))
    expect((await spaces(['webhook', 'show', id], { env }).expect(0)).stdout).toContain('it is gone (410)')
  })

  it('lists webhooks as the API does, and names the command to create the first', async () => {
    const none = await spaces(['webhook', 'list'], { env }).expect(0)
    expect(none.stdout).toBe('No webhooks. Create one: spaces webhook create URL --space SPACE\n')
    const plans = await space()
    const id = await create('--space', plans)
    const { json } = await spaces(['webhook', 'list', '--json'], { env }).expect(0)
    expect(json).toEqual(await server.as(ada).get('/api/webhooks').expect(200))
    const { stdout } = await spaces(['webhook', 'list'], { env }).expect(0)
    expect(stdout).toMatch(new RegExp(`^${id} +${plans} +active +0 +just now: accepted \\(200\\) +http`, 'm'))
  })

  it('sends a test request, and fails if it is not accepted', async () => {
    const id = await create('--inbox')
    const accepted = await spaces(['webhook', 'test', id], { env }).expect(0)
    expect(accepted.stdout).toMatch(/^outcome +accepted \(200\)$/m)
    status = 500
    const refused = await spaces(['webhook', 'test', 'last', '--json'], { env }).expect(1)
    expect(refused.json).toMatchObject({ type: 'webhook.test', ok: false, status: 500 })
    expect(refused.error).toMatchObject({ detail: 'The request was not accepted', exit_code: 1 })
    const { stdout } = await spaces(['webhook', 'show', id.slice(4, 12)], { env }).expect(0)
    expect(stdout).toMatch(/^waiting +nothing$/m)
    expect(stdout).toMatch(/^just now +webhook\.test +0 +\d+ ms +Answered 500 +[0-9a-f-]{36}\n.* accepted \(200\) /m)
  })

  it('is changed, disabled with a hint, and enabled again', async () => {
    const id = await create('--space', await space())
    await spaces(['webhook', 'update', id], { env }).expect(2, 'Nothing to change')
    await spaces(['webhook', 'update', id, '--disable', '--enable'], { env }).expect(2, 'cannot be used with')
    const change = ['--to', `${url}/2`, '--type', 'events.appended', '--payload', 'full', '--disable']
    await spaces(['webhook', 'update', id, ...change], { env }).expect(0)
    expect(await shown(id)).toMatchObject({
      url: `${url}/2`,
      types: ['events.appended'],
      payload: 'full',
      disabled_reason: 'disabled',
    })
    const { stdout } = await spaces(['webhook', 'show', id], { env }).expect(0)
    expect(stdout).toMatch(/^state +disabled$/m)
    expect(stdout).toContain(`Resume where it stopped: spaces webhook update ${id} --enable`)
    await spaces(['webhook', 'update', id, '--enable'], { env }).expect(0)
    expect(await shown(id)).toMatchObject({ disabled_at: null })
  })

  it('skips pending deliveries, or replays them', async () => {
    const plans = await space()
    const id = await create('--space', plans)
    await server.as(ada).patch(`/api/webhooks/${id}`, { disabled: true }).expect(200)
    const eventIds: string[] = []
    for (const text of ['one', 'two', 'three']) {
      const { event_id } = await server.as(ada).post(`/api/spaces/${plans}/speech`, { text }).expect(200)
      eventIds.push(event_id)
    }
    const replay = ['webhook', 'replay', id]
    await spaces([...replay, 'now'], { env }).expect(2, '--yes is required')
    const waitingAfter = async (start: string) =>
      (await spaces([...replay, start, '--yes'], { env }).expect(0)).stdout.match(/^waiting +(.*)$/m)?.[1]
    expect(await waitingAfter('now')).toBe('nothing')
    expect(await waitingAfter('beginning')).toBe('3 items')
    expect(await waitingAfter((eventIds[1] as string).slice(-8))).toBe('1 item')
    await spaces([...replay, '00000000', '--yes'], { env }).expect(1, 'Event not found')
  })

  it('rotates its secret, and is deleted after a confirmation', async () => {
    const id = await create('--inbox')
    await spaces(['webhook', 'rotate-secret', id], { env }).expect(2, '--yes is required')
    const rotated = await spaces(['webhook', 'rotate-secret', id, '--yes'], { env }).expect(0, 'signed with both')
    expect(rotated.stdout).toMatch(/^whsec_[\w+/]+=*\n$/)
    const hesitant = terminal(['webhook', 'delete', id], { env })
    await hesitant.waitFor(`Delete ${id}?`)
    hesitant.press('ctrl-c')
    expect(await hesitant.end()).toBe(2)
    await spaces(['webhook', 'delete', id, '--yes'], { env }).expect(0)
    await spaces(['webhook', 'show', id], { env }).expect(1, 'Webhook not found')
  })

  it('completes IDs of webhooks and start positions', async () => {
    const plans = await space()
    const id = await create('--space', plans)
    const { stdout } = await spaces(['__complete', 'webhook', 'show', 'whk_'], { env }).expect(0)
    expect(stdout).toBe(`${id}\t${plans} to ${url}\n`)
    const starts = await spaces(['__complete', 'webhook', 'replay', id, ''], { env }).expect(0)
    expect(starts.lines.map((line) => line.split('\t')[0])).toEqual(['now', 'beginning'])
  })
})
