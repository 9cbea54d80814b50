import { usage } from './failure.js'

/** How many seconds a server may stay silent, unless somebody says otherwise. */
const DEFAULT_S = 30

/** Timers take no more. */
const LONGEST_S = 86_400

/** How many milliseconds a server may stay silent: what a flag says, or the environment. */
export function patience(flag: string | undefined, variable: string | undefined): number {
  const given = flag ?? variable ?? String(DEFAULT_S)
  const seconds = /^\d+(\.\d+)?$/.test(given) ? Number(given) : 0
  if (seconds > 0 && seconds <= LONGEST_S) return seconds * 1_000
  throw usage(
    `${flag === undefined ? 'SPACES_TIMEOUT' : '--timeout'}: must be a number of seconds, such as ${DEFAULT_S}`,
  )
}

type Fetch = (url: string | Request, init?: RequestInit) => Promise<Response>

/** What is known about a server while the command runs. */
export class Contact {
  /** Whether it has answered anything. */
  isMade = false

  /** `patienceMs` is how long the server may take to begin an answer. */
  constructor(readonly patienceMs: number) {}

  /** `fetch` that does not wait for ever. What comes after the headers may take its time. */
  readonly fetch: Fetch = async (request, init = {}) => {
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(this.#tooLate()), this.patienceMs + waitIn(request))
    try {
      const signals = [silence.signal, init.signal ?? []].flat()
      const response = await fetch(request, { ...init, signal: AbortSignal.any(signals) })
      this.isMade = true
      return response
    } catch (error) {
      throw silence.signal.aborted ? silence.signal.reason : error
    } finally {
      clearTimeout(timer)
    }
  }

  #tooLate(): Error {
    return new Error(`nothing came for ${this.patienceMs / 1_000} seconds`)
  }
}

/** How long a request asks the server to wait for something to happen, in milliseconds. */
function waitIn(request: string | Request): number {
  const { searchParams } = new URL(typeof request === 'string' ? request : request.url)
  // Typed calls have their input in one parameter.
  const inputs = searchParams
    .getAll('input')
    .flatMap((input) => [...input.matchAll(/"wait":(\d+)/g)].map(([, wait]) => wait))
  const seconds = [...searchParams.getAll('wait'), ...inputs].map(Number).filter(Number.isFinite)
  return Math.max(0, ...seconds) * 1_000
}
