import { eventually } from '@collab-spaces/testing'
import type { BrowserContext, Request } from 'playwright-core'

/** All changes for an account: a request without an end. */
export const STREAM = '/api/actors/me/stream'
const QUIET_MS = 2_000

/** The requests of all tabs of a browser to the server. */
export class Requests {
  readonly all: string[] = []
  /** Requests that are not answered whole. */
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

  /** Resolves when all that was asked for before is answered, but for streams. */
  answered(): Promise<unknown> {
    const asked = [...this.open].flatMap(([request, url]) => (url.includes(STREAM) ? [] : [request]))
    return eventually(() => !asked.some((request) => this.open.has(request)))
  }

  /** Resolves when nothing has been asked for a while. */
  quiet(): Promise<unknown> {
    return eventually(() => performance.now() - this.#lastAt > QUIET_MS)
  }
}
