import type { PrismaClient } from '../generated/client.js'

/** Returns a Prisma client that is created at its first use: its graph of all models takes 10 MB. */
export function lazyPrisma(create: () => PrismaClient) {
  let client: PrismaClient | undefined
  const prisma = new Proxy({} as PrismaClient, {
    get(_, name: keyof PrismaClient) {
      client ??= create()
      return client[name]
    },
  })
  return { prisma, closePrisma: async () => client?.$disconnect() }
}
