/** A row with the number of its call, counted from 1 by `WITH ORDINALITY`. */
export interface Ordinal {
  readonly ordinal: number
}

interface BatchOptions {
  /** The maximum number of calls in a statement. */
  readonly most: number
  /** The maximum number of concurrent statements; unlimited by default. Later calls wait for the next one. */
  readonly width?: number
}

interface PendingQuestion<Question, Answer> {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Combines the calls of one turn of the event loop into one statement, because under load a round trip costs more than a
 * row. Results are not cached.
 */
export function batched<Question, Answer>(
  { most, width = Number.POSITIVE_INFINITY }: BatchOptions,
  ask: (questions: readonly Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  let waiting: PendingQuestion<Question, Answer>[] = []
  let underWay = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || underWay >= width || waiting.length === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      void send()
    })
  }

  async function send(): Promise<void> {
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
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
      waiting.push({ question, resolve, reject })
      schedule()
    })
}

/** The rows in the order of the calls; null for a call without a row. */
export function inOrder<Row extends Ordinal>(rows: readonly Row[], questions: number): (Row | null)[] {
  const answers: (Row | null)[] = new Array(questions).fill(null)
  for (const row of rows) answers[row.ordinal - 1] = row
  return answers
}
