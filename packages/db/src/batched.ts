import type pg from 'pg'

/** A row with the number of the question it answers, counted from 1 as `WITH ORDINALITY` does. */
export interface Ordinal {
  readonly ordinal: number
}

/** Somebody who waits for an answer. */
export interface Waiting<Question, Answer> {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** What waits to be asked. */
interface Line<Question, Answer> {
  isEmpty(): boolean
  /** Removes what the next statement asks. */
  next(): readonly Waiting<Question, Answer>[]
}

/**
 * Sends what waits in a line, as a statement of many questions: under load a round trip costs more than a row. It does so
 * at the end of a turn of the event loop, and while fewer statements than `width` are under way; the others wait, and
 * are then asked together. Call what it returns when something has come into the line.
 */
export function sendTogether<Question, Answer>(
  width: number,
  line: Line<Question, Answer>,
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): () => void {
  let underWay = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || underWay >= width || line.isEmpty()) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      void send()
    })
  }

  async function send(): Promise<void> {
    const batch = line.next()
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

  return schedule
}

export interface BatchOptions {
  /** How many questions are in a statement at most. */
  readonly most: number
  /** How many statements are under way at a time. */
  readonly width: number
}

/** Sends concurrent questions in one statement. Nothing is cached; a later question is sent again. */
export function batched<Question, Answer>(
  { most, width }: BatchOptions,
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let line: Waiting<Question, Answer>[] = []
  const next = () => {
    const batch = line.slice(0, most)
    line = line.slice(most)
    return batch
  }
  const schedule = sendTogether(width, { isEmpty: () => line.length === 0, next }, ask)
  return (question) =>
    new Promise((resolve, reject) => {
      line.push({ question, resolve, reject })
      schedule()
    })
}

/** The rows in the order of the questions; null for a question without a row. */
export function inOrder<Row extends Ordinal>(rows: readonly Row[], questions: number): (Row | null)[] {
  const answers: (Row | null)[] = new Array(questions).fill(null)
  for (const row of rows) answers[row.ordinal - 1] = row
  return answers
}

/** With few statements under way, there are more keys in each, and connections left for others. */
const KEYS: BatchOptions = { most: 50, width: 2 }

/** Finds rows by key; null for a key without a row. The statement takes one array for each part of the key. */
export function batchedByKey<Key, Row>(
  pool: pg.Pool,
  statement: { readonly name: string; readonly text: string },
  partsOf: readonly ((key: Key) => string)[],
): (key: Key) => Promise<Row | null> {
  return batched(KEYS, async (keys: readonly Key[]) => {
    const { rows } = await pool.query<Row & Ordinal>({ ...statement, values: partsOf.map((part) => keys.map(part)) })
    return inOrder(rows, keys.length)
  })
}
