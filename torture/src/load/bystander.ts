import { setTimeout as delay } from 'node:timers/promises'
import { type OutgoingRequest, send } from '../service/http.js'
import { type Human, openSpace, registerTenant } from '../service/people.js'

const SPACE = 'beside'
const PAUSE_MS = 20
const AT_A_TIME = 2

/** The results of one time span. */
export interface Report {
  readonly requests: number
  readonly failures: readonly string[]
  readonly p95: number
}

/** An actor in another tenant, who does ordinary work during an attack. */
export class Bystander {
  #failures: string[] = []
  #times: number[] = []

  static async begin(url: string): Promise<Bystander> {
    const human = await registerTenant(url, 'Bystander')
    await openSpace(url, human, SPACE)
    return new Bystander(url, human)
  }

  private constructor(
    private readonly url: string,
    private readonly human: Human,
  ) {
    for (let n = 0; n < AT_A_TIME; n++) void this.#work()
  }

  /** Returns the requests since the last report. */
  report(): Report {
    const times = this.#times.sort((a, b) => a - b)
    const report = {
      requests: times.length,
      failures: this.#failures,
      p95: times[Math.floor(times.length * 0.95)] ?? 0,
    }
    this.#failures = []
    this.#times = []
    return report
  }

  async #work(): Promise<void> {
    for (let n = 0; ; n++) {
      for (const request of this.#requests(n)) {
        await this.#ask(request)
        await delay(PAUSE_MS)
      }
    }
  }

  #requests(n: number): OutgoingRequest[] {
    const { key } = this.human
    return [
      { path: `/api/spaces/${SPACE}/speech`, key, body: { text: `needle ${n}` } },
      { path: `/api/spaces/${SPACE}/events?tail=true&limit=20`, key },
      { path: `/api/spaces/${SPACE}/status`, key },
      { path: `/api/search?q=needle&limit=5&space_id=${SPACE}`, key },
      { path: '/api/spaces', key },
      { path: '/ready' },
    ]
  }

  async #ask(request: OutgoingRequest): Promise<void> {
    const begun = performance.now()
    const failure = await send(this.url, request).then(
      ({ status, text }) => (status === 200 ? undefined : `${status} ${text.slice(0, 200)}`),
      (error: Error) => error.message,
    )
    this.#times.push(performance.now() - begun)
    if (failure !== undefined) this.#failures.push(`${request.path}: ${failure}`)
  }
}
