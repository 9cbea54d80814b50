import { setTimeout as pause } from 'node:timers/promises'
import { SpacesError } from '@collab-spaces/client'
import type { Account } from './account/account.js'

const ATTEMPTS = 5
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

/**
 * Reads over REST what may be of any size: a typed call is answered in one piece, and the server makes none that is
 * larger than it wants to hold in memory. What got no answer or a 5xx is asked for again, as by the typed client.
 */
export class Rest {
  constructor(
    private readonly account: Account,
    private readonly signal: AbortSignal,
  ) {}

  /** A whole answer. The path is what follows `/api/`. */
  get<T>(path: string): Promise<T> {
    return this.take(path, (response) => response.json() as Promise<T>)
  }

  /** What is made of an answer while it comes, which may be less than the whole. */
  async take<T>(path: string, make: (response: Response) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await make(await this.#ask(path)).catch(broken)
      } catch (error) {
        if (attempt === ATTEMPTS || this.signal.aborted) throw error
        await pause(delayBefore(error, attempt), undefined, { signal: this.signal })
      }
    }
  }

  async #ask(path: string): Promise<Response> {
    const { url, token } = this.account
    const headers = { authorization: `Bearer ${token}` }
    const response = await send(new Request(`${url}/api/${path}`, { headers, redirect: 'error', signal: this.signal }))
    if (response.ok) return response
    throw SpacesError.refused(response, await response.text().catch(() => ''))
  }
}

export async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    throw SpacesError.unreachable(error)
  }
}

/** An answer that has begun well and does not end. */
function broken(error: unknown): never {
  throw SpacesError.unreachable(error)
}

/** How long to wait before the next attempt. Throws an error that no other attempt would change. */
function delayBefore(error: unknown, attempt: number): number {
  if (!(error instanceof SpacesError) || !error.mayPass) throw error
  const delay = Math.max(FIRST_PAUSE_MS * 2 ** (attempt - 1), error.retryAfterMs ?? 0)
  if (delay > LONGEST_PAUSE_MS) throw error
  return delay
}
