import { usage } from './failure.js'
import { type HttpAnswer, type HttpRequest, send } from './http.js'
import type { Proxies } from './settings.js'

/** The default request timeout in seconds. */
const DEFAULT_S = 30

/** Timers take no more. */
const LONGEST_S = 86_400

/** How many milliseconds a server may stay silent: what a flag says, or the environment. */
export function timeoutMsOf(flag: string | undefined, variable: string | undefined): number {
  const given = flag ?? variable ?? String(DEFAULT_S)
  const seconds = /^\d+(\.\d+)?$/.test(given) ? Number(given) : 0
  if (seconds > 0 && seconds <= LONGEST_S) return seconds * 1_000
  throw usage(
    `${flag === undefined ? 'SPACES_TIMEOUT' : '--timeout'}: must be a number of seconds, such as ${DEFAULT_S}`,
  )
}

/** Requests to a server, and whether it has ever answered. */
export class Contact {
  /** Whether it has answered anything. */
  isMade = false

  /** `timeoutMs` is how long the server may take to begin an answer. */
  constructor(
    readonly timeoutMs: number,
    private readonly proxies: Proxies | undefined,
  ) {}

  /**
   * Sends a request, and does not wait for ever. The body after the headers may take its time, and so may one that is sent as
   * a stream: the client closes a connection that takes no more of it.
   */
  readonly fetch = async (url: string, request: HttpRequest): Promise<HttpAnswer> => {
    const timeout = new AbortController()
    const isStreamed = request.body instanceof ReadableStream
    const timer = isStreamed
      ? undefined
      : setTimeout(() => timeout.abort(this.#tooLate()), this.timeoutMs + waitIn(url))
    try {
      const signals = [timeout.signal, request.signal ?? []].flat()
      const answer = await send(url, { ...request, signal: AbortSignal.any(signals) }, this.proxies)
      this.isMade = true
      return answer
    } catch (error) {
      throw timeout.signal.aborted ? timeout.signal.reason : error
    } finally {
      clearTimeout(timer)
    }
  }

  #tooLate(): Error {
    return new Error(`nothing came for ${this.timeoutMs / 1_000} seconds`)
  }
}

/** How long a request asks the server to wait for something to happen, in milliseconds. */
function waitIn(url: string): number {
  const { searchParams } = new URL(url)
  // Typed calls have their input in one parameter.
  const inputs = searchParams
    .getAll('input')
    .flatMap((input) => [...input.matchAll(/"wait":(\d+)/g)].map(([, wait]) => wait))
  const seconds = [...searchParams.getAll('wait'), ...inputs].map(Number).filter(Number.isFinite)
  return Math.max(0, ...seconds) * 1_000
}
