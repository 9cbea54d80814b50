import { tooBusy } from '@collab-spaces/domain'
import { type BatchOptions, sendTogether, type Waiting } from './batched.js'
import { FairQueue, type Payer } from './fair-queue.js'

export interface FairBatchOptions extends BatchOptions {
  /** A question that waits for longer is refused. */
  readonly maxWaitMs: number
}

interface Dated<Question, Answer> extends Waiting<Question, Answer> {
  readonly since: number
}

/**
 * Sends questions together, as `batched` does, and has those who pay for them take turns. What waits for its turn waits
 * here and not for a connection, where whoever has asked most would be first.
 */
export function fairlyBatched<Question, Answer>(
  { most, width, maxWaitMs }: FairBatchOptions,
  payerOf: (question: Question) => Payer,
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  const queue = new FairQueue<Dated<Question, Answer>>()

  function next(): Waiting<Question, Answer>[] {
    const latest = performance.now() - maxWaitMs
    const batch: Waiting<Question, Answer>[] = []
    while (batch.length < most) {
      const waiting = queue.shift()
      if (!waiting) break
      if (waiting.since > latest) batch.push(waiting)
      else waiting.reject(tooBusy())
    }
    return batch
  }

  const schedule = sendTogether(width, { isEmpty: () => queue.size === 0, next }, ask)
  return (question) =>
    new Promise((resolve, reject) => {
      queue.push(payerOf(question), { question, since: performance.now(), resolve, reject })
      schedule()
    })
}
