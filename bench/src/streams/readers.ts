import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Request, rawRequest } from '../workload/request.js'
import type { Answer, Late, Question } from './messages.js'

const READER = fileURLToPath(new URL('reader.js', import.meta.url))
const PROCESSES = 2
/** How long after the last event the slowest reader is waited for. */
const PATIENCE_MS = 30_000

/** Many readers of streams, in processes of their own. */
export class Readers {
  private constructor(private readonly children: readonly ChildProcess[]) {}

  /** Resolves when all streams are open. */
  static async open(url: string, requests: readonly Request[], count: number): Promise<Readers> {
    const { hostname: host, port } = new URL(url)
    const children = Array.from({ length: Math.min(PROCESSES, count) }, () => fork(READER))
    const readers = new Readers(children)
    try {
      await Promise.all(
        children.map((child, index) => {
          const own = requests.filter((_, n) => n % children.length === index % requests.length)
          return ask(child, 'open', {
            kind: 'open',
            host,
            port: Number(port),
            requests: own.map((request) => rawRequest(url, request)),
            count: Math.floor((count + index) / children.length),
          })
        }),
      )
    } catch (error) {
      await readers.close()
      throw error
    }
    return readers
  }

  /** What they have seen when each has seen so many events, or when that takes too long. */
  async seen(eventsOfEach: number): Promise<{ seen: number[]; lateness: Late[] }> {
    const deadline = performance.now() + PATIENCE_MS
    while (true) {
      const answers = await Promise.all(this.children.map((child) => ask(child, 'seen', { kind: 'seen' })))
      const seen = answers.flatMap((answer) => answer.seen)
      if (seen.every((events) => events >= eventsOfEach) || performance.now() > deadline) {
        return { seen, lateness: answers.flatMap((answer) => answer.lateness) }
      }
      await delay(200)
    }
  }

  async close(): Promise<void> {
    await Promise.all(
      this.children.map(async (child) => {
        const gone = once(child, 'exit')
        child.kill()
        await gone
      }),
    )
  }
}

/** Asks a child something, and waits for its answer. */
function ask<K extends Answer['kind']>(
  child: ChildProcess,
  kind: K,
  question: Question,
): Promise<Extract<Answer, { kind: K }>> {
  return new Promise((resolve, reject) => {
    const hear = (answer: Answer) => {
      if (answer.kind !== kind && answer.kind !== 'failed') return
      child.off('message', hear)
      if (answer.kind === 'failed') reject(new Error(answer.message))
      else resolve(answer as Extract<Answer, { kind: K }>)
    }
    child.on('message', hear)
    child.send(question)
  })
}

/** The lateness, in milliseconds, that a share of all events did not exceed. */
export function latenessAt(lateness: readonly Late[], share: number): number {
  const sorted = [...lateness].sort((a, b) => a.ms - b.ms)
  let left = sorted.reduce((sum, { events }) => sum + events, 0) * share
  for (const { ms, events } of sorted) {
    left -= events
    if (left <= 0) return ms
  }
  return Number.POSITIVE_INFINITY
}
