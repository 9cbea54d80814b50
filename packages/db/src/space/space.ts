import {
  type ActAuthor,
  type AuditAction,
  type AuditDetails,
  admittingOwners,
  auditedSpaceActions,
  type Member,
  notInSpace,
  OPERATOR,
  type ReadableSpace,
  type SpaceActContent,
  type SpaceStatus,
  spaceHasMoved,
  spaceTaken,
  spaceWasDeleted,
  type TenantId,
  unknown,
  type Viewer,
  type Visibility,
} from '@collab-spaces/domain'
import type pg from 'pg'
import { recordSpaceActs } from '../act.js'
import { lockBearer } from '../actor/lock.js'
import { lockWriter, type Writer, writeAs } from '../actor/stop.js'
import { record } from '../audit.js'
import { batched, inOrder, type Ordinal } from '../connection/batched.js'
import { databaseClock } from '../connection/clock.js'
import { columnsOf } from '../connection/columns.js'
import { isUniqueViolation } from '../connection/fault.js'
import { type Listing, listing, type Part } from '../connection/listing.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { Prisma, type PrismaClient, type Space } from '../generated/client.js'
import { requireWithinQuota } from '../quota.js'
import { admit, admitFounders } from './admission.js'
import { revokeCodesTo } from './code.js'
import { OWNERS, ownersNow, requireHumans, writeOwners } from './owner.js'
import { type Partner, partnersIn } from './partner.js'
import { joinPersonal, type PersonalView, personalView } from './personal.js'
import {
  ASKED_TOGETHER,
  asking,
  foundFor,
  mayRead,
  mayReadOf,
  questionsOf,
  readable,
  type SpaceQuestion,
  writable,
} from './view.js'

export interface SpaceRecord {
  readonly spaceId: string
  /** Null for one that is called by its id. */
  readonly title: string | null
  readonly description: string
  readonly status: SpaceStatus
  readonly visibility: Visibility
  readonly links: readonly string[]
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly eventCount: number
  readonly lastEventAt: Date | null
}

/** A space with the ids of its owners, sorted: those who are in its tenant. */
export type OwnedSpace = SpaceRecord & { readonly owners: readonly string[] }

export type CountedSpace = OwnedSpace & { readonly participantCount: number }

/** A space in a list of somebody. */
export type ListedSpace = CountedSpace & PersonalView & { readonly partners: readonly Partner[] }

export interface NewSpace
  extends Pick<SpaceRecord, 'spaceId' | 'title' | 'description' | 'links' | 'status' | 'visibility' | 'startedAt'> {
  readonly createdBy: string
}

export interface SpaceChange {
  readonly title?: string | null
  readonly description?: string
  readonly links?: readonly string[]
  readonly status?: SpaceStatus
  readonly visibility?: Visibility
  readonly endedAt?: Date | null
  /** In place of those before. */
  readonly owners?: readonly string[]
}

/** Where a space stands in lists. */
type SpacePlace = Pick<SpaceRecord, 'startedAt' | 'spaceId'>

export interface SpaceFilter {
  readonly status?: SpaceStatus | undefined
  /** Only spaces that this actor participates in. */
  readonly participantId?: string | undefined
}

const SPACE = `
  s.space_id AS "spaceId", s.title, s.description, s.status, s.visibility, s.links, s.started_at AS "startedAt",
  s.ended_at AS "endedAt", s.head AS "eventCount", s.last_event_at AS "lastEventAt"`

const KEYS_PER_STATEMENT = 50

/** Finds spaces that are seen as somebody. Nearly every request below a space looks it up first. */
const spacesSeen = <Found>(pool: pg.Pool, name: string, columns: string) =>
  batched({ most: KEYS_PER_STATEMENT }, async (questions: readonly SpaceQuestion[]) => {
    const { rows } = await pool.query<Found & Ordinal>({
      name,
      text: `SELECT a.ordinal, ${columns}
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bool[])
           WITH ORDINALITY AS a(tenant_id, space_id, actor_id, is_guest, ordinal)
         JOIN spaces s USING (tenant_id, space_id) WHERE ${ASKED_TOGETHER}`,
      values: questionsOf(questions),
    })
    return inOrder(rows, questions.length)
  })

const COUNT = '(SELECT count(*) FROM participants p WHERE p.tenant_id = s.tenant_id AND p.space_id = s.space_id)'

/** A page of the spaces of a tenant that fulfil a condition: `$1` to `$6` are its own. */
const pageOf = (condition: string) => `
  SELECT ${SPACE}, ${OWNERS} AS owners, ${COUNT} AS "participantCount"
  FROM spaces s
  WHERE s.tenant_id = $1 AND ($2::text IS NULL OR s.status = $2)
    AND ($3::text IS NULL OR EXISTS (
      SELECT FROM participants p WHERE p.tenant_id = s.tenant_id AND p.space_id = s.space_id AND p.actor_id = $3))
    AND ($4::timestamptz IS NULL OR (s.started_at, s.space_id) < ($4, $5))
    AND ${condition}
  ORDER BY s.started_at DESC, s.space_id DESC LIMIT $6`

const LISTED = { tenant: '$1', space: 's."spaceId"', actor: '$7' }

/** Once the page is found: what it is to the actor is looked up for as many spaces as it has. */
const LIST = {
  name: 'spaces_list',
  text: `
    SELECT s.*, ${personalView({ head: 's."eventCount"', ...LISTED })},
      ${partnersIn(LISTED.space, LISTED.actor)} AS partners
    FROM (${pageOf(mayReadOf({ actor: '$7', isGuest: '$8' }, '$9'))}) s
    ${joinPersonal(LISTED)}
    ORDER BY s."startedAt" DESC, s."spaceId" DESC`,
}
const LIST_PRIVATE = { name: 'private_spaces', text: pageOf(`s.visibility = 'private'`) }
const LIST_AS_SYSTEM = { name: 'spaces_list_as_system', text: pageOf('true') }

/** Rows of a list that are read at once. A space may have links of 200 KiB. */
const PAGE_SIZE = 50

export type SpaceKey = Pick<ReadableSpace, 'tenantId' | 'spaceId'>

/** Somebody who looks into a space for longer. */
export interface SpaceLook {
  readonly space: SpaceKey
  readonly actorId: string
}

const HIDDEN = `
  SELECT a.ordinal
  FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS a(tenant_id, space_id, actor_id, ordinal)
  WHERE NOT EXISTS (
    SELECT FROM spaces s JOIN actors l ON l.actor_id = a.actor_id
    WHERE s.tenant_id = a.tenant_id AND s.space_id = a.space_id
      AND ${mayRead({ actor: 'a.actor_id', isGuest: 'l.is_guest' })} OFFSET 0)`

export function spaceStore({ prisma, requests, callers }: StoreContext) {
  const findOne = spacesSeen<SpaceRecord>(requests, 'spaces', SPACE)
  const findOwned = spacesSeen<OwnedSpace>(requests, 'owned_spaces', `${SPACE}, ${OWNERS} AS owners`)
  const list = <Listed extends CountedSpace>(
    statement: { readonly name: string; readonly text: string },
    tenantId: TenantId,
    { status, participantId }: SpaceFilter,
    more: readonly unknown[],
    part?: Part<SpacePlace>,
  ): Promise<Listing<Listed>> =>
    listing(
      PAGE_SIZE,
      async (after: SpacePlace | null, take) => {
        const start = [after?.startedAt ?? null, after?.spaceId ?? null]
        const values = [tenantId, status ?? null, participantId ?? null, ...start, take, ...more]
        return (await requests.query<Listed>({ ...statement, values })).rows
      },
      part,
    )
  return {
    /**
     * Throws if the id is or was taken in this tenant, if the credential has ended, and beyond the
     * quota; null for none.
     */
    async create(creator: Bearer, { createdBy, links, ...columns }: NewSpace, quota: number | null): Promise<void> {
      try {
        await prisma.$transaction(async (tx) => {
          const { tenantId, sponsorId } = await lockBearer(tx, creator)
          const { spaceId, startedAt } = columns
          await tx.space.create({ data: { ...columns, links: [...links], tenantId, createdBy } })
          await requireNewId(tx, tenantId, spaceId)
          await requireWithinQuota(tx, tenantId, 'spaces', quota)
          if (columns.visibility === 'private') {
            const founders = sponsorId === null ? [createdBy] : [createdBy, sponsorId]
            await admitFounders(tx, { tenantId, spaceId }, founders, startedAt)
          }
        })
      } catch (error) {
        throw isUniqueViolation(error) ? spaceTaken() : error
      }
    },

    async find(viewer: Viewer, spaceId: string): Promise<(SpaceRecord & ReadableSpace) | null> {
      const space = await findOne(asking(viewer, spaceId))
      return space && Object.assign(space, foundFor(viewer, spaceId))
    },

    /** With the ids of its owners. */
    async findOwned(viewer: Viewer, spaceId: string): Promise<(OwnedSpace & ReadableSpace) | null> {
      const space = await findOwned(asking(viewer, spaceId))
      return space && Object.assign(space, foundFor(viewer, spaceId))
    },

    /** For the operator. */
    async findAsSystem(tenantId: TenantId, spaceId: string): Promise<OwnedSpace | null> {
      const space = await prisma.space.findFirst({ where: { tenantId, spaceId } })
      return space && { ...spaceRecord(space), owners: await ownersNow(prisma, tenantId, spaceId) }
    },

    /** The spaces that a viewer sees, newest first, each as it is to the viewer. */
    list: (
      { tenantId, actorId, isGuest, limits }: Viewer,
      filter: SpaceFilter,
      part?: Part<SpacePlace>,
    ): Promise<Listing<ListedSpace>> => list(LIST, tenantId, filter, [actorId, isGuest, limits.spaceIds], part),

    /** The private spaces of a tenant, for its admins: that they are there, whose they are, and how large. */
    listPrivate: (tenantId: TenantId): Promise<Listing<CountedSpace>> => list(LIST_PRIVATE, tenantId, {}, []),

    /** Picks the looks of actors that no longer see the space, by what they are now. */
    async hidden<Look extends SpaceLook>(looks: readonly Look[]): Promise<Look[]> {
      if (looks.length === 0) return []
      const { rows } = await callers.query<Ordinal>({
        name: 'hidden_spaces',
        text: HIDDEN,
        values: [
          looks.map(({ space }) => space.tenantId),
          looks.map(({ space }) => space.spaceId),
          looks.map(({ actorId }) => actorId),
        ],
      })
      return rows.map(({ ordinal }) => looks[ordinal - 1] as Look)
    },

    /** All of a tenant, for the operator. */
    listAsSystem: (tenantId: TenantId, filter: SpaceFilter): Promise<Listing<CountedSpace>> =>
      list(LIST_AS_SYSTEM, tenantId, filter, []),

    /**
     * Locks the space and writes the change that `decide` returns; no event is written in between. Throws if the credential
     * has ended, and for owners who are not humans of the tenant. 404 if there is no such space.
     */
    async change(
      by: SpaceGovernor,
      spaceId: string,
      decide: (space: OwnedSpace, caller: Member) => SpaceChange,
    ): Promise<OwnedSpace & ReadableSpace> {
      const { tenantId } = by
      return prisma.$transaction(async (tx) => {
        const caller = await lockBearer(tx, by)
        const space = await lockToGovern(tx, by, spaceId)
        if (!space) throw unknown('Space')
        const changer = { ...by, ...caller }
        return Object.assign(await changed(tx, tenantId, space, changer, decide(space, caller)), foundFor(by, spaceId))
      })
    },

    /** As the operator: names another owner. Throws unless it is a human of the tenant. 404 if there is no such space. */
    addOwner: (tenantId: TenantId, spaceId: string, actorId: string): Promise<OwnedSpace> =>
      prisma.$transaction(async (tx) => {
        const space = await lockAsSystem(tx, tenantId, spaceId)
        if (!space) throw unknown('Space')
        const owners = await ownersNow(tx, tenantId, spaceId)
        return changed(tx, tenantId, { ...space, owners }, null, { owners: [...owners, actorId] })
      }),
  }
}

/** Somebody who may change a space. */
export type SpaceGovernor = Viewer & Bearer & ActAuthor

/**
 * Throws if an id was that of a space that was deleted or moved to another tenant. Must run once the space exists: it may
 * have waited for the end of the deletion or the move.
 */
export async function requireNewId(tx: Transaction, tenantId: TenantId, spaceId: string): Promise<void> {
  const deletion = { tenantId, spaceId, eventId: null, noun: null }
  if ((await tx.erasure.count({ where: deletion })) > 0) throw spaceWasDeleted()
  if (await hasMovedAway(tx, tenantId, spaceId)) throw spaceHasMoved()
}

/** Whether a space of this id moved to another tenant. The security log is kept for ever, and tells. */
export async function hasMovedAway(tx: Transaction, tenantId: TenantId, spaceId: string): Promise<boolean> {
  const departure = { tenantId, subjectId: spaceId, action: 'space.left' satisfies AuditAction }
  return (await tx.auditEntry.count({ where: departure })) > 0
}

/** Writes a change to a space that is locked, by somebody or by the operator. */
async function changed(
  tx: Transaction,
  tenantId: TenantId,
  space: OwnedSpace,
  by: (SpaceGovernor & Member) | null,
  change: SpaceChange,
): Promise<OwnedSpace> {
  const { spaceId } = space
  const { links, owners: wanted, ...columns } = change
  const owners = wanted ? [...new Set(wanted)].sort() : space.owners
  const actions = auditedSpaceActions(space, { ...change, owners })
  if (wanted) await requireHumans(tx, tenantId, 'owners', wanted)
  const { visibility = space.visibility } = change
  const contents: SpaceActContent[] = []
  if (actions.includes('space.owners_changed')) {
    await writeOwners(tx, tenantId, spaceId, owners)
    contents.push({ kind: 'owners_changed', before: space.owners, after: owners })
  }
  if (visibility !== space.visibility) {
    contents.push({ kind: 'visibility_changed', before: space.visibility, after: visibility })
  }
  await recordSpaceActs(tx, tenantId, spaceId, by, contents)
  for (const action of actions)
    await record(tx, by ?? OPERATOR, tenantId, action, [spaceId], detailsOf(action, space, { visibility, owners }))
  const entrants = visibility === 'private' ? entrantsOf(space, { visibility, owners }, by) : []
  const admission = {
    by: by ?? OPERATOR,
    admitter: by,
    owners: by ? admittingOwners(by, space.owners, owners) : owners,
  }
  await admit(tx, { ...space, tenantId }, entrants, admission, { joinedAt: databaseClock.now() })
  const hasClosed = visibility !== space.visibility || actions.includes('space.owners_changed')
  if (visibility === 'private' && hasClosed) await revokeCodesTo(tx, by ?? OPERATOR, tenantId, spaceId, owners)
  const data = { ...columns, ...(links && { links: [...links] }) }
  return { ...spaceRecord(await tx.space.update({ where: key(tenantId, spaceId), data })), owners }
}

/** The actors that are in a private space after a change: new owners, and when it closes, all owners and who closes it. */
function entrantsOf(
  before: OwnedSpace,
  { visibility, owners }: Pick<OwnedSpace, 'visibility' | 'owners'>,
  by: SpaceGovernor | null,
): string[] {
  if (visibility === before.visibility) return owners.filter((owner) => !before.owners.includes(owner))
  return [...owners, ...(by ? [by.actorId] : [])]
}

/** Details of a change to a space for the security log. */
function detailsOf(
  action: AuditAction,
  space: OwnedSpace,
  { visibility, owners }: Pick<OwnedSpace, 'visibility' | 'owners'>,
): AuditDetails | null {
  if (action === 'space.owners_changed') return { before: [...space.owners], after: [...owners] }
  if (action === 'space.visibility_changed') return { before: space.visibility, after: visibility }
  return null
}

const key = (tenantId: TenantId, spaceId: string) => ({ tenantId_spaceId: { tenantId, spaceId } })

const COLUMNS = columnsOf(Prisma.SpaceScalarFieldEnum)

/**
 * Locks a space until the end of the transaction, for somebody who takes part in it or may begin to: its status and its
 * participants stay, and no event is written. Null if the viewer does not see it; 403 if it sees it and no more.
 */
export async function lockSpace(tx: Transaction, viewer: Viewer, spaceId: string): Promise<SpaceRecord | null> {
  const space = await lockSeen(tx, viewer, spaceId)
  if (space && !space.mayWrite) throw notInSpace()
  return space && spaceRecord(space)
}

/** Like `lockSpace`, for somebody who sees the space, which is enough for what its owners do about it. */
export async function lockToGovern(tx: Transaction, viewer: Viewer, spaceId: string): Promise<OwnedSpace | null> {
  const space = await lockSeen(tx, viewer, spaceId)
  return space && { ...spaceRecord(space), owners: await ownersNow(tx, viewer.tenantId, spaceId) }
}

async function lockSeen(
  tx: Transaction,
  viewer: Viewer,
  spaceId: string,
): Promise<(Space & { readonly mayWrite: boolean }) | null> {
  const { tenantId, isGuest } = viewer
  const [space] = await tx.$queryRaw<Space[]>`
    SELECT ${COLUMNS} FROM spaces s
    WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} AND ${readable(viewer, spaceId)}
    FOR NO KEY UPDATE`
  if (!space) return null
  if (space.visibility === 'open' && !isGuest) return { ...space, mayWrite: true }
  // Asked with the lock, for which the statement may have waited: whoever removes somebody has it, too.
  const [now] = await tx.$queryRaw<{ mayRead: boolean; mayWrite: boolean }[]>`
    SELECT ${readable(viewer, spaceId)} AS "mayRead", ${writable(viewer, spaceId)} AS "mayWrite" FROM spaces s
    WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId}`
  return now?.mayRead ? { ...space, mayWrite: now.mayWrite } : null
}

/** Locks a space for what the server does by itself, or the operator. */
export async function lockAsSystem(tx: Transaction, tenantId: TenantId, spaceId: string): Promise<SpaceRecord | null> {
  const [row] = await tx.$queryRaw<Space[]>`
    SELECT ${COLUMNS} FROM spaces WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} FOR NO KEY UPDATE`
  return row ? spaceRecord(row) : null
}

/**
 * Writes as somebody in a space: with the space locked, if somebody can be removed from it. Null if there is no such space for
 * the writer by then.
 */
export async function writeIn<T>(
  prisma: PrismaClient,
  writer: Writer,
  { spaceId, visibility }: SpaceRecord & ReadableSpace,
  write: (client: Transaction) => Promise<T>,
): Promise<T | null> {
  if (visibility === 'open' && !writer.isGuest) return writeAs(prisma, writer, write)
  return prisma.$transaction(async (tx) => {
    await lockWriter(tx, writer)
    return (await lockSpace(tx, writer, spaceId)) && write(tx)
  })
}

function spaceRecord(row: Space): SpaceRecord {
  return {
    spaceId: row.spaceId,
    title: row.title,
    description: row.description,
    status: row.status as SpaceStatus,
    visibility: row.visibility as Visibility,
    links: row.links,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    eventCount: Number(row.head),
    lastEventAt: row.lastEventAt,
  }
}
