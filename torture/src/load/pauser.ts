import type { ConnectionOptions } from '@collab-spaces/db'
import { eventually } from '@collab-spaces/testing/programs'
import { readLog } from '../checker/stored.js'
import { must, send } from '../service/http.js'

const WRITERS = 6
const SPACE = 'paused'

/** Pauses a space repeatedly while writers use all instances, and checks that nothing is added after a pause. */
export class Pauser {
  readonly violations: string[] = []
  pauses = 0
  /** The number of answered writes, by writer. */
  readonly #answered: number[] = Array(WRITERS).fill(0)
  #isOver = false
  readonly #writing: Promise<void>[]

  static async begin(urls: readonly string[], key: string): Promise<Pauser> {
    await must(urls[0] as string, { path: '/api/spaces', key, body: { space_id: SPACE } })
    return new Pauser(urls, key)
  }

  private constructor(
    private readonly urls: readonly string[],
    private readonly key: string,
  ) {
    this.#writing = this.#answered.map((_, writer) => this.#write(writer))
  }

  /** Pauses the space, and resumes it once all pending writes have been answered. */
  async pause(connection: ConnectionOptions): Promise<void> {
    await this.#nextAnswers()
    await this.#set('paused')
    const paused = await readLog(connection, SPACE)
    await this.#nextAnswers()
    const { head } = await readLog(connection, SPACE)
    if (head > paused.head) this.violations.push(`${head - paused.head} events were added after a pause was confirmed`)
    await this.#set('active')
    this.pauses++
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#writing)
  }

  async #write(writer: number): Promise<void> {
    const path = `/api/spaces/${SPACE}/speech`
    while (!this.#isOver) {
      const answer = await send(this.#url(writer), { path, key: this.key, body: { text: 'x' } }).catch(() => null)
      if (answer?.status !== 200 && answer?.status !== 409)
        this.violations.push(`a write was answered ${answer?.status}`)
      this.#answered[writer] = (this.#answered[writer] ?? 0) + 1
    }
  }

  /** Resolves when every writer has had an answer since then. */
  async #nextAnswers(): Promise<void> {
    const before = [...this.#answered]
    await eventually(() => this.#answered.every((count, writer) => count > (before[writer] as number)))
  }

  #url(n: number): string {
    return this.urls[n % this.urls.length] as string
  }

  async #set(status: string): Promise<void> {
    const path = `/api/spaces/${SPACE}`
    await must(this.#url(this.pauses), { method: 'PATCH', path, key: this.key, body: { status } })
  }
}
