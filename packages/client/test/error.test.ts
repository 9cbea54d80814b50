import { useProgram } from '@collab-spaces/testing'
import { TRPCClientError } from '@trpc/client'
import { describe, expect, it } from 'vitest'
import { clientWith } from '../src/client.js'
import { SpacesError } from '../src/error.js'
import { BRISK, brisk } from './support/clients.js'
import { relayTo } from './support/relay.js'
import { adasSpace } from './support/space.js'

const h = useProgram()

/** Returns the error of a call that must fail. */
async function failureOf(call: Promise<unknown>): Promise<SpacesError> {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(SpacesError)
  return error as SpacesError
}

describe('a refused call', () => {
  it('has the status and the detail of REST, and the id of the request', async () => {
    const { ada, space_id, client } = await adasSpace(h)
    const error = await failureOf(client.event.speech.mutate({ space_id, text: '' }))
    expect(error).toMatchObject({ name: 'SpacesError', status: 400, message: 'text: must not be empty', fields: {} })
    expect(error.detail).toBe(error.message)
    expect(error.mayPass).toBe(false)
    expect(error.requestId).toMatch(/^[\w-]{36}$/)
    expect(error).toBeInstanceOf(TRPCClientError)
    expect(error.data).toMatchObject({ code: 'BAD_REQUEST', path: 'event.speech' })
    expect(await failureOf(brisk(h.url).actor.me.query())).toMatchObject({ status: 401 })
    expect(await failureOf(client.space.status.query({ space_id: 'nowhere' }))).toMatchObject({ status: 404 })
    await h.as(ada).post(`/api/spaces/${space_id}/archive`).expect(200)
    const late = await failureOf(client.event.speech.mutate({ space_id, text: 'late' }))
    expect(late).toMatchObject({ status: 409, detail: 'Space is not active' })
  })

  it('has the fields that the error defines', async () => {
    const ada = await h.registerHuman()
    const agent = await h.registerAgent(ada)
    const { actor } = brisk(h.url, agent)
    await actor.connect.mutate({ actor_id: agent.actor_id, installation_id: 'here' })
    const elsewhere = { actor_id: agent.actor_id, installation_id: 'there' }
    const { status, detail, fields } = await failureOf(actor.connect.mutate(elsewhere))
    expect(status).toBe(409)
    expect(fields).toEqual({ error: 'agent_connected', message: detail, agent_id: agent.actor_id })
  })

  it('contains only its own part of the answer', async () => {
    const { space_id, client } = await adasSpace(h)
    const [created, refused] = await Promise.allSettled([
      client.token.create.mutate({ name: 'laptop' }),
      client.space.create.mutate({ space_id }),
    ])
    expect(created.status).toBe('fulfilled')
    const error = refused.status === 'rejected' ? refused.reason : undefined
    expect(error).toMatchObject({ status: 409 })
    expect(error.meta).toBeUndefined()
  })
})

describe('a call without an answer', () => {
  it('has an error of its own in a batch', async () => {
    const relay = await relayTo(h.url)
    relay.conduct = () => 'drop'
    const { space, actor } = brisk(relay.url)
    const errors = await Promise.all([failureOf(space.list.query({})), failureOf(actor.me.query())])
    expect(errors.map(({ operation }) => operation)).toEqual(['space.list', 'actor.me'])
    for (const { stack, operation } of errors) expect(stack).toContain(`SpacesError in ${operation}:`)
  })

  it('has no status, and contains the reason', async () => {
    const relay = await relayTo(h.url)
    relay.conduct = () => 'drop'
    const error = await failureOf(brisk(relay.url).actor.me.query())
    expect(error).toMatchObject({ status: null, mayPass: true, requestId: null, fields: {} })
    expect(error.detail).toMatch(/^No answer from the server: ./)
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('has the status of a proxy that answered in place of the server', async () => {
    const relay = await relayTo(h.url)
    const client = brisk(relay.url)
    relay.conduct = () => ({ status: 403, headers: { 'x-request-id': 'abc' }, body: '<h1>Forbidden</h1>' })
    const error = await failureOf(client.actor.me.query())
    expect(error).toMatchObject({ status: 403, requestId: 'abc', fields: {} })
    for (const body of ['<h1>Welcome</h1>', '', '[]', '{}', '[1]', 'null', '{"error":"x"}']) {
      relay.conduct = () => ({ status: 200, body })
      expect(await failureOf(client.actor.me.query())).toMatchObject({ status: 200, mayPass: false })
    }
  })
})

describe('a call that takes too long', () => {
  it('fails at its timeout, after as many attempts as fit', async () => {
    const { ada } = await adasSpace(h)
    const relay = await relayTo(h.url)
    relay.conduct = () => 'swallow'
    const client = clientWith({ url: relay.url, token: ada.api_key, timeoutMs: 50 }, BRISK)
    const error = await failureOf(client.actor.me.query())
    expect(error).toMatchObject({
      status: null,
      detail: 'No answer from the server within 0.05 seconds',
      mayPass: true,
    })
    // As many attempts as fit into the timeout.
    relay.conduct = () => ({ status: 503 })
    const hasty = clientWith({ url: relay.url, timeoutMs: 15 }, { ...BRISK, firstDelay: 1_000, longestDelay: 2_000 })
    expect(await failureOf(hasty.actor.me.query())).toMatchObject({ status: null, mayPass: true })
  })

  it('rejects an invalid timeout', () => {
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
      expect(() => clientWith({ url: h.url, timeoutMs }, BRISK)).toThrow(/^timeoutMs: must be a number/)
    }
  })
})

describe('the origin of an error', () => {
  it('is the operation and the calling line', async () => {
    const client = brisk(h.url)
    async function askWhoIAm() {
      return await client.actor.me.query()
    }
    const error = await failureOf(askWhoIAm())
    expect(error.operation).toBe('actor.me')
    expect(error.stack).toMatch(/^SpacesError in actor\.me: /)
    expect(error.stack).toContain('askWhoIAm')
    expect(error.stack).not.toContain('@trpc')
  })
})

describe('a credential', () => {
  const token = 'svc_0123456789'

  /** Returns all texts of an error, down to its innermost cause. */
  function text(error: unknown): string {
    return error instanceof Error ? `${error.message} ${error.stack} ${JSON.stringify(error)} ${text(error.cause)}` : ''
  }

  it('appears in no error', async () => {
    const relay = await relayTo(h.url)
    const client = clientWith({ url: relay.url, token }, BRISK)
    const read = async () => {
      for await (const _ of client.stream('plans'));
    }
    const failures = [await failureOf(client.actor.me.query()), await failureOf(read())]
    relay.conduct = () => 'drop'
    failures.push(await failureOf(client.actor.me.query()))
    for (const failure of failures) expect(text(failure)).not.toContain(token)
  })

  it('that cannot be valid is rejected with an error that does not contain it', () => {
    for (const bad of ['', `${token}\n`, `${token} `, `${token}ü`]) {
      const make = () => clientWith({ url: h.url, token: bad }, BRISK)
      expect(make).toThrow(new TypeError('token: must be printable ASCII without spaces'))
    }
  })

  it('is rejected in the address', () => {
    const address = 'url: must be an http or https address without credentials or query'
    for (const url of [
      '',
      'spaces',
      'ftp://x',
      `http://u:${token}@x`,
      `http://x/?token=${token}`,
      `http://x/#${token}`,
    ]) {
      expect(() => clientWith({ url }, BRISK)).toThrow(new TypeError(address))
    }
  })
})
