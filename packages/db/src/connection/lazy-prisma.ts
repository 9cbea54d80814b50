import type { PrismaClient } from '../generated/client.js'

/** Returns a Prisma client that is created at its first use: its graph of all models takes 10 MB. */
export function lazyPrisma(create: () => PrismaClient): PrismaClient {
  let client: PrismaClient | undefined
  return new Proxy({} as PrismaClient, {
    get(_, name: keyof PrismaClient) {
      client ??= create()
      return client[name]
    },
  })
}
