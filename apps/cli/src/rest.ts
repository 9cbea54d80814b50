import { setTimeout as pause } from 'node:timers/promises'
import { SpacesError } from '@collab-spaces/client'
import type { Account } from './account/account.js'

const ATTEMPTS = 5
const FIRST_PAUSE_MS = 1_000

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
  async get<T>(path: string): Promise<T> {
    const response = await this.open(path)
    try {
      return (await response.json()) as T
    } catch (error) {
      throw noAnswer(error)
    }
  }

  /** An answer of which nothing is read yet. */
  async open(path: string): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#ask(path)
      } catch (error) {
        const mayPass = error instanceof SpacesError && error.mayPass && !this.signal.aborted
        if (!mayPass || attempt === ATTEMPTS) throw error
      }
      await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal: this.signal })
    }
  }

  async #ask(path: string): Promise<Response> {
    const { url, token } = this.account
    const headers = { authorization: `Bearer ${token}` }
    const response = await send(new Request(`${url}/api/${path}`, { headers, redirect: 'error', signal: this.signal }))
    if (response.ok) return response
    throw refusal(response.status, await response.text().catch(() => ''))
  }
}

export async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    throw noAnswer(error)
  }
}

/** The reason that says most: `fetch` keeps it in the cause of its error. */
export function noAnswer(error: unknown): SpacesError {
  const { message, cause } = error as Error
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
  return new SpacesError({ status: null, detail: `No answer from the server: ${reason}`, mayPass: true })
}

/** What an answer that is no success says. */
export function refusal(status: number, body: string): SpacesError {
  const { detail = `The server answered ${status}`, ...fields } = objectIn(body)
  return new SpacesError({ status, detail: String(detail), fields, mayPass: status >= 500 })
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? { ...value } : {}
  } catch {
    return {}
  }
}
