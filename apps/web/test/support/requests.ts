import { eventually } from '@collab-spaces/testing'
import type { BrowserContext, Request } from 'playwright-core'

/** The stream of an account, a request that does not end. */
export const STREAM = '/api/actors/me/stream'
/** Longer than a busy machine takes to replace a stream and fetch what it missed. */
const QUIET_MS = 5_000

/** Records the requests of all tabs of a browser. */
export class Requests {
  readonly all: string[] = []
  /** Requests without a complete response. */
  readonly open = new Map<Request, string>()
  #lastAt = 0

  constructor(context: BrowserContext) {
    context.on('request', (request) => {
      const url = request.url()
      if (!/\/(api|trpc)\//.test(url)) return
      this.all.push(url)
      this.open.set(request, url)
      this.#lastAt = performance.now()
    })
    const over = (request: Request) => this.open.delete(request)
    context.on('requestfinished', over)
    context.on('requestfailed', over)
  }

  /** Resolves when all requests but streams are answered. */
  answered(): Promise<unknown> {
    const pending = [...this.open].flatMap(([request, url]) => (url.includes(STREAM) ? [] : [request]))
    return eventually(() => !pending.some((request) => this.open.has(request)))
  }

  /** Resolves after a time without requests. */
  quiet(): Promise<unknown> {
    return eventually(() => performance.now() - this.#lastAt > QUIET_MS)
  }
}
