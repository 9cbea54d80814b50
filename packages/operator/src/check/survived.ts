import type pg from 'pg'
import type { Problem } from './history.js'

/**
 * Does a part of a check. A value that PostgreSQL cannot read is a problem like others, and the other parts go on. It is not
 * reported if `isKnown` says that it was.
 */
export async function survived(
  client: pg.Client,
  part: string,
  report: (problem: Problem) => void,
  work: () => Promise<void>,
  isKnown: () => Promise<boolean> = async () => false,
): Promise<void> {
  await client.query('SAVEPOINT part')
  try {
    await work()
    await client.query('RELEASE SAVEPOINT part')
  } catch (error) {
    // Class 22: the data is not what the statement reads. Anything else is no problem of the data.
    if (!/^22/.test((error as { code?: string }).code ?? '')) throw error
    await client.query('ROLLBACK TO SAVEPOINT part')
    if (!(await isKnown())) report({ problem: `${part} cannot be checked: ${(error as Error).message}` })
  }
}
