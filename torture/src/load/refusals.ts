import type { Answer } from '../service/http.js'

/** Statuses of a server, and of a balancer whose server went away. */
const HONEST: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Answers that are no success. Honest is one of these that says why and when to come back, and nothing else. */
export class Refusals {
  honest = 0
  /** Connections that broke, and answers that never came. */
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

  /** Answers that no actor should have been given. */
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
