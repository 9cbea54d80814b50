import type { Prisma, PrismaClient } from '../generated/client.js'
import type { Pools } from './pools.js'

/** What a store works on: Prisma, on the connections for requests, and the pools. */
export interface StoreContext extends Pools {
  readonly prisma: PrismaClient
}

/** Statements that are committed together. Prisma itself is one of a single statement. */
export type Transaction = Prisma.TransactionClient
