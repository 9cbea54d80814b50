import type { Answer } from '../service/http.js'

/** Statuses of a busy server, and of a balancer whose server is down. */
const HONEST: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Unsuccessful answers. An honest one has one of these statuses, a reason and a retry time, and no other content. */
export class Refusals {
  honest = 0
  /** Broken connections, and missing answers. */
  broken = 0
  readonly #wrong = new Map<string, number>()

  add({ status, headers, text }: Answer): void {
    const isHonest = HONEST.has(status) && headers['retry-after'] !== undefined && says(text)
    if (isHonest) this.honest++
    else {
      const kind = `${status} ${text.slice(0, 200)}`
      this.#wrong.set(kind, (this.#wrong.get(kind) ?? 0) + 1)
    }
  }

  /** Answers that must not occur. */
  get violations(): string[] {
    return [...this.#wrong].map(([kind, times]) => `answered ${times} times: ${kind}`)
  }
}

function says(text: string): boolean {
  try {
    return typeof JSON.parse(text).detail === 'string'
  } catch {
    return false
  }
}
