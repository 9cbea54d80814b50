import type { Prisma, PrismaClient } from '../generated/client.js'
import type { Pools } from './pools.js'

/** The connections of a store: Prisma, on those for requests, and the pools. */
export interface StoreContext extends Pools {
  readonly prisma: PrismaClient
}

/** Statements that are committed together. Prisma itself is one of a single statement. */
export type Transaction = Prisma.TransactionClient
