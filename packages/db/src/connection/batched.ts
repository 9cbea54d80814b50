/** A row with the number of the question it answers, counted from 1 as `WITH ORDINALITY` does. */
export interface Ordinal {
  readonly ordinal: number
}

interface BatchOptions {
  /** How many questions are in a statement at most. */
  readonly most: number
  /** How many statements are under way at a time; any number by default. Later questions are in the next ones. */
  readonly width?: number
}

interface Waiting<Question, Answer> {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends the questions of one turn of the event loop in one statement: under load a round trip costs more than a row.
 * Nothing is cached; a later question is sent again.
 */
export function batched<Question, Answer>(
  { most, width = Number.POSITIVE_INFINITY }: BatchOptions,
  ask: (questions: readonly Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = []
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

/** The rows in the order of the questions; null for a question without a row. */
export function inOrder<Row extends Ordinal>(rows: readonly Row[], questions: number): (Row | null)[] {
  const answers: (Row | null)[] = new Array(questions).fill(null)
  for (const row of rows) answers[row.ordinal - 1] = row
  return answers
}
