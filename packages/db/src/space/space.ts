import {
  type ActAuthor,
  auditedSpaceActions,
  type Member,
  OPERATOR,
  type Scope,
  type SpaceStatus,
  spaceWasDeleted,
} from '@collab-spaces/domain'
import type pg from 'pg'
import { recordActs, timeOfAct } from '../act.js'
import { lockBearer } from '../actor/lock.js'
import { record } from '../audit.js'
import { batchedByKey } from '../connection/batched.js'
import { columnsOf } from '../connection/columns.js'
import { isUniqueViolation } from '../connection/fault.js'
import { type Listing, listing } from '../connection/listing.js'
import type { StoreContext } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { Prisma, type Space } from '../generated/client.js'
import { requireWithinQuota } from '../quota.js'
import { ownersNow, ownersOf, requireHumans, writeOwners } from './owner.js'

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

/** A space with the ids of its owners, sorted: those who are in its tenant. */
export type OwnedSpace = SpaceRecord & { readonly owners: readonly string[] }

export type CountedSpace = OwnedSpace & { readonly participantCount: number }

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
  /** In place of those before. */
  readonly owners?: readonly string[]
}

export interface SpaceFilter {
  readonly status?: SpaceStatus | undefined
  /** Only spaces that this actor participates in. */
  readonly participantId?: string
  /** Only these; null for all. */
  readonly spaceIds: readonly string[] | null
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

export function spaceStore({ prisma, requests }: StoreContext) {
  const findOne = spacesByKey(requests)
  const owners = ownersOf(requests)
  return {
    /**
     * False when the id is taken in this scope. Throws if it was that of a deleted space, if the credential has ended, and
     * beyond the quota; null for none.
     */
    async create(creator: Bearer, { createdBy, links, ...columns }: NewSpace, quota: number | null): Promise<boolean> {
      try {
        await prisma.$transaction(async (tx) => {
          const { scope } = await lockBearer(tx, creator)
          await tx.space.create({ data: { ...columns, links: [...links], tenantId: scope, createdBy } })
          // Now, as it may have waited for the deletion of the space to end.
          const deletion = { tenantId: scope, spaceId: columns.spaceId, eventId: null, noun: null }
          if ((await tx.erasure.count({ where: deletion })) > 0) throw spaceWasDeleted()
          await requireWithinQuota(tx, scope, 'spaces', quota)
        })
        return true
      } catch (error) {
        if (isUniqueViolation(error)) return false
        throw error
      }
    },

    find: (scope: Scope, spaceId: string): Promise<SpaceRecord | null> => findOne({ scope, spaceId }),

    /** The ids of the owners of a space, sorted: those who are in its tenant. */
    ownersOf: (scope: Scope, spaceId: string): Promise<readonly string[]> => owners({ scope, spaceId }),

    /** The ids of the spaces that an actor participates in. */
    async joinedBy(scope: Scope, actorId: string): Promise<string[]> {
      const { rows } = await requests.query<{ spaceId: string }>({
        name: 'joined_spaces',
        text: 'SELECT space_id AS "spaceId" FROM participants WHERE tenant_id = $1 AND actor_id = $2',
        values: [scope, actorId],
      })
      return rows.map(({ spaceId }) => spaceId)
    },

    /** Newest first. */
    list: (scope: Scope, { status, participantId, spaceIds }: SpaceFilter): Promise<Listing<CountedSpace>> =>
      listing(PAGE_SIZE, async (after: CountedSpace | null, take) => {
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
        return Promise.all(
          rows.map(async (row) =>
            Object.assign(spaceRecord(row), {
              owners: await owners({ scope, spaceId: row.spaceId }),
              participantCount: row._count.participants,
            }),
          ),
        )
      }),

    /**
     * Locks the space and writes the change that `decide` returns; no event is written in between. Throws if the credential
     * has ended, and for owners who are not humans of the tenant. Null when there is no such space.
     */
    async change(
      by: Bearer & ActAuthor,
      spaceId: string,
      decide: (space: OwnedSpace, caller: Member) => SpaceChange,
    ): Promise<OwnedSpace | null> {
      const { scope } = by
      return prisma.$transaction(async (tx) => {
        const caller = await lockBearer(tx, by)
        const space = await lockOwned(tx, scope, spaceId)
        return space && changed(tx, scope, space, by, decide(space, caller))
      })
    },

    /** As the operator: names another owner. Throws unless it is a human of the tenant. Null when there is no such space. */
    addOwner: (scope: Scope, spaceId: string, actorId: string): Promise<OwnedSpace | null> =>
      prisma.$transaction(async (tx) => {
        const space = await lockOwned(tx, scope, spaceId)
        return space && changed(tx, scope, space, null, { owners: [...space.owners, actorId] })
      }),
  }
}

async function lockOwned(tx: Prisma.TransactionClient, scope: Scope, spaceId: string): Promise<OwnedSpace | null> {
  const space = await lockSpace(tx, scope, spaceId)
  return space && { ...space, owners: await ownersNow(tx, scope, spaceId) }
}

/** Writes a change to a space that is locked, by somebody or by the operator. */
async function changed(
  tx: Prisma.TransactionClient,
  scope: Scope,
  space: OwnedSpace,
  by: (Bearer & ActAuthor) | null,
  change: SpaceChange,
): Promise<OwnedSpace> {
  const { spaceId } = space
  const { links, owners: wanted, ...columns } = change
  const owners = wanted ? [...new Set(wanted)].sort() : space.owners
  const actions = auditedSpaceActions(space, { ...change, owners })
  if (wanted) await requireHumans(tx, scope, 'owners', wanted)
  if (actions.includes('space.owners_changed')) {
    await writeOwners(tx, scope, spaceId, owners)
    const deed = { kind: 'owners_changed', before: space.owners, after: owners } as const
    await recordActs(tx, scope, spaceId, [
      { decisionId: null, author: by, at: await timeOfAct(tx, scope, spaceId), deed },
    ])
  }
  for (const action of actions) {
    const details = action === 'space.owners_changed' ? { before: [...space.owners], after: [...owners] } : null
    await record(tx, by ?? OPERATOR, scope, action, [spaceId], details)
  }
  const data = { ...columns, ...(links && { links: [...links] }) }
  return { ...spaceRecord(await tx.space.update({ where: key(scope, spaceId), data })), owners }
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
