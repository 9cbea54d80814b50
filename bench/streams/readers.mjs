import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { spelled } from '../wrk.mjs'

/** Many readers of streams, in processes of their own. */

/** @typedef {{ kind: 'open', host: string, port: number, requests: string[], count: number } | { kind: 'seen' }} Ask */

/**
 * @typedef {{ kind: 'open' }
 *   | { kind: 'failed', message: string }
 *   | { kind: 'seen', seen: number[], lateness: { ms: number, events: number }[] }} Told
 */

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Request } from '../wrk.mjs' */

const READER = fileURLToPath(new URL('reader.mjs', import.meta.url))
const PROCESSES = 2
/** How long after the last event the slowest reader is waited for. */
const PATIENCE_MS = 30_000

export class Readers {
  /** @param {ChildProcess[]} children @param {number} count */
  constructor(children, count) {
    this.children = children
    this.count = count
  }

  /** Resolves when all streams are open. @param {string} url @param {readonly Request[]} requests @param {number} count */
  static async open(url, requests, count) {
    const { hostname: host, port } = new URL(url)
    const children = Array.from({ length: Math.min(PROCESSES, count) }, () => fork(READER))
    const readers = new Readers(children, count)
    try {
      await Promise.all(
        children.map((child, index) => {
          const share = Math.floor((count + index) / children.length)
          const own = requests.filter((_, n) => n % children.length === index % requests.length)
          /** @type {Ask} */
          const ask = {
            kind: 'open',
            host,
            port: Number(port),
            requests: own.map((one) => spelled(url, one)),
            count: share,
          }
          return told(child, ask, 'open')
        }),
      )
    } catch (error) {
      await readers.close()
      throw error
    }
    return readers
  }

  /** What they have seen when each has seen so many events, or when that takes too long. @param {number} events Of each stream. */
  async seen(events) {
    const last = performance.now() + PATIENCE_MS
    while (true) {
      const answers = await Promise.all(this.children.map((child) => told(child, { kind: 'seen' }, 'seen')))
      const seen = answers.flatMap((answer) => answer.seen)
      if (seen.every((one) => one >= events) || performance.now() > last) {
        return { seen, lateness: answers.flatMap((answer) => answer.lateness) }
      }
      await delay(200)
    }
  }

  async close() {
    await Promise.all(
      this.children.map(async (child) => {
        const gone = once(child, 'exit')
        child.kill()
        await gone
      }),
    )
  }
}

/**
 * Asks a child something, and waits for its answer.
 * @template {Told['kind']} K
 * @param {ChildProcess} child
 * @param {Ask} ask
 * @param {K} kind
 * @returns {Promise<Extract<Told, { kind: K }>>}
 */
function told(child, ask, kind) {
  return new Promise((resolve, reject) => {
    const hear = (/** @type {Told} */ answer) => {
      if (answer.kind !== kind && answer.kind !== 'failed') return
      child.off('message', hear)
      if (answer.kind === 'failed') reject(new Error(answer.message))
      else resolve(/** @type {Extract<Told, { kind: K }>} */ (answer))
    }
    child.on('message', hear)
    child.send(ask)
  })
}

/**
 * The lateness, in milliseconds, that a share of all events did not exceed.
 * @param {readonly { ms: number, events: number }[]} lateness
 * @param {number} share
 */
export function latenessAt(lateness, share) {
  const sorted = [...lateness].sort((a, b) => a.ms - b.ms)
  let left = sorted.reduce((sum, { events }) => sum + events, 0) * share
  for (const { ms, events } of sorted) {
    left -= events
    if (left <= 0) return ms
  }
  return Number.POSITIVE_INFINITY
}
