import { setTimeout as delay } from 'node:timers/promises'
import { send } from '../service/http.js'
import type { EventIds } from './event-ids.js'
import type { Refusals } from './refusals.js'
import type { Target } from './target.js'

/** Follows a space page by page with a cursor. */
export class PageReader {
  readonly seen: string[] = []
  /** The events that it had seen when the server no longer knew them. */
  readonly gone: string[] = []
  /** The longest response time, in milliseconds. */
  slowest = 0

  constructor(
    readonly space: string,
    private readonly target: Target,
    private readonly ids: EventIds,
    private readonly refusals: Refusals,
  ) {}

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.step()
  }

  /** Reads another page. Returns the number of its events. */
  async step(): Promise<number> {
    const { url, key, between } = this.target
    const cursor = this.seen.at(-1)
    const since = cursor === undefined ? '' : `&since=${cursor}`
    const path = `/api/spaces/${this.space}/events?limit=${between(1, 200)}${since}`
    const begun = performance.now()
    const answer = await send(url(), { path, key }).catch(() => null)
    this.slowest = Math.max(this.slowest, performance.now() - begun)
    const page: { event_id: string }[] = answer?.status === 200 ? JSON.parse(answer.text) : []
    if (answer === null) this.refusals.broken++
    else if (answer.status === 404 && cursor !== undefined) this.gone.push(...this.seen.splice(-1))
    else if (answer.status !== 200) this.refusals.add(answer)
    this.seen.push(...page.map(({ event_id }) => this.ids.get(event_id)))
    if (page.length === 0) await delay(between(10, 50))
    return page.length
  }
}
