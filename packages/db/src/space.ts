import type { Scope, SpaceStatus } from '@collab-spaces/domain'
import type pg from 'pg'
import { lockBearer } from './actor/lock.js'
import { lockWriter, type Writer } from './actor/stop.js'
import { batchedByKey } from './batched.js'
import { columnsOf } from './columns.js'
import { isUniqueViolation } from './connection/fault.js'
import type { Bearer } from './credential/credential.js'
import { Prisma, type PrismaClient, type Space } from './generated/client.js'
import { type Listing, listing } from './listing.js'
import { requireWithinQuota } from './quota.js'

export interface SpaceRecord {
  readonly spaceId: string
  readonly description: string
  readonly status: SpaceStatus
  readonly links: readonly string[]
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly eventCount: number
  readonly lastEventAt: Date | null
}

export type CountedSpace = SpaceRecord & { readonly participantCount: number }

export interface NewSpace {
  readonly spaceId: string
  readonly description: string
  readonly links: readonly string[]
  readonly status: SpaceStatus
  readonly startedAt: Date
  readonly createdBy: string
}

export interface SpaceChange {
  readonly description?: string
  readonly links?: readonly string[]
  readonly status?: SpaceStatus
  readonly endedAt?: Date | null
}

export interface SpaceFilter {
  readonly status?: SpaceStatus | undefined
  /** Only spaces that this actor participates in. */
  readonly participantId?: string
  /** Only these; null for all. */
  readonly spaceIds: readonly string[] | null
}

export interface SpaceStore {
  /** False when the id is taken in this scope. Throws if the credential has ended, and beyond the quota; null for none. */
  create(creator: Bearer, space: NewSpace, quota: number | null): Promise<boolean>
  find(scope: Scope, spaceId: string): Promise<SpaceRecord | null>
  /** The ids of the spaces that an actor participates in. */
  joinedBy(scope: Scope, actorId: string): Promise<string[]>
  /** Newest first. */
  list(scope: Scope, filter: SpaceFilter): Promise<Listing<CountedSpace>>
  /**
   * Locks the space and writes the change that `decide` returns; no event is written in between. Null when there is no
   * such space.
   */
  change(writer: Writer, spaceId: string, decide: (space: SpaceRecord) => SpaceChange): Promise<SpaceRecord | null>
}

interface SpaceKey {
  readonly scope: Scope
  readonly spaceId: string
}

/** Nearly every request below a space looks it up first. */
const spacesByKey = (pool: pg.Pool) =>
  batchedByKey<SpaceKey, SpaceRecord>(
    pool,
    {
      name: 'spaces',
      text: `SELECT a.ordinal, s.space_id AS "spaceId", s.description, s.status, s.links, s.started_at AS "startedAt",
           s.ended_at AS "endedAt", s.head AS "eventCount", s.last_event_at AS "lastEventAt"
         FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS a(tenant_id, space_id, ordinal)
         JOIN spaces s USING (tenant_id, space_id)`,
    },
    [({ scope }) => scope, ({ spaceId }) => spaceId],
  )

/** Rows of a list that are read at once. A space may have links of 200 KiB. */
const PAGE_SIZE = 50

/** The rows after one, in the order of lists. */
const behind = (row: CountedSpace) => ({
  OR: [{ startedAt: { lt: row.startedAt } }, { startedAt: row.startedAt, spaceId: { lt: row.spaceId } }],
})

export function spaceStore(prisma: PrismaClient, pool: pg.Pool): SpaceStore {
  const findOne = spacesByKey(pool)
  return {
    async create(creator, { createdBy, links, ...columns }, quota) {
      try {
        await prisma.$transaction(async (tx) => {
          const { scope } = await lockBearer(tx, creator)
          await tx.space.create({ data: { ...columns, links: [...links], tenantId: scope, createdBy } })
          await requireWithinQuota(tx, scope, 'spaces', quota)
        })
        return true
      } catch (error) {
        if (isUniqueViolation(error)) return false
        throw error
      }
    },

    find: (scope, spaceId) => findOne({ scope, spaceId }),

    async joinedBy(scope, actorId) {
      const { rows } = await pool.query<{ spaceId: string }>({
        name: 'joined_spaces',
        text: 'SELECT space_id AS "spaceId" FROM participants WHERE tenant_id = $1 AND actor_id = $2',
        values: [scope, actorId],
      })
      return rows.map(({ spaceId }) => spaceId)
    },

    async list(scope, { status, participantId, spaceIds }) {
      return listing(PAGE_SIZE, async (after: CountedSpace | null, take) => {
        const rows = await prisma.space.findMany({
          where: {
            tenantId: scope,
            ...(status && { status }),
            ...(participantId && { participants: { some: { actorId: participantId } } }),
            ...(spaceIds && { spaceId: { in: [...spaceIds] } }),
            ...(after && behind(after)),
          },
          include: { _count: { select: { participants: true } } },
          orderBy: [{ startedAt: 'desc' }, { spaceId: 'desc' }],
          take,
        })
        return rows.map((row) => Object.assign(spaceRecord(row), { participantCount: row._count.participants }))
      })
    },

    async change(writer, spaceId, decide) {
      const { scope } = writer
      return prisma.$transaction(async (tx) => {
        await lockWriter(tx, writer)
        const space = await lockSpace(tx, scope, spaceId)
        if (!space) return null
        const { links, ...columns } = decide(space)
        const data = { ...columns, ...(links && { links: [...links] }) }
        return spaceRecord(await tx.space.update({ where: key(scope, spaceId), data }))
      })
    },
  }
}

const key = (scope: Scope, spaceId: string) => ({ tenantId_spaceId: { tenantId: scope, spaceId } })

const COLUMNS = columnsOf(Prisma.SpaceScalarFieldEnum)

/** Locks a space until the end of the transaction: its status stays, and no event is written. */
export async function lockSpace(
  tx: Prisma.TransactionClient,
  scope: Scope,
  spaceId: string,
): Promise<SpaceRecord | null> {
  const [row] = await tx.$queryRaw<Space[]>`
    SELECT ${COLUMNS} FROM spaces WHERE tenant_id = ${scope}::uuid AND space_id = ${spaceId} FOR NO KEY UPDATE`
  return row ? spaceRecord(row) : null
}

function spaceRecord(row: Space): SpaceRecord {
  return {
    spaceId: row.spaceId,
    description: row.description,
    status: row.status as SpaceStatus,
    links: row.links,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    eventCount: Number(row.head),
    lastEventAt: row.lastEventAt,
  }
}
