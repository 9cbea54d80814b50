import {
  type AuditDetails,
  forbidden,
  type Initiator,
  LIMITS,
  type Lineage,
  requireActiveTenant,
  type SignInWay,
  sessionEnd,
  signInFailed,
  type TenantId,
  type TenantLocation,
} from '@collab-spaces/domain'
import { lineageOf } from '../access/lineage.js'
import { lockActor, lockBearer } from '../access/lock.js'
import type { ActorRecord } from '../access/record.js'
import { record } from '../audit/audit.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from './credential.js'
import { revokeTokens } from './end.js'
import type { NewToken } from './token.js'
import { type OneTimeCode, useUp } from './used-code.js'

/** A new session, without its expiry. */
export interface NewSession extends Pick<NewToken, 'patId' | 'name' | 'tokenHash' | 'tokenPrefix' | 'createdAt'> {
  readonly way: SignInWay
  /** The client's address. */
  address(): string | null
}

/** A signed-in human. */
export interface SignedIn {
  readonly actor: ActorRecord
  readonly patId: string
  readonly expiresAt: Date
}

export const sessionStore = ({ prisma }: StoreContext) => ({
  /**
   * Starts a session confirmed with a credential, as its descendant; it does not outlast a confirming session. Throws if
   * that credential has ended, or the code was used.
   */
  confirmed: (bearer: Bearer, code: OneTimeCode, session: NewSession): Promise<SignedIn> =>
    prisma.$transaction(async (tx) => {
      const actor = await lockBearer(tx, bearer)
      await useUp(tx, code)
      const lineage = await lineageOf(tx, bearer)
      const own = await tx.token.findFirst({ where: { patId: bearer.credentialId, kind: 'session' } })
      return beginSession(tx, actor, session, lineage, own?.expiresAt ?? null)
    }),

  /** Ends the session of a bearer, or all sessions of its human. Descendants stay. Returns the number of ended sessions. */
  end: (bearer: Bearer, isEverywhere: boolean, now: Date): Promise<number> =>
    prisma.$transaction(async (tx) => {
      const { actorId, tenantId } = await lockBearer(tx, bearer)
      const sessions = await tx.token.findMany({
        where: { actorId, kind: 'session', ...(!isEverywhere && { patId: bearer.credentialId }) },
        select: { patId: true },
      })
      return endSessions(tx, bearer, tenantId, sessions, now, { sign_out: isEverywhere ? 'everywhere' : 'here' })
    }),
})

/** Locks a human that signs in. Throws if the human cannot authenticate. */
export async function lockSigningIn(tx: Transaction, actorId: string): Promise<ActorRecord> {
  const actor = await lockActor(tx, actorId)
  if (!actor) throw signInFailed()
  if (actor.disabledAt) throw forbidden('This account is disabled: an admin of its tenant can enable it')
  const [tenant] = await tx.$queryRaw<TenantLocation[]>`
    SELECT status AS "tenantStatus", location AS "tenantLocation" FROM tenants
    WHERE tenant_id = ${actor.tenantId}::uuid FOR SHARE`
  if (!tenant) throw signInFailed()
  requireActiveTenant(tenant)
  return actor
}

/** Begins a session of a locked actor. `until` is its latest expiry. */
export async function beginSession(
  tx: Transaction,
  actor: ActorRecord,
  { way, address, tokenHash, ...session }: NewSession,
  lineage: Lineage,
  until: Date | null = null,
): Promise<SignedIn> {
  const { actorId, tenantId } = actor
  const { patId, createdAt } = session
  const expiresAt = sessionEnd(way, createdAt, until)
  // Nothing refers to expired sessions.
  await tx.$executeRaw`
    DELETE FROM personal_access_tokens
    WHERE actor_id = ${actorId} AND kind = 'session' AND (revoked_at IS NOT NULL OR expires_at <= ${createdAt})`
  const by: Initiator = { actorId, credentialId: lineage[0] ?? null, address }
  await endOldest(tx, by, actor, createdAt)
  await tx.token.create({
    data: {
      ...session,
      actorId,
      kind: 'session',
      tokenHash: new Uint8Array(tokenHash),
      expiresAt,
      createdWith: [...lineage],
    },
  })
  await record(tx, by, tenantId, 'session.created', [patId], { way } satisfies AuditDetails)
  return { actor, patId, expiresAt }
}

/** Ends the oldest sessions, to make room for a new one. */
async function endOldest(tx: Transaction, by: Initiator, { actorId, tenantId }: ActorRecord, now: Date): Promise<void> {
  const oldest = await tx.token.findMany({
    where: { actorId, kind: 'session' },
    orderBy: { createdAt: 'desc' },
    skip: LIMITS.sessions - 1,
    select: { patId: true },
  })
  if (oldest.length > 0) await endSessions(tx, by, tenantId, oldest, now)
}

/** Returns the number of sessions that were active. */
async function endSessions(
  tx: Transaction,
  by: Initiator,
  tenantId: TenantId,
  sessions: readonly { readonly patId: string }[],
  now: Date,
  details: AuditDetails | null = null,
): Promise<number> {
  const patIds = sessions.map(({ patId }) => patId)
  const ended = await revokeTokens(tx, patIds, now)
  await record(tx, by, tenantId, 'session.ended', ended, details)
  return ended.length
}
