import { type Initiator, type Stop, type TenantId, unknown } from '@collab-spaces/domain'
import { limitColumns, limitsIn } from '../access/limits.js'
import { lineageOf } from '../access/lineage.js'
import { lockActor, lockBearer } from '../access/lock.js'
import type { AllowActor } from '../access/record.js'
import { record } from '../audit/audit.js'
import { databaseClock } from '../connection/clock.js'
import type { StoreContext } from '../connection/store-context.js'
import { type QuotaOf, requireRoom } from '../quota/quota.js'
import { letWritersOfEnd } from '../stop/stop.js'
import type { Bearer } from './credential.js'
import { endMade, revokeTokens } from './end.js'
import { consumeRecord, type OauthPlace } from './oauth-record.js'
import type { NewToken, TokenRecord } from './token.js'

/** A grant and its actor. */
export interface GrantRecord extends Pick<TokenRecord, 'limits'> {
  readonly patId: string
  readonly actorId: string
}

export interface NewGrant extends Omit<NewToken, 'kind'> {
  /** The actor that the program acts as. */
  readonly actorId: string
  /** The name of the program, for the security log. */
  readonly client: string
}

const KIND = 'grant'

export const grantStore = ({ prisma }: StoreContext) => ({
  /**
   * Creates a grant by a human for itself or for one of its agents. 404 for an unknown actor. Throws if the credential has
   * ended, and beyond the human's quota of tokens.
   */
  create: (bearer: Bearer, { client, tokenHash, limits, ...grant }: NewGrant, quotaOf: QuotaOf, allow: AllowActor) =>
    prisma.$transaction(async (tx): Promise<void> => {
      const human = await lockBearer(tx, bearer)
      const actor = grant.actorId === human.actorId ? human : await lockActor(tx, grant.actorId)
      if (!actor) throw unknown('Actor')
      allow(actor)
      const details = { client, ...(actor !== human && { actor_id: actor.actorId }) }
      await record(tx, bearer, actor.tenantId, 'grant.created', [grant.patId], details)
      await tx.token.create({
        data: {
          ...grant,
          ...limitColumns(limits, actor.tenantId),
          kind: KIND,
          tokenHash: new Uint8Array(tokenHash),
          createdWith: await lineageOf(tx, bearer),
        },
      })
      await requireRoom(tx, human, 'tokens', quotaOf)
    }),

  /** A valid grant: not revoked, not expired, of an actor that can authenticate. Null for none. */
  async find(patId: string): Promise<GrantRecord | null> {
    const now = databaseClock.now()
    const row = await prisma.token.findFirst({
      where: {
        patId,
        kind: KIND,
        revokedAt: null,
        OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
        actor: { deletedAt: null, disabledAt: null },
      },
      include: { actor: { select: { tenantId: true } } },
    })
    return row && { patId, actorId: row.actorId, limits: limitsIn(row, row.actor.tenantId as TenantId) }
  },

  /**
   * Replaces the access token of a grant, and marks the code or refresh token that it was issued for as used. False if the
   * grant is no longer valid, or if that code or refresh token was used before.
   */
  move: (patId: string, tokenHash: Buffer, used: OauthPlace): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      if (!(await consumeRecord(tx, used))) return false
      const where = { patId, kind: KIND, revokedAt: null }
      const { count } = await tx.token.updateMany({ where, data: { tokenHash: new Uint8Array(tokenHash) } })
      return count === 1
    }),

  /** Revokes a grant with its descendants: at the request of its program, or after its misuse. False if it had ended. */
  async end(patId: string, now: Date, address: Initiator['address'], reason: string): Promise<boolean> {
    const ended = await prisma.$transaction(async (tx) => {
      const row = await tx.token.findFirst({ where: { patId, kind: KIND }, select: { actorId: true } })
      const actor = row && (await lockActor(tx, row.actorId))
      if (!actor) return null
      const by = { actorId: actor.actorId, credentialId: patId, address }
      const revoked = await revokeTokens(tx, [patId], now)
      if (revoked.length === 0) return null
      await record(tx, by, actor.tenantId, 'grant.revoked', revoked, { reason })
      const stop: Stop = { reason, stoppedBy: actor.actorId, stoppedAt: now }
      return endMade(tx, by, actor, { names: [patId], stop, keepsKey: false })
    })
    await letWritersOfEnd(prisma, ended ?? [])
    return ended !== null
  },
})
