import { tooBusy } from '@collab-spaces/domain'
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from '../generated/client.js'
import type { DatabasePool } from './pool.js'
import type { OpenPool } from './pools.js'
import type { LongTransaction, Transaction } from './store-context.js'
import type { Timeouts } from './timeouts.js'

/**
 * Transactions that take longer than those of requests may, one at a time. Rare, so that each opens a connection: those of
 * the pools give up a statement that is as slow as this.
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
