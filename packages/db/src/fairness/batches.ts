import { tooBusy, unavailable } from '@collab-spaces/domain'
import type { Silence } from '../connection/silence.js'
import { FairQueue, type Payer } from './queue.js'

export interface BatchOptions {
  /** How many questions are in a statement at most. */
  readonly most: number
  /** How many statements are under way at a time. */
  readonly width: number
  /** A question that waits for longer is refused. */
  readonly maxWaitMs: number
  /** Of the connections that the statements need. */
  readonly silence?: Silence
}

interface Waiting<Question, Answer> {
  readonly question: Question
  readonly since: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends questions together, as `batched` does, and has those who pay for them take turns. Only so many statements are
 * under way; what comes meanwhile waits here and not for a connection, where whoever has asked most would be first.
 */
export function fairlyBatched<Question, Answer>(
  { most, width, maxWaitMs, silence }: BatchOptions,
  payerOf: (question: Question) => Payer,
  ask: (questions: readonly Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  const queue = new FairQueue<Waiting<Question, Answer>>()
  let underWay = 0
  let isScheduled = false

  /** At the end of this turn of the event loop, so that concurrent questions share a statement. */
  function schedule(): void {
    if (isScheduled || underWay >= width || queue.size === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      void send()
    })
  }

  function next(): Waiting<Question, Answer>[] {
    const latest = performance.now() - maxWaitMs
    const batch: Waiting<Question, Answer>[] = []
    while (batch.length < most) {
      const waiting = queue.shift()
      if (!waiting) break
      if (silence?.hasCut(waiting.since)) waiting.reject(unavailable())
      else if (waiting.since > latest) batch.push(waiting)
      else waiting.reject(tooBusy())
    }
    return batch
  }

  async function send(): Promise<void> {
    const batch = next()
    if (batch.length === 0) return
    underWay++
    schedule()
    try {
      const answers = await ask(batch.map(({ question }) => question))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      underWay--
      schedule()
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      queue.push(payerOf(question), { question, since: performance.now(), resolve, reject })
      schedule()
    })
}
