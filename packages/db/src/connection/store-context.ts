import type { Prisma, PrismaClient } from '../generated/client.js'
import type { Pools } from './pools.js'

/** The connections of a store: Prisma, on the pool for requests, and the pools. */
export interface StoreContext extends Pools {
  readonly prisma: PrismaClient
  /** Runs a transaction that exceeds the timeouts of requests, on a new connection. */
  readonly longTransaction: LongTransaction
}

export type LongTransaction = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>

/** A transaction of Prisma, or Prisma itself for a single statement. */
export type Transaction = Prisma.TransactionClient
