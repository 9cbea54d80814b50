import { setTimeout as delay } from 'node:timers/promises'
import type { Notes } from '../checker/notes.js'
import { send } from '../service/http.js'
import type { Refusals } from './refusals.js'
import type { Target } from './target.js'

/** Compares the event count of any instance with the number that was acknowledged before the request. */
export class Auditor {
  readonly violations: string[] = []

  constructor(
    private readonly target: Target,
    private readonly notes: Notes,
    private readonly refusals: Refusals,
  ) {}

  async run(isOver: () => boolean): Promise<void> {
    const { url, key, spaces, between } = this.target
    while (!isOver()) {
      const space = spaces[between(0, spaces.length - 1)] as string
      const acknowledged = this.notes.acknowledgedIn(space)
      const answer = await send(url(), { path: `/api/spaces/${space}/status`, key }).catch(() => null)
      if (answer?.status === 200) {
        const { event_count } = JSON.parse(answer.text)
        if (event_count < acknowledged) {
          this.violations.push(`${space}: ${event_count} events after ${acknowledged} had been acknowledged`)
        }
      } else if (answer) this.refusals.add(answer)
      await delay(between(5, 30))
    }
  }
}
