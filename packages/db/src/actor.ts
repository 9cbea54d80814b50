import type { ActorType, AgentConnection, Scope } from '@collab-spaces/domain'
import type { Actor, Prisma, PrismaClient } from './generated/client.js'
import { type Listing, listing } from './listing.js'

/** An actor as it is stored. `metadata` is JSON text. */
export interface ActorRecord {
  readonly actorId: string
  readonly actorType: ActorType
  readonly scope: Scope
  readonly displayName: string
  readonly email: string | null
  readonly agentProfile: string | null
  readonly metadata: string | null
  readonly sponsorId: string | null
  readonly defaultSpaceId: string | null
  readonly createdAt: Date
  readonly connection: AgentConnection | null
  /** Of its current tenant. */
  readonly isAdmin: boolean
}

export interface NewActor {
  readonly actorId: string
  readonly actorType: ActorType
  readonly displayName: string
  readonly email: string | null
  readonly agentProfile: string | null
  readonly metadata: string | null
  readonly keyHash: Buffer
  readonly createdAt: Date
}

export interface ActorChange {
  readonly displayName?: string
  readonly metadata?: string | null
  readonly connection?: AgentConnection | null
  readonly agentAdapter?: string | null
  readonly isAdmin?: boolean
  /** The hash of a new key. The current key stops working with the commit. */
  readonly keyHash?: Buffer
}

export interface ActorStore {
  registerHuman(scope: Scope, actor: NewActor): Promise<ActorRecord>
  /** Null when the sponsor was deleted meanwhile. The agent starts in its sponsor's scope. */
  registerAgent(sponsorId: string, agent: NewActor): Promise<ActorRecord | null>
  /** Counts a registration from an address in an hour and returns the count. Older hours are deleted. */
  countRegistration(address: string, hour: Date): Promise<number>
  find(actorId: string): Promise<ActorRecord | null>
  /** By `created_at` ascending. */
  agentsOf(sponsorId: string): Promise<Listing<ActorRecord>>
  /** Locks the actor and writes the change that `decide` returns. Null when there is no such actor. */
  change(actorId: string, decide: (actor: ActorRecord) => ActorChange): Promise<ActorRecord | null>
  /**
   * Deletes an actor and the agents it sponsors: keys, tokens and participations go, names stay. `allow` may refuse by
   * throwing. Returns the ids of all deleted actors, none when there is no such actor.
   */
  delete(actorId: string, allow: (actor: ActorRecord) => void, now: Date): Promise<string[]>
}

const LIVE = { deletedAt: null }

/** Rows of a list that are read at once. Metadata may be 64 KiB each. */
const PAGE_SIZE = 100

/** The rows after one, in the order of lists. */
const behind = (row: ActorRecord) => ({
  OR: [{ createdAt: { gt: row.createdAt } }, { createdAt: row.createdAt, actorId: { gt: row.actorId } }],
})

export function actorStore(prisma: PrismaClient): ActorStore {
  return {
    async registerHuman(scope, actor) {
      return actorRecord(await prisma.actor.create({ data: creation(scope, null, actor) }))
    },

    async registerAgent(sponsorId, agent) {
      return prisma.$transaction(async (tx) => {
        const sponsor = await lockActor(tx, sponsorId)
        if (!sponsor) return null
        return actorRecord(await tx.actor.create({ data: creation(sponsor.scope, sponsorId, agent) }))
      })
    },

    async countRegistration(address, hour) {
      const { count } = await prisma.registrationCount.upsert({
        where: { address_hour: { address, hour } },
        create: { address, hour, count: 1 },
        update: { count: { increment: 1 } },
      })
      if (count === 1) await prisma.registrationCount.deleteMany({ where: { hour: { lt: hour } } })
      return count
    },

    async find(actorId) {
      // Not findUnique: Prisma batches concurrent calls of it, and compiles a new statement for every batch.
      const row = await prisma.actor.findFirst({ where: { actorId, ...LIVE } })
      return row && actorRecord(row)
    },

    async agentsOf(sponsorId) {
      return listing(PAGE_SIZE, async (after, take) => {
        const rows = await prisma.actor.findMany({
          where: { sponsorId, ...LIVE, ...(after && behind(after)) },
          orderBy: [{ createdAt: 'asc' }, { actorId: 'asc' }],
          take,
        })
        return rows.map(actorRecord)
      })
    },

    async change(actorId, decide) {
      return prisma.$transaction(async (tx) => {
        const actor = await lockActor(tx, actorId)
        if (!actor) return null
        const { keyHash, connection, ...columns } = decide(actor)
        if (keyHash) await tx.apiKey.update({ where: { actorId }, data: { keyHash: bytes(keyHash) } })
        const data: Prisma.ActorUncheckedUpdateInput = { ...columns }
        if (connection !== undefined) {
          data.installationId = connection?.installationId ?? null
          data.connectedAt = connection?.connectedAt ?? null
        }
        return actorRecord(await tx.actor.update({ where: { actorId }, data }))
      })
    },

    async delete(actorId, allow, now) {
      return prisma.$transaction(async (tx) => {
        const actor = await lockActor(tx, actorId)
        if (!actor) return []
        allow(actor)
        // The sponsor is locked, so it gets no new agents until this is committed.
        const agents = await tx.actor.findMany({ where: { sponsorId: actorId, ...LIVE }, select: { actorId: true } })
        const deleted = { actorId: { in: [actorId, ...agents.map((agent) => agent.actorId)] } }
        await tx.apiKey.deleteMany({ where: deleted })
        await tx.token.deleteMany({ where: deleted })
        await tx.actor.updateMany({
          where: deleted,
          data: {
            deletedAt: now,
            email: null,
            agentProfile: null,
            metadata: null,
            installationId: null,
            connectedAt: null,
          },
        })
        await tx.participant.deleteMany({ where: deleted })
        return deleted.actorId.in
      })
    },
  }
}

/** Locks a living actor until the end of the transaction. */
export async function lockActor(tx: Prisma.TransactionClient, actorId: string): Promise<ActorRecord | null> {
  await tx.$queryRaw`SELECT FROM actors WHERE actor_id = ${actorId} FOR NO KEY UPDATE`
  const row = await tx.actor.findUnique({ where: { actorId, ...LIVE } })
  return row && actorRecord(row)
}

/** The rows of a new actor: the actor, its key and its membership. */
export function creation(scope: Scope, sponsorId: string | null, actor: NewActor): Prisma.ActorUncheckedCreateInput {
  const { keyHash, ...columns } = actor
  return {
    ...columns,
    tenantId: scope,
    sponsorId,
    apiKey: { create: { keyHash: bytes(keyHash), createdAt: actor.createdAt } },
    memberships: { create: { tenantId: scope } },
  }
}

export function actorRecord(row: Actor): ActorRecord {
  return {
    actorId: row.actorId,
    actorType: row.actorType as ActorType,
    scope: row.tenantId as Scope,
    displayName: row.displayName,
    email: row.email,
    agentProfile: row.agentProfile,
    metadata: row.metadata,
    sponsorId: row.sponsorId,
    defaultSpaceId: row.defaultSpaceId,
    createdAt: row.createdAt,
    isAdmin: row.isAdmin,
    connection:
      row.installationId !== null && row.connectedAt !== null
        ? { installationId: row.installationId, connectedAt: row.connectedAt }
        : null,
  }
}

/** Prisma takes bytes only on an ArrayBuffer of their own, which a pooled Buffer does not have. */
const bytes = (buffer: Buffer) => new Uint8Array(buffer)
