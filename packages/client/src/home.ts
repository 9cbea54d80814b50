import { SpacesError } from './error.js'
import type { Answer, FetchInit } from './fetch.js'
import { isAmong, originsOf } from './origin.js'

/** The installations that a client may go to when its tenant moves. */
export interface MoveOptions {
  /**
   * The origins that may get the token when the tenant has moved there: `https://b.example.org`, or
   * `https://*.spaces.example.org` for any one name in front. None by default: then a call fails with status 421, and
   * says where the tenant is.
   */
  readonly mayMoveTo?: readonly string[] | undefined
  /**
   * Called with the address that the tenant has moved to, once it has answered there: keep it, and begin with it next
   * time.
   */
  readonly onMoved?: ((location: string) => void) | undefined
}

/** The installation to begin with, and where a tenant may move to. */
export interface HomeOptions<Init, Got> extends MoveOptions {
  /** The address that was configured. */
  readonly url: string
  readonly fetch: (url: string, init: Init) => Promise<Got>
}

/** So many installations in a row may say that the tenant is elsewhere. */
const MAX_MOVES = 4

/**
 * The address of the installation where the tenant is. An installation that it has left answers 421 and where to: what
 * is asked then is asked there, as it was, if its credential may go there. Nothing was done by who answers 421, so a
 * write that must not be repeated may follow as well.
 *
 * For programs that call REST themselves: `fetch` sends what is addressed to the configured installation to where the
 * tenant is, and `reach` calls again what fails with the `SpacesError` of a 421.
 */
export class Home<Init = FetchInit, Got extends Pick<Answer, 'ok'> = Answer> {
  readonly #configured: string
  readonly #origins: readonly string[]
  #url: string
  #told: string

  /** Throws a TypeError when an address is malformed. */
  constructor(private readonly options: HomeOptions<Init, Got>) {
    this.#configured = baseOf(options.url)
    this.#origins = originsOf(options.mayMoveTo ?? [])
    this.#url = this.#configured
    this.#told = this.#configured
  }

  /** The address of the tenant, as far as is known, without a slash at the end. */
  get url(): string {
    return this.#url
  }

  /** Sends a request that was addressed to the configured installation to where the tenant is. */
  readonly fetch = async (url: string, init: Init): Promise<Got> => {
    const home = this.#url
    const answer = await this.options.fetch(home + url.slice(this.#configured.length), init)
    if (answer.ok && home === this.#url && home !== this.#told) {
      this.#told = home
      // An error of `onMoved` is no failure of a request that may have written something.
      queueMicrotask(() => this.options.onMoved?.(home))
    }
    return answer
  }

  /** The answer to a request, wherever the tenant is. */
  async reach<T>(request: () => Promise<T>): Promise<T> {
    for (const moves: string[] = []; ; ) {
      try {
        return await request()
      } catch (error) {
        if (!this.follows(error, moves)) throw error
      }
    }
  }

  /**
   * Whether the error was that the tenant is elsewhere, and requests now go there. `moves` are those of the request so
   * far. Throws when they must not go there, or have gone in circles.
   */
  follows(error: unknown, moves: string[]): boolean {
    if (!isMoved(error)) return false
    const location = locationIn(error)
    if (moves.length === MAX_MOVES) throw circular(error, [...moves, location])
    this.#requireAllowed(error, location)
    moves.push(location)
    this.#url = location
    return true
  }

  #requireAllowed(error: MovedError, location: string): void {
    const { origin, protocol } = new URL(location)
    const moved = `The tenant has moved to ${location}`
    if (protocol === 'http:' && this.#url.startsWith('https:')) throw error.because(`${moved}, which is not encrypted`)
    const own = [this.#url, this.#configured].map((url) => new URL(url).origin)
    if (own.includes(origin) || isAmong(this.#origins, origin)) return
    throw error.because(`${moved}, which mayMoveTo does not allow`)
  }
}

type MovedError = SpacesError & { readonly fields: { readonly location: string } }

/** A proxy answers 421 for reasons of its own. */
const isMoved = (error: unknown): error is MovedError =>
  error instanceof SpacesError &&
  error.status === 421 &&
  error.fields.error === 'moved' &&
  typeof error.fields.location === 'string'

function locationIn(error: MovedError): string {
  try {
    return baseOf(error.fields.location)
  } catch {
    throw error.because('The tenant has moved, but the server gives no address. Ask its operator')
  }
}

const circular = (error: MovedError, moves: readonly string[]) =>
  error.because(`Each server says that the tenant is at the next: ${moves.join(', ')}. Ask their operators`)

/** Errors end up in logs, so they do not quote the address. */
function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isHttp = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  if (!isHttp || parsed.username || parsed.password || parsed.search || parsed.hash) {
    throw new TypeError('url: must be an http or https address without credentials or query')
  }
  return parsed.href.replace(/\/+$/, '')
}
