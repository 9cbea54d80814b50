import type { Prisma, PrismaClient } from '../generated/client.js'
import type { Pools } from './pools.js'

/** The connections of a store: Prisma, on those for requests, and the pools. */
export interface StoreContext extends Pools {
  readonly prisma: PrismaClient
  /** Runs a transaction whose statements take longer than those of requests may, on a connection that is opened for it. */
  readonly longTransaction: LongTransaction
}

export type LongTransaction = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>

/** Statements that are committed together. Prisma itself is one of a single statement. */
export type Transaction = Prisma.TransactionClient
