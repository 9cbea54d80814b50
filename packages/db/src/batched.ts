import DataLoader from 'dataloader'
import type pg from 'pg'

/** Rows that say which question they answer: the place of it, from 1, as `WITH ORDINALITY` counts. */
export interface Ordinal {
  readonly ordinal: number
}

/**
 * Questions of one turn of the event loop are asked of the database in one statement, at most so many in each: under
 * load its way there and back costs more than a row. Nothing is kept: what is asked a moment later is asked anew.
 */
export function batched<Question, Answer>(
  most: number,
  ask: (questions: readonly Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  const loader = new DataLoader<Question, Answer>(ask, {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn: (dispatch) => setImmediate(dispatch),
  })
  return (question) => loader.load(question)
}

/** The row for each of so many questions, in their order; null for one that has none. */
export function inOrder<Row extends Ordinal>(rows: readonly Row[], questions: number): (Row | null)[] {
  const answers: (Row | null)[] = new Array(questions).fill(null)
  for (const row of rows) answers[row.ordinal - 1] = row
  return answers
}

const KEYS_PER_STATEMENT = 50

/** Finds rows by their keys; null for a key that has none. The statement takes a list for each part of a key. */
export function batchedByKey<Key, Row>(
  pool: pg.Pool,
  statement: { readonly name: string; readonly text: string },
  partsOf: readonly ((key: Key) => string)[],
): (key: Key) => Promise<Row | null> {
  return batched(KEYS_PER_STATEMENT, async (keys: readonly Key[]) => {
    const { rows } = await pool.query<Row & Ordinal>({ ...statement, values: partsOf.map((part) => keys.map(part)) })
    return inOrder(rows, keys.length)
  })
}
