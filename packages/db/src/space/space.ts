import {
  type AuditAction,
  type AuditDetails,
  admittingOwners,
  auditedSpaceActions,
  type Member,
  OPERATOR,
  type ReadableSpace,
  requireCanAdd,
  type SpaceActContent,
  type SpaceStatus,
  spaceHasMoved,
  spaceTaken,
  spaceWasDeleted,
  type TenantId,
  unknown,
  type Visibility,
} from '@collab-spaces/domain'
import { lockBearer } from '../access/lock.js'
import { asReadable } from '../access/view.js'
import { recordSpaceActs } from '../act/act.js'
import { record } from '../audit/audit.js'
import { databaseClock } from '../connection/clock.js'
import { isUniqueViolation } from '../connection/fault.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { requireWithinQuota } from '../quota/quota.js'
import { admit, admitFounders } from './admission.js'
import { revokeCodesTo } from './code.js'
import { lockAsSystem, lockToGovern } from './lock.js'
import { ownersNow, requireHumans, writeOwners } from './owner.js'
import { spaceReads } from './read.js'
import { type OwnedSpace, type SpaceGovernor, type SpaceRecord, spaceRecord } from './record.js'

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
  /** Replaces the current ones. */
  readonly owners?: readonly string[]
}

const spaceWrites = ({ prisma }: StoreContext) => ({
  /**
   * Throws if the id is or was taken in this tenant, if the credential has ended, and beyond the quota; a null quota is
   * unlimited.
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

  /**
   * Locks the space and writes the change that `decide` returns; no event is written in between. Throws if the credential
   * has ended, and for owners that are not humans of the tenant. 404 for an unknown space.
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
      return Object.assign(await changed(tx, tenantId, space, changer, decide(space, caller)), asReadable(by, spaceId))
    })
  },

  /** As the operator: names another owner. Throws unless it is a human of the tenant. 404 for an unknown space. */
  addOwner: (tenantId: TenantId, spaceId: string, actorId: string): Promise<OwnedSpace> =>
    prisma.$transaction(async (tx) => {
      const space = await lockAsSystem(tx, tenantId, spaceId)
      if (!space) throw unknown('Space')
      const owners = await ownersNow(tx, tenantId, spaceId)
      return changed(tx, tenantId, { ...space, owners }, null, { owners: [...owners, actorId] })
    }),
})

export const spaceStore = (context: StoreContext) => ({
  ...spaceReads(context),
  ...spaceWrites(context),
})

/**
 * Throws for the id of a deleted space, or of one moved to another tenant. Must run after the space is inserted, because
 * the insert may have waited for the end of the deletion or the move.
 */
export async function requireNewId(tx: Transaction, tenantId: TenantId, spaceId: string): Promise<void> {
  if (await wasDeleted(tx, tenantId, spaceId)) throw spaceWasDeleted()
  if (await hasMovedAway(tx, tenantId, spaceId)) throw spaceHasMoved()
}

/** Whether a space with this id was deleted. */
export async function wasDeleted(tx: Transaction, tenantId: TenantId, spaceId: string): Promise<boolean> {
  const deletion = { tenantId, spaceId, eventId: null, noun: null, completedAt: { not: null } }
  return (await tx.erasure.count({ where: deletion })) > 0
}

/** Whether a space with this id moved to another tenant, by the security log, which is kept forever. */
export async function hasMovedAway(tx: Transaction, tenantId: TenantId, spaceId: string): Promise<boolean> {
  const departure = { tenantId, subjectId: spaceId, action: 'space.left' satisfies AuditAction }
  return (await tx.auditEntry.count({ where: departure })) > 0
}

/** Writes a change to a locked space, by an actor or the operator. */
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
  const added = await admit(tx, { ...space, tenantId }, entrants, admission, { joinedAt: databaseClock.now() })
  if (by && added.some((actorId) => actorId !== by.actorId)) requireCanAdd(by)
  const hasClosed = visibility !== space.visibility || actions.includes('space.owners_changed')
  if (visibility === 'private' && hasClosed) {
    await revokeCodesTo(tx, by ?? OPERATOR, tenantId, spaceId, owners)
    // Returning members are admitted again.
    const elsewhere = { actor: { tenantId: { not: tenantId } } }
    await tx.participant.deleteMany({ where: { tenantId, spaceId, member: elsewhere } })
  }
  const data = { ...columns, ...(links && { links: [...links] }) }
  return { ...spaceRecord(await tx.space.update({ where: key(tenantId, spaceId), data })), owners }
}

/**
 * The actors added to a private space by a change: new owners; if it becomes private, all owners and the actor of the
 * change.
 */
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
