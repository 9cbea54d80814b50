import { type Scope, tooBusy, unavailable } from '@collab-spaces/domain'
import type { Silence } from '../connection/silence.js'
import { FairQueue, type Payer } from './queue.js'

export interface BatchOptions<Question> {
  /** How many questions are in a statement at most. */
  readonly most: number
  /** How many statements are under way at a time. */
  readonly width: number
  /** A question that waits for longer is refused. */
  readonly maxWaitMs: number
  /** Where one question may be dear: a statement has those of one tenant, which has none in another one meanwhile. */
  readonly areTenantsApart?: boolean
  /** Questions that are the same have the same key. Until it is sent, whoever asks one again shares its answer. */
  readonly keyOf?: (question: Question) => string
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
  { most, width, maxWaitMs, areTenantsApart = false, keyOf, silence }: BatchOptions<Question>,
  payerOf: (question: Question) => Payer,
  ask: (questions: readonly Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  const queue = new FairQueue<Waiting<Question, Answer>>()
  const answers = new Map<string, Promise<Answer>>()
  const busyTenants = new Set<Scope>()
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
    let tenant: Scope | undefined
    const mayAnyOf = (scope: Scope) => !areTenantsApart || (scope === (tenant ?? scope) && !busyTenants.has(scope))
    while (batch.length < most) {
      const waiting = queue.shift(undefined, mayAnyOf)
      if (!waiting) break
      const { question, since, reject } = waiting
      if (keyOf) answers.delete(keyOf(question))
      if (silence?.hasCut(since)) reject(unavailable())
      else if (since <= latest) reject(tooBusy())
      else {
        tenant = payerOf(question).scope
        batch.push(waiting)
      }
    }
    return batch
  }

  async function send(): Promise<void> {
    const batch = next()
    if (batch.length === 0) return
    const tenants = new Set(batch.map(({ question }) => payerOf(question).scope))
    for (const scope of tenants) busyTenants.add(scope)
    underWay++
    schedule()
    try {
      const found = await ask(batch.map(({ question }) => question))
      for (const [index, { resolve }] of batch.entries()) resolve(found[index] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      underWay--
      for (const scope of tenants) busyTenants.delete(scope)
      schedule()
    }
  }

  const answerOf = (question: Question) =>
    new Promise<Answer>((resolve, reject) => {
      queue.push(payerOf(question), { question, since: performance.now(), resolve, reject })
      schedule()
    })

  if (!keyOf) return answerOf
  return (question) => {
    const key = keyOf(question)
    const answer = answers.get(key) ?? answerOf(question)
    answers.set(key, answer)
    return answer
  }
}
