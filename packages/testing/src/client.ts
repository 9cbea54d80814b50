import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { Pending } from './pending.js'

/** A completely read response. */
export class Answer {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly text: string,
  ) {}

  /** The parsed JSON body, or the text of NDJSON or of a file. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  get body(): any {
    const isText =
      this.headers.get('content-type')?.startsWith('application/x-ndjson') || this.headers.has('content-disposition')
    return isText ? this.text : JSON.parse(this.text)
  }

  /** Checks the status, and for an error its detail: `expect(409, 'Space is not active')`. Returns the body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  expect(status: number, detail?: string | RegExp): any {
    expect(`${this.status} ${this.status === status ? '' : this.text}`).toBe(`${status} `)
    if (status >= 400) {
      expect(this.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expectError(status, this.body)
    }
    if (detail instanceof RegExp) expect(this.body.detail).toMatch(detail)
    else if (detail !== undefined) expect(this.body.detail).toBe(detail)
    return this.text === '' ? undefined : this.body
  }
}

/** Checks that an error has a detail, and exactly the fields that are defined for it. */
export function expectError(status: number, body: Readonly<Record<string, unknown>>, sent?: string): void {
  expect(body.detail, sent).toMatch(/\S/)
  expect(Object.keys(body).sort(), sent).toEqual(fieldsOfError(status, body.error).sort())
}

/** Returns the fields of an error: its detail, and those that this error defines. */
function fieldsOfError(status: number, error: unknown): string[] {
  if (status >= 500) return ['detail', 'request_id']
  return error === undefined ? ['detail'] : ['detail', 'error', ...(FIELDS_OF_ERRORS[String(error)] ?? [])]
}

const FIELDS_OF_ERRORS: Readonly<Record<string, readonly string[]>> = {
  agent_connected: ['message', 'agent_id'],
  agent_stopped: ['reason', 'stopped_by', 'stopped_at'],
  insufficient_scope: ['scope'],
  approvals_missing: ['required', 'given'],
  decision_denied: ['option'],
  decision_expired: ['expires_at'],
  decision_used: ['used_by', 'used_at'],
  digest_mismatch: ['digest'],
  superseded: ['superseded_by'],
  loop_guard: ['scope', 'limit'],
  claimed: ['holder', 'holder_name', 'expires_at'],
  moved: ['location'],
}

/** Returns the header for a key, if any. */
export const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` }

/** Returns the id of the space at a path. */
export const spaceIdOf = (path: string) => path.slice('/api/spaces/'.length)

export interface Extras {
  readonly headers?: Record<string, string>
}

/** The connection pool of all clients in this process. */
const agent = new Agent({ keepAlive: true })

/** A plain REST client: paths, JSON, a key. */
export class Client {
  constructor(
    public url: string,
    readonly key?: string,
  ) {}

  /** Returns a client of the same server with a credential. */
  as(actor: { readonly api_key: string } | string | undefined): Client {
    const key = typeof actor === 'object' ? actor.api_key : actor
    const { url } = this
    return new Client(url, key)
  }

  get = (path: string, extras?: Extras) => this.send('GET', path, undefined, extras)
  delete = (path: string, extras?: Extras) => this.send('DELETE', path, undefined, extras)
  post = (path: string, body?: unknown, extras?: Extras) => this.send('POST', path, body, extras)
  patch = (path: string, body?: unknown, extras?: Extras) => this.send('PATCH', path, body, extras)
  put = (path: string, body?: unknown, extras?: Extras) => this.send('PUT', path, body, extras)

  /** Sends a request. A string or bytes are sent unchanged, any other body as JSON. */
  send(method: string, path: string, body?: unknown, extras: Extras = {}): Pending<Answer> {
    return new Pending(this.exchange(method, path, body, extras))
  }

  /**
   * Opens a live stream without reading it. `fetch` would take three times the processor time for tens of thousands of
   * requests.
   */
  protected async exchange(method: string, path: string, body: unknown, { headers = {} }: Extras): Promise<Answer> {
    const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    const outgoing = request(this.url + path, {
      method,
      agent,
      headers: {
        ...bearer(this.key),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    // A failure after the response has started is an error of the response.
    outgoing.on('error', () => {})
    outgoing.end(raw ? body : JSON.stringify(body))
    const [message] = (await once(outgoing, 'response')) as [IncomingMessage]
    const received = new Headers()
    for (const [name, values = []] of Object.entries(message.headersDistinct)) {
      for (const value of values) received.append(name, value)
    }
    const { statusCode = 0 } = message
    if (received.get('content-type')?.startsWith('text/event-stream')) {
      message.destroy()
      return new Answer(statusCode, received, '')
    }
    return new Answer(statusCode, received, await text(message))
  }

  /** Registers a human. Returns the body, with the key. */
  async registerHuman(display_name = 'Ada'): Promise<Actor> {
    return await this.as(undefined).post('/api/actors', { display_name, email: 'ada@example.org' }).expect(200)
  }

  /** Registers an agent that the actor sponsors, with default or given limits. */
  async registerAgent(sponsor: Actor, display_name = 'Scout', limits: object = {}): Promise<Actor> {
    return await this.as(sponsor)
      .post('/api/actors', { display_name, actor_type: 'agent', ...limits })
      .expect(200)
  }

  /** Marks everything in the caller's inbox as done, so that a wait for it does not end at once. */
  async clearInbox(): Promise<void> {
    const { notices, done } = await this.get('/api/actors/me/inbox').expect(200)
    if (notices.length > 0) await this.post('/api/actors/me/inbox/done', done).expect(200)
  }

  /** Opens a space with a new id. Returns its path. */
  async openSpace(actor: Actor, id = `space-${randomUUID()}`): Promise<string> {
    await this.as(actor).post('/api/spaces', { space_id: id }).expect(200)
    return `/api/spaces/${id}`
  }

  /** Starts a conversation of the actor, and returns its path. */
  async openConversation(starter: Actor, ...others: readonly Actor[]): Promise<string> {
    const actor_ids = others.map(({ actor_id }) => actor_id)
    const { space_id } = await this.as(starter).post('/api/conversations', { actor_ids }).expect(200)
    return `/api/spaces/${space_id}`
  }

  /** Registers Ada, who opens a space. Returns Ada, her client, and the space's path and id. */
  async adasSpace(): Promise<{ ada: Actor; client: Client; path: string; space_id: string }> {
    const ada = await this.registerHuman()
    const path = await this.openSpace(ada)
    return { ada, client: this.as(ada), path, space_id: spaceIdOf(path) }
  }
}

export interface Actor {
  readonly actor_id: string
  readonly api_key: string
  readonly display_name: string
}

/** Returns a well-formed id that does not exist. */
export const UNKNOWN_ACTOR = 'usr_000000000000000000000000'
export const NOTHING = '00000000-0000-7000-8000-000000000000'
