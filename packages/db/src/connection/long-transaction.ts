import { tooBusy } from '@collab-spaces/domain'
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from '../generated/client.js'
import type { DatabasePool } from './pool.js'
import type { OpenPool } from './pools.js'
import type { LongTransaction, Transaction } from './store-context.js'
import type { Timeouts } from './timeouts.js'

/**
 * Runs rare transactions that exceed the timeouts of requests, one at a time. Each opens a connection, because those of the
 * pools time out.
 */
export function longTransactions(open: OpenPool, { connectionMs, moveMs }: Timeouts): LongTransaction {
  let isBusy = false
  return async (work) => {
    if (isBusy) throw tooBusy()
    isBusy = true
    try {
      return await runOn(open(1, moveMs), work, { maxWait: connectionMs, timeout: 2 * moveMs })
    } finally {
      isBusy = false
    }
  }
}

async function runOn<T>(
  pool: DatabasePool,
  work: (tx: Transaction) => Promise<T>,
  limits: { readonly maxWait: number; readonly timeout: number },
): Promise<T> {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { onPoolError: () => {} }) })
  try {
    return await prisma.$transaction(work, limits)
  } finally {
    await prisma.$disconnect()
    await pool.end()
  }
}
