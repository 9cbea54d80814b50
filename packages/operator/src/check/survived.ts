import type pg from 'pg'
import type { Problem } from './history.js'

/**
 * Runs a part of a check. A value that PostgreSQL cannot read is reported as a problem, unless `isKnown`, and the other
 * parts continue.
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
    // Class 22: the data does not fit the statement. Other errors are not problems of the data.
    if (!/^22/.test((error as { code?: string }).code ?? '')) throw error
    await client.query('ROLLBACK TO SAVEPOINT part')
    if (!(await isKnown())) report({ problem: `${part} cannot be checked: ${(error as Error).message}` })
  }
}
