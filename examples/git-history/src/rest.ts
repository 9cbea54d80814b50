import { setTimeout as delay } from 'node:timers/promises'

/** What the server refused, or that it is not there: one line for the person at the terminal. */
export class ServerError extends Error {
  override readonly name = 'ServerError'

  constructor(
    message: string,
    /** Absent when the server was not there to refuse. */
    readonly status?: number,
  ) {
    super(message)
  }
}

const TRIES = 5
const FIRST_DELAY_MS = 1_000

/** What the demo uses of the REST API: plain requests, as any language can send them. */
export class Rest {
  constructor(
    readonly url: string,
    readonly key?: string,
  ) {}

  as(key: string): Rest {
    return new Rest(this.url, key)
  }

  async get<T>(path: string): Promise<T> {
    return this.#send<T>('GET', path)
  }

  /** Safe to repeat only with an idempotency key: then a try that failed on the way is made again. */
  async post<T>(path: string, body: object = {}, idempotencyKey?: string): Promise<T> {
    return this.#send<T>('POST', path, JSON.stringify(body), idempotencyKey)
  }

  async #send<T>(method: string, path: string, body?: string, idempotencyKey?: string): Promise<T> {
    const tries = method === 'GET' || idempotencyKey !== undefined ? TRIES : 1
    for (let tried = 1; ; tried++) {
      const answer = await this.#try(method, path, body, idempotencyKey)
      if (answer?.status === 200) return (await answer.json()) as T
      const isPassing = answer === null || answer.status >= 500
      if (!isPassing || tried === tries) {
        throw new ServerError(await complaint(this.url, method, path, answer), answer?.status)
      }
      await delay(FIRST_DELAY_MS * 2 ** (tried - 1))
    }
  }

  /** Null when the server could not be reached. */
  async #try(method: string, path: string, body?: string, idempotencyKey?: string): Promise<Response | null> {
    const headers: Record<string, string> = {}
    if (this.key !== undefined) headers.authorization = `Bearer ${this.key}`
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
    return fetch(this.url + path, { method, headers, ...(body !== undefined && { body }) }).catch(() => null)
  }
}

async function complaint(url: string, method: string, path: string, answer: Response | null): Promise<string> {
  if (!answer) return `The server at ${url} does not answer any more`
  const { detail } = (await answer.json().catch(() => ({}))) as { detail?: string }
  return `${method} ${path} was refused with ${answer.status}: ${detail ?? answer.statusText}`
}

/** Throws a ServerError that says what to do when no server of ours answers at the address. */
export async function requireServer(url: string): Promise<void> {
  const answer = await fetch(`${url}/health`).catch(() => null)
  const { status } = ((await answer?.json().catch(() => null)) ?? {}) as { status?: unknown }
  if (status === 'ok') return
  const found = answer ? 'Something else answers' : 'No server answers'
  throw new ServerError(
    `${found} at ${url}: run "npx -y pnpm@12 start" in another terminal first, or set SPACES_URL to the server's address`,
  )
}
