import { type Actor, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { setTime } from './support/clock.js'
import { operations } from './support/document.js'
import { sendGarbage } from './support/garbage.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const h = useServer()
const beside = useServer({}, h)
const keyless = useServer({ SERVER_KEY: '' }, h)
const otherKey = useServer({ SERVER_KEY: 'a5'.repeat(32) }, h)

let ada: Actor
let space: string
beforeEach(async () => {
  ada = await h.registerHuman()
  space = await h.openSpace(ada)
  await h.as(ada).post(`${space}/speech`, { text: 'hello' }).expect(200)
})

const make = (credential: Actor | string, path = space, client = h) =>
  client.as(credential).post(`${path}/events/stream/tickets`)
const ticketOf = async (credential: Actor | string): Promise<string> => (await make(credential).expect(200)).ticket
async function tokenOf(actor: Actor, limits: object): Promise<string> {
  const made = await h.as(actor).post('/api/personal-access-tokens', { name: 'page', ...limits })
  return made.expect(200).token
}
const streamWith = (ticket: string) => `${space}/events/stream?token=${encodeURIComponent(ticket)}`

it('a ticket opens the stream of its space for a minute, any number of times', async () => {
  const { ticket, expires_at } = await make(ada).expect(200)
  const seconds = (Date.parse(expires_at) - Date.now()) / 1_000
  expect(seconds).toBeGreaterThan(58)
  expect(seconds).toBeLessThan(62)
  const streams = [h, h, beside].map((client) => StreamReader.open(client, space, { query: `?token=${ticket}` }))
  for (const stream of await Promise.all(streams)) expect((await stream.read(1)).texts).toEqual(['hello'])
  setTime(expires_at)
  await h.as(ada).post(`${space}/speech`, { text: 'later' }).expect(200)
  for (const stream of await Promise.all(streams)) {
    expect((await stream.read(2)).texts).toEqual(['hello', 'later'])
    await stream.close()
  }
  const answer = await h.get(streamWith(ticket)).expect(401, 'The credential has expired')
  expect(answer).toMatchObject({ error: 'token_expired' })
})

it('a ticket opens the typed stream, too', async () => {
  const input = encodeURIComponent(JSON.stringify({ space_id: spaceIdOf(space) }))
  const leave = new AbortController()
  const path = `${h.url}/trpc/event.stream?input=${input}&token=${await ticketOf(ada)}`
  const answer = await fetch(path, { signal: leave.signal })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
  leave.abort()
})

describe('a ticket is refused', () => {
  it('by every other operation', async () => {
    const client = h.as(await ticketOf(ada))
    // These two operations accept tickets.
    const byTicket = ['event_stream', 'file_content']
    const others = operations.filter(({ id, open, keyless }) => !byTicket.includes(id) && !open && !keyless)
    expect(others.length).toBeGreaterThan(50)
    for (const operation of others) await sendGarbage(client, operation).expect(401, 'Authentication required')
    await h.get(`${space}/files/fil_${'a'.repeat(24)}/content?token=${await ticketOf(ada)}`).expect(401)
  })

  it('by other typed calls, batches and tools', async () => {
    const ticket = await ticketOf(ada)
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const answers = [
      await h.as(ticket).get('/trpc/space.list?input=%7B%7D'),
      await h.as(ticket).get('/trpc/space.list,space.list?batch=1&input=%7B%7D'),
      await h.as(ticket).post('/mcp', call, { headers: { accept: 'application/json, text/event-stream' } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
  })

  it('for the stream of another space', async () => {
    const another = await h.openSpace(ada)
    await h.get(`${another}/events/stream?token=${await ticketOf(ada)}`).expect(404, 'Space not found')
  })
})

describe('an invalid ticket', () => {
  it('is one with any character changed', async () => {
    const ticket = await ticketOf(ada)
    for (let at = 0; at < ticket.length; at++) {
      const altered = ticket.slice(0, at) + (ticket[at] === 'A' ? 'B' : 'A') + ticket.slice(at + 1)
      await h.get(streamWith(altered)).expect(401, 'Authentication required')
    }
  })

  it.each(['svc_ticket_', 'svc_ticket_AAAA', `svc_ticket_${'A'.repeat(120)}`, 'svc_ticket_\0'])(
    'is %s',
    async (text) => {
      await h.get(streamWith(text)).expect(401, 'Authentication required')
    },
  )

  it('is one of a server with another key, and any at a server without a key', async () => {
    const ticket = await ticketOf(ada)
    await keyless.get(streamWith(ticket)).expect(401, 'Authentication required')
    await otherKey.get(streamWith(ticket)).expect(401, 'Authentication required')
    const refusal = await make(ada, space, keyless).expect(409, /SERVER_KEY/)
    expect(refusal).toMatchObject({ error: 'no_server_key' })
  })
})

describe('a ticket', () => {
  it('ends together with its streams when the credential that created it ends', async () => {
    const { token, pat_id } = await h.as(ada).post('/api/personal-access-tokens', { name: 'page' }).expect(200)
    const ticket = await ticketOf(token)
    const stream = await StreamReader.open(h, space, { query: `?token=${ticket}` })
    await h.as(ada).delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
    await stream.ended
    await h.get(streamWith(ticket)).expect(401, 'Authentication required')
  })

  it('opens no more than that credential does', async () => {
    await make(await tokenOf(ada, { scopes: ['write'] })).expect(403, 'Token lacks the scope "read"')
    const another = await h.openSpace(ada)
    const ofAnother = await tokenOf(ada, { scopes: ['read'], space_ids: [spaceIdOf(another)] })
    await make(ofAnother).expect(404, 'Space not found')
    const { ticket } = await make(ofAnother, another).expect(200)
    const stream = await StreamReader.open(h, another, { query: `?token=${ticket}` })
    await stream.close()
  })

  it('is not created for an unknown space', async () => {
    await make(ada, '/api/spaces/nowhere').expect(404, 'Space not found')
  })
})
