import { randomUUID } from 'node:crypto'
import {
  asUuid,
  type HeldClaim,
  isUuid,
  LIMITS,
  type ReadableSpace,
  requireAcceptsEvents,
  requireCanGovern,
  type SpaceStatus,
  type TenantId,
  tooManyWorkClaims,
  unknown,
  type Viewer,
  type WorkSubject,
  workClaimed,
  workClaimLost,
  workSubjectOf,
} from '@collab-spaces/domain'
import { isInService, requireHere } from '../access/in-service.js'
import { lockBearer } from '../access/lock.js'
import { SHOWN_NAME } from '../access/shown-name.js'
import { mayReadOf, mayWrite } from '../access/view.js'
import type { Writer } from '../access/writer.js'
import { arraysOf } from '../connection/columns.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import { Prisma, type PrismaClient } from '../generated/client.js'
import { raiseNotices } from '../notice/notice.js'
import { lockToGovern, writeIn } from '../space/lock.js'
import type { SpaceGovernor, SpaceKey, SpaceRecord } from '../space/record.js'

export interface WorkClaimRecord {
  readonly spaceId: string
  readonly claimId: string
  readonly subject: string
  readonly fence: number
  readonly holderId: string
  readonly holderName: string
  readonly isAccepted: boolean
  readonly note: string | null
  readonly progress: string | null
  readonly progressAt: Date | null
  readonly claimedAt: Date
  readonly expiresAt: Date
}

export interface NewWorkClaim {
  readonly subject: WorkSubject
  readonly ttlSeconds: number
  readonly note: string | null
}

/** A live claim of a space by its id. */
export interface NamedWorkClaim {
  readonly claimId: string
  /** The expected fencing token; rejected if it is not the current one. Undefined for any. */
  readonly fence?: number | undefined
}

export interface ProgressOf extends Pick<NamedWorkClaim, 'claimId'> {
  readonly tenantId: TenantId
  readonly spaceId: string
  readonly holderId: string
  readonly text: string
}

/** Progress with the fencing token that its holder had. */
export interface HeldProgress extends ProgressOf {
  readonly fence: number
}

/** The maximum number of claims in a list, newest first. */
const MAX_LISTED = 1_000
/** The maximum number of claims shown for a holder. */
const MAX_HELD = 20

/** The returned columns of a row `c`. Fencing tokens stay far below the range of a number. */
const COLUMNS = `
  c.space_id AS "spaceId", c.claim_id AS "claimId", c.subject, c.fence::float8 AS fence, c.holder_id AS "holderId",
  (SELECT ${SHOWN_NAME} FROM memberships m JOIN actors a USING (actor_id)
   WHERE m.tenant_id = c.tenant_id AND m.actor_id = c.holder_id) AS "holderName",
  c.is_accepted AS "isAccepted", c.note, c.progress, c.progress_at AS "progressAt", c.claimed_at AS "claimedAt",
  c.expires_at AS "expiresAt"`

const RETURNED = Prisma.raw(COLUMNS)

/** Whether a claim `c` is live, by the clock of the database. */
export const IS_LIVE = 'c.expires_at > clock_timestamp()'
/** Matches all live claims and a few others, and can use an index. */
const WAS_LIVE = 'c.expires_at > now()'
const LIVE = Prisma.raw(IS_LIVE)
const MAY_WRITE = mayWrite({ actor: 'a.actor_id', isGuest: 'a.is_guest' })
const NOW = Prisma.raw("date_trunc('milliseconds', clock_timestamp())")

const until = (seconds: number) => Prisma.sql`${NOW} + ${seconds} * interval '1 second'`
const hasFence = (fence: number | undefined) =>
  fence === undefined ? Prisma.sql`true` : Prisma.sql`c.fence = ${fence}::bigint`
/** A space in which the caller writes. */
type Place = SpaceRecord & ReadableSpace

const isNamed = ({ tenantId, spaceId }: SpaceKey, { claimId, fence }: NamedWorkClaim) => Prisma.sql`
  c.tenant_id = ${tenantId}::uuid AND c.space_id = ${spaceId} AND c.claim_id = ${asUuid(claimId)}::uuid
  AND ${hasFence(fence)} AND ${LIVE}`

const workClaimReads = ({ prisma, requests }: StoreContext) => ({
  /** The live claims of a space, the newest first. */
  async list({ tenantId, spaceId }: ReadableSpace): Promise<WorkClaimRecord[]> {
    const { rows } = await requests.query<WorkClaimRecord>({
      name: 'work_claims',
      text: `SELECT ${COLUMNS} FROM work_claims c WHERE c.tenant_id = $1 AND c.space_id = $2 AND ${IS_LIVE}
             ORDER BY c.claimed_at DESC, c.claim_id LIMIT ${MAX_LISTED}`,
      values: [tenantId, spaceId],
    })
    return rows
  },

  /** Lists the claims of a space with written text (a note, progress or key), including lapsed ones, newest first. */
  async listWritten(tenantId: TenantId, spaceId: string, limit: number): Promise<WorkClaimRecord[]> {
    const { rows } = await requests.query<WorkClaimRecord>(
      `SELECT ${COLUMNS} FROM work_claims c WHERE c.tenant_id = $1 AND c.space_id = $2
           AND (num_nonnulls(c.note, c.progress) > 0 OR starts_with(c.subject, 'key:'))
         ORDER BY c.claimed_at DESC, c.claim_id LIMIT $3`,
      [tenantId, spaceId, limit],
    )
    return rows
  },

  /** The live claims on events returned to a viewer. */
  async onEvents(
    { tenantId }: Viewer,
    events: readonly { readonly spaceId: string; readonly eventId: string }[],
  ): Promise<WorkClaimRecord[]> {
    if (events.length === 0) return []
    const { rows } = await requests.query<WorkClaimRecord>({
      name: 'work_claims_on_events',
      text: `SELECT ${COLUMNS} FROM unnest($2::text[], $3::text[]) AS e(space_id, event_id)
             JOIN work_claims c ON c.tenant_id = $1 AND c.space_id = e.space_id AND c.subject = 'event:' || e.event_id
             WHERE ${IS_LIVE}`,
      values: [tenantId, ...arraysOf(events, 'spaceId', 'eventId')],
    })
    return rows
  },

  /** The claims of a holder visible to a viewer; newest first, up to a limit. */
  async heldBy({ tenantId, actorId, isGuest, limits }: Viewer, holderId: string): Promise<WorkClaimRecord[]> {
    const { rows } = await requests.query<WorkClaimRecord>({
      name: 'work_claims_held_by',
      text: `SELECT ${COLUMNS} FROM work_claims c
               JOIN spaces s ON s.tenant_id = c.tenant_id AND s.space_id = c.space_id
               WHERE c.tenant_id = $1 AND c.holder_id = $2 AND c.is_accepted AND ${WAS_LIVE} AND ${IS_LIVE}
                 AND ${mayReadOf({ actor: '$3', isGuest: '$4' }, '$5')}
               ORDER BY c.claimed_at DESC, c.claim_id LIMIT ${MAX_HELD}`,
      values: [tenantId, holderId, actorId, isGuest, limits.spaceIds],
    })
    return rows
  },

  /**
   * The fencing token of a holder. Throws 404 if no such claim ever existed in the space, 409 for any other actor, and if
   * the tenant is not here.
   */
  async fenceOf(progress: ProgressOf): Promise<number> {
    await requireHere(prisma, progress.tenantId)
    const [row] = await prisma.$queryRaw<{ fence: number }[]>`
      SELECT c.fence::float8 AS fence FROM work_claims c
      WHERE ${isNamed(progress, progress)} AND c.holder_id = ${progress.holderId}`
    return row?.fence ?? refuse(prisma, progress, progress)
  },
})

/** Throws 404 if the space no longer exists, or is no longer accessible to the writer. */
async function inSpace<T>(
  prisma: PrismaClient,
  writer: Writer,
  space: Place,
  write: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const done = await writeIn(prisma, writer, space, async (tx) => ({ result: await write(tx) }))
  if (!done) throw unknown('Space')
  return done.result
}

const workClaimWrites = ({ prisma, requests }: StoreContext) => ({
  /**
   * Takes a free claim, or renews the caller's own with a new fencing token. Throws 404 for an unknown space or subject,
   * and 409 if the space is not active, another actor holds the claim, or the caller has too many.
   */
  take: (writer: Writer, space: Place, claim: NewWorkClaim): Promise<WorkClaimRecord> =>
    inSpace(prisma, writer, space, async (tx) => {
      const { status, exists } = await lookAtSubject(tx, space, claim.subject)
      if (status === null) throw unknown('Space')
      if (!exists) throw unknown('event_id' in claim.subject ? 'Event' : 'Decision')
      requireAcceptsEvents(status)
      return takeFree(tx, writer, space.spaceId, claim)
    }),

  /** Extends its expiry. This also accepts a handover. */
  renew: (writer: Writer, space: Place, claim: NamedWorkClaim, ttlSeconds: number): Promise<WorkClaimRecord> =>
    inSpace(prisma, writer, space, async (tx) => {
      const [row] = await tx.$queryRaw<WorkClaimRecord[]>`
      UPDATE work_claims c SET expires_at = ${until(ttlSeconds)}, is_accepted = true
      WHERE ${isNamed(space, claim)} AND c.holder_id = ${writer.actorId}
      RETURNING ${RETURNED}`
      return row ?? refuse(tx, space, claim)
    }),

  /** Releases it for any actor to take. A lapsed claim stays unchanged. */
  release: (writer: Writer, space: Place, claim: NamedWorkClaim): Promise<void> =>
    inSpace(prisma, writer, space, async (tx) => {
      const count = await tx.$executeRaw`
      UPDATE work_claims c SET expires_at = ${NOW}, note = NULL, progress = NULL, progress_at = NULL
      WHERE ${isNamed(space, claim)} AND c.holder_id = ${writer.actorId}`
      if (count === 0) await refuse(tx, space, claim)
    }),

  /**
   * Hands it over immediately, and notifies the new holder, who accepts by writing with it. 404 if that actor cannot
   * write in the space.
   */
  handOver: (
    writer: Writer,
    space: Place,
    claim: NamedWorkClaim,
    to: string,
    ttlSeconds: number,
  ): Promise<WorkClaimRecord> =>
    inSpace(prisma, writer, space, async (tx) => {
      const { tenantId, actorId } = writer
      await requireKnown(tx, space, claim)
      await requireMayWrite(tx, space, to)
      const [row] = await tx.$queryRaw<WorkClaimRecord[]>`
      UPDATE work_claims c SET holder_id = ${to}, fence = c.fence + 1, is_accepted = false, claimed_at = ${NOW},
        expires_at = ${until(ttlSeconds)}
      WHERE ${isNamed(space, claim)} AND c.holder_id = ${actorId}
      RETURNING ${RETURNED}`
      if (!row) throw workClaimLost()
      const { claimId, spaceId, fence } = row
      const details = { claim_id: claimId, fence, from: actorId, expires_at: row.expiresAt.toISOString() }
      const about = { subject: claimId, sourceId: actorId, spaceId, details }
      await raiseNotices(tx, [{ tenantId, actorId: to, kind: 'claim_handed_over', ...about }])
      return row
    }),

  /** For actors that govern the space. Throws 403 for others. */
  takeOver: (by: SpaceGovernor, spaceId: string, claim: NamedWorkClaim, ttlSeconds: number): Promise<WorkClaimRecord> =>
    prisma.$transaction(async (tx) => {
      const member = await lockBearer(tx, by)
      const space = await lockToGovern(tx, by, spaceId)
      if (!space) throw unknown('Space')
      const key = { tenantId: by.tenantId, spaceId }
      await requireKnown(tx, key, claim)
      requireCanGovern(member, space.owners)
      const [row] = await tx.$queryRaw<WorkClaimRecord[]>`
      UPDATE work_claims c SET holder_id = ${by.actorId}, fence = c.fence + 1, is_accepted = true,
        claimed_at = ${NOW}, expires_at = ${until(ttlSeconds)}, progress = NULL, progress_at = NULL
      WHERE ${isNamed(key, claim)}
      RETURNING ${RETURNED}`
      if (!row) throw workClaimLost()
      return row
    }),

  /**
   * Records the progress of holders. Skips claims that they no longer hold, and holders that are stopped or may no longer
   * write in the space; returns the number recorded.
   */
  async progress(all: readonly HeldProgress[]): Promise<number> {
    const updates = all.map((one) => ({ ...one, claimId: asUuid(one.claimId) }))
    const { rowCount } = await requests.query({
      name: 'work_claim_progress',
      text: `WITH reported AS MATERIALIZED (
             SELECT p.* FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::bigint[], $6::text[])
               AS p(tenant_id, space_id, claim_id, holder_id, fence, text)
             JOIN actors a ON a.actor_id = p.holder_id AND a.tenant_id = p.tenant_id
             JOIN spaces s ON s.tenant_id = p.tenant_id AND s.space_id = p.space_id
             JOIN memberships m ON m.tenant_id = p.tenant_id AND m.actor_id = p.holder_id
             WHERE NOT m.is_stopped AND ${MAY_WRITE} AND ${isInService('p.tenant_id')}
             ORDER BY m.tenant_id, m.actor_id FOR SHARE OF m
           )
           UPDATE work_claims c SET progress = p.text, progress_at = date_trunc('milliseconds', clock_timestamp())
           FROM reported p
           WHERE c.tenant_id = p.tenant_id AND c.space_id = p.space_id AND c.claim_id = p.claim_id
             AND c.holder_id = p.holder_id AND c.fence = p.fence AND ${IS_LIVE}`,
      values: arraysOf(updates, 'tenantId', 'spaceId', 'claimId', 'holderId', 'fence', 'text'),
    })
    return rowCount ?? 0
  },
})

export const workClaimStore = (context: StoreContext) => ({
  ...workClaimReads(context),
  ...workClaimWrites(context),
})

/**
 * Must run in a transaction that writes with a claim: throws if the writer no longer holds it, and otherwise blocks the
 * next taker until the end of the transaction. The log does the same in its own statement.
 */
export async function requireWorkClaim(
  tx: Transaction,
  { tenantId, actorId }: Writer,
  spaceId: string,
  claim: HeldClaim | undefined,
): Promise<void> {
  if (!claim) return
  const count = await tx.$executeRaw`
    UPDATE work_claims c SET is_accepted = true
    WHERE ${isNamed({ tenantId, spaceId }, claim)} AND c.holder_id = ${actorId}`
  if (count === 0) throw workClaimLost()
}

interface SubjectState {
  readonly status: SpaceStatus | null
  readonly exists: boolean
}

async function lookAtSubject(
  tx: Transaction,
  { tenantId, spaceId }: SpaceKey,
  subject: WorkSubject,
): Promise<SubjectState> {
  const [row] = await tx.$queryRaw<SubjectState[]>`
    SELECT (SELECT status FROM spaces WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId}) AS status,
      ${existence(tenantId, spaceId, subject)} AS exists`
  return row ?? { status: null, exists: false }
}

function existence(tenantId: TenantId, spaceId: string, subject: WorkSubject): Prisma.Sql {
  if ('key' in subject) return Prisma.sql`true`
  const place = Prisma.sql`tenant_id = ${tenantId}::uuid AND space_id = ${spaceId}`
  return 'event_id' in subject
    ? Prisma.sql`EXISTS (SELECT FROM events WHERE ${place} AND event_id = ${asUuid(subject.event_id)}::uuid)`
    : Prisma.sql`EXISTS (SELECT FROM decisions WHERE ${place} AND decision_id = ${asUuid(subject.decision_id)}::uuid)`
}

/** Retries if the claim of a holder lapses between the two statements. */
const TRIES = 3

async function takeFree(
  tx: Transaction,
  writer: Writer,
  spaceId: string,
  claim: NewWorkClaim,
): Promise<WorkClaimRecord> {
  const { tenantId, actorId } = writer
  const subject = workSubjectOf(claim.subject)
  await requireRoom(tx, writer, spaceId, subject)
  for (let tries = 0; tries < TRIES; tries++) {
    const [taken] = await tx.$queryRaw<WorkClaimRecord[]>`
      INSERT INTO work_claims AS c (tenant_id, space_id, claim_id, subject, fence, holder_id, note, claimed_at, expires_at)
      VALUES (${tenantId}::uuid, ${spaceId}, ${randomUUID()}::uuid, ${subject}, 1, ${actorId}, ${claim.note}, ${NOW},
        ${until(claim.ttlSeconds)})
      ON CONFLICT (tenant_id, space_id, subject) DO UPDATE
      SET fence = c.fence + 1, holder_id = excluded.holder_id, is_accepted = true, note = excluded.note, progress = NULL,
        progress_at = NULL, claimed_at = ${NOW}, expires_at = ${until(claim.ttlSeconds)}
      WHERE NOT ${LIVE} OR c.holder_id = excluded.holder_id
      RETURNING ${RETURNED}`
    if (taken) return taken
    const [held] = await tx.$queryRaw<WorkClaimRecord[]>`
      SELECT ${RETURNED} FROM work_claims c
      WHERE c.tenant_id = ${tenantId}::uuid AND c.space_id = ${spaceId} AND c.subject = ${subject} AND ${LIVE}`
    if (held) throw workClaimed(held.holderId, held.holderName, held.expiresAt)
  }
  throw workClaimLost()
}

/** Concurrent requests may both pass: the limit bounds memory, and is not an access rule. */
async function requireRoom(
  tx: Transaction,
  { tenantId, actorId }: Writer,
  spaceId: string,
  subject: string,
): Promise<void> {
  const [row] = await tx.$queryRaw<{ held: bigint }[]>`
    SELECT count(*) AS held FROM work_claims c
    WHERE c.tenant_id = ${tenantId}::uuid AND c.space_id = ${spaceId} AND c.holder_id = ${actorId}
      AND c.is_accepted AND c.subject <> ${subject} AND ${Prisma.raw(WAS_LIVE)} AND ${LIVE}`
  if (Number(row?.held) >= LIMITS.workClaims) throw tooManyWorkClaims()
}

/** An actor with the right to write in a space; 404 for any other, which reveals nothing. */
async function requireMayWrite(tx: Transaction, { tenantId, spaceId }: SpaceKey, actorId: string): Promise<void> {
  const [row] = await tx.$queryRaw<{ mayWrite: boolean }[]>`
    SELECT ${Prisma.raw(MAY_WRITE)} AS "mayWrite" FROM actors a JOIN spaces s USING (tenant_id)
    WHERE a.actor_id = ${actorId} AND a.tenant_id = ${tenantId}::uuid AND a.deleted_at IS NULL AND a.disabled_at IS NULL
      AND s.space_id = ${spaceId}`
  if (!row?.mayWrite) throw unknown('Actor')
}

async function requireKnown(
  tx: Transaction,
  { tenantId, spaceId }: SpaceKey,
  { claimId }: NamedWorkClaim,
): Promise<void> {
  if (!isUuid(claimId) || !(await tx.workClaim.count({ where: { tenantId, spaceId, claimId } }))) throw unknown('Claim')
}

/** The error for a claim that the caller does not, or no longer, hold. */
async function refuse(tx: Transaction, space: SpaceKey, claim: NamedWorkClaim): Promise<never> {
  await requireKnown(tx, space, claim)
  throw workClaimLost()
}
