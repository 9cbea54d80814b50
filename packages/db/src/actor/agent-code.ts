import {
  type ActAuthor,
  admissionRefusal,
  againUntil,
  type CredentialLimits,
  codeAdmitsNoMore,
  type Entrant,
  type Initiator,
  type Member,
  requireCanSponsor,
  type ShownAgentCode,
  type SpaceStatus,
  type TenantId,
  type TenantLocation,
  unknown,
} from '@collab-spaces/domain'
import { limitColumns, limitsIn } from '../access/limits.js'
import { lineageOf } from '../access/lineage.js'
import { lockActor, lockBearer } from '../access/lock.js'
import { type ActorRecord, actorRecord } from '../access/record.js'
import { record } from '../audit/audit.js'
import { type Listing, listing } from '../connection/listing.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import type { AgentCode } from '../generated/client.js'
import { type QuotaOf, requireRoom } from '../quota/quota.js'
import { admit, type Entry } from '../space/admission.js'
import { lockAsSystem } from '../space/lock.js'
import { ownersNow } from '../space/owner.js'
import { creation, type NewActor, register } from './actor.js'

/** A future agent, and the validity of its code. */
export interface AgentCodeRecord {
  readonly codeId: string
  readonly displayName: string
  readonly agentProfile: string | null
  /** The limits of its key. */
  readonly limits: CredentialLimits
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly redeemedAt: Date | null
  /** Null until redemption. */
  readonly agentId: string | null
}

export interface NewAgentCode
  extends Pick<AgentCodeRecord, 'codeId' | 'displayName' | 'agentProfile' | 'limits' | 'createdAt' | 'expiresAt'> {
  readonly codeHash: Buffer
  /** The spaces that the agent joins. */
  readonly spaceIds: readonly string[]
}

/** The installation of origin of an agent, and its new key. */
export interface Redemption {
  readonly installationId: string
  readonly agentAdapter: string | null
  /** The id of the agent, if it is created now. */
  readonly agentId: string
  readonly keyHash: Buffer
  readonly now: Date
  address(): string | null
}

/** Returns the use of a code, or throws. */
export type JudgeCode = (code: ShownAgentCode | null) => 'first' | 'again'

/** The rows of a list that are read in one batch. A profile may be 40 KB. */
const PAGE_SIZE = 100

/** The rows after a given one, in list order. */
const behind = (row: AgentCodeRecord) => ({
  OR: [{ createdAt: { lt: row.createdAt } }, { createdAt: row.createdAt, codeId: { lt: row.codeId } }],
})

export const agentCodeStore = ({ prisma }: StoreContext) => ({
  /** Throws if the sponsor's credential has ended. */
  create: (bearer: Bearer, { codeHash, limits, spaceIds, ...code }: NewAgentCode): Promise<AgentCodeRecord> =>
    prisma.$transaction(async (tx) => {
      const sponsor = await lockBearer(tx, bearer)
      requireCanSponsor(sponsor)
      const { actorId, tenantId } = sponsor
      const { limits: keyLimits, expiresAt: keyExpiresAt } = limitColumns(limits, tenantId)
      const row = await tx.agentCode.create({
        data: {
          ...code,
          tenantId,
          sponsorId: actorId,
          codeHash: new Uint8Array(codeHash),
          spaceIds: [...spaceIds],
          keyLimits,
          keyExpiresAt,
          createdWith: await lineageOf(tx, bearer),
        },
      })
      await record(tx, bearer, tenantId, 'agent_code.created', [row.codeId])
      return codeRecord(row)
    }),

  /** The codes of a sponsor in a tenant, newest first. */
  list: (tenantId: TenantId, sponsorId: string): Promise<Listing<AgentCodeRecord>> =>
    listing(PAGE_SIZE, async (after: AgentCodeRecord | null, take) => {
      const rows = await prisma.agentCode.findMany({
        where: { tenantId, sponsorId, ...(after && behind(after)) },
        orderBy: [{ createdAt: 'desc' }, { codeId: 'desc' }],
        take,
      })
      return rows.map(codeRecord)
    }),

  /** 404 if the sponsor has no such code. Idempotent. */
  async revoke(sponsor: Bearer, codeId: string, now: Date): Promise<void> {
    const own = { codeId, tenantId: sponsor.tenantId, sponsorId: sponsor.actorId }
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.agentCode.updateMany({
        where: { ...own, revokedAt: null },
        data: { revokedAt: now },
      })
      if (count > 0) await record(tx, sponsor, sponsor.tenantId, 'agent_code.revoked', [codeId])
      else if ((await tx.agentCode.count({ where: own })) === 0) throw unknown('Code')
    })
  },

  /**
   * Creates the agent, connected and in its spaces; a repeated redemption replaces its key. Throws if the tenant's quota
   * leaves no room, and if its sponsor can no longer admit it to one of the spaces.
   */
  redeem: (
    codeHash: Buffer,
    redemption: Redemption,
    judge: JudgeCode,
    quotaOf: QuotaOf,
  ): Promise<{ readonly agent: ActorRecord; readonly limits: CredentialLimits }> =>
    prisma.$transaction(async (tx) => {
      const code = await lockCode(tx, codeHash)
      const kind = judge(code && (await shown(tx, code)))
      if (!code) throw new Error('an unknown code was accepted')
      const agent =
        kind === 'first' ? await makeAgent(tx, code, redemption, quotaOf) : await replaceKey(tx, code, redemption)
      return { agent, limits: codeRecord(code).limits }
    }),
})

/** Locks a code, after its sponsor: the lock order of all actions on a sponsor's agents. */
async function lockCode(tx: Transaction, codeHash: Buffer): Promise<AgentCode | null> {
  const where = { codeHash: new Uint8Array(codeHash) }
  const code = await tx.agentCode.findUnique({ where, select: { codeId: true, sponsorId: true } })
  if (!code) return null
  await lockActor(tx, code.sponsorId)
  await tx.$queryRaw`SELECT FROM agent_codes WHERE code_id = ${code.codeId} FOR NO KEY UPDATE`
  return tx.agentCode.findUnique({ where })
}

async function shown(tx: Transaction, code: AgentCode): Promise<ShownAgentCode> {
  const { tenantId, sponsorId, redeemedAt, installationId } = code
  const [tenant] = await tx.$queryRaw<TenantLocation[]>`
    SELECT status AS "tenantStatus", location AS "tenantLocation" FROM tenants WHERE tenant_id = ${tenantId}::uuid FOR SHARE`
  const maySponsor = { OR: [{ isGuest: false }, { maySponsor: true }] }
  const sponsor = { actorId: sponsorId, tenantId, deletedAt: null, disabledAt: null, ...maySponsor }
  return {
    expiresAt: code.expiresAt,
    revokedAt: code.revokedAt,
    tenantStatus: tenant?.tenantStatus ?? 'suspended',
    tenantLocation: tenant?.tenantLocation ?? null,
    isSponsored: (await tx.actor.count({ where: sponsor })) > 0,
    redeemed:
      redeemedAt === null || installationId === null
        ? null
        : { at: redeemedAt, installationId, isUntouched: await isUntouched(tx, code) },
  }
}

async function isUntouched(tx: Transaction, { agentId, keyHash, installationId }: AgentCode): Promise<boolean> {
  if (agentId === null || keyHash === null) return false
  const agent = await lockActor(tx, agentId)
  // Locked, so that the key is either used first or replaced.
  const unused = await tx.$queryRaw<object[]>`
    SELECT FROM api_keys WHERE actor_id = ${agentId} AND key_hash = ${keyHash} AND unused_until IS NOT NULL
    FOR NO KEY UPDATE`
  return unused.length > 0 && agent?.connection?.installationId === installationId
}

async function makeAgent(
  tx: Transaction,
  code: AgentCode,
  { agentId, keyHash, installationId, agentAdapter, now, address }: Redemption,
  quotaOf: QuotaOf,
): Promise<ActorRecord> {
  const { codeId, sponsorId, displayName, agentProfile, spaceIds } = code
  const tenantId = code.tenantId as TenantId
  const agent: NewActor = {
    actorId: agentId,
    actorType: 'agent',
    displayName,
    email: null,
    agentProfile,
    metadata: null,
    keyHash,
    limits: codeRecord(code).limits,
    keyUnusedUntil: againUntil(now),
    createdAt: now,
  }
  const by: Initiator = { actorId: agentId, credentialId: null, address }
  const sponsor = actorRecord(await tx.actor.findUniqueOrThrow({ where: { actorId: sponsorId } }))
  const { isGuest } = sponsor
  await register(tx, by, { ...creation(tenantId, sponsorId, agent, code.createdWith), isGuest })
  await requireRoom(tx, { actorId: sponsorId, tenantId }, 'agents', quotaOf)
  await record(tx, by, tenantId, 'agent_code.redeemed', [codeId])
  await record(tx, by, tenantId, 'agent.connected', [agentId])
  const admitter = { ...sponsor, credentialId: codeId }
  const entry = { agentAdapter, joinedAt: now }
  for (const spaceId of [...spaceIds].sort()) await enterSpace(tx, by, admitter, spaceId, { agentId, isGuest }, entry)
  await tx.agentCode.update({
    where: { codeId },
    data: { redeemedAt: now, agentId, installationId, keyHash: new Uint8Array(keyHash) },
  })
  return actorRecord(
    await tx.actor.update({ where: { actorId: agentId }, data: { installationId, connectedAt: now, agentAdapter } }),
  )
}

/** Enters a space of a code, unless it has been archived or deleted. */
async function enterSpace(
  tx: Transaction,
  by: Initiator,
  admitter: Member & ActAuthor,
  spaceId: string,
  { agentId, isGuest }: Entrant & { readonly agentId: string },
  entry: Entry,
): Promise<void> {
  const { tenantId } = admitter
  const space = await lockAsSystem(tx, tenantId, spaceId)
  if (!space) return
  const owners = await ownersNow(tx, tenantId, spaceId)
  if (admissionRefusal(space, owners, admitter, { isGuest })) throw codeAdmitsNoMore()
  if (space.status === ('archived' satisfies SpaceStatus)) return
  await admit(tx, { ...space, tenantId }, [agentId], { by, admitter, owners }, entry)
}

/** Replaces a key whose response was lost: the lost key never works. */
async function replaceKey(
  tx: Transaction,
  { codeId, agentId, tenantId }: AgentCode,
  { keyHash, agentAdapter, now, address }: Redemption,
): Promise<ActorRecord> {
  if (agentId === null) throw unknown('Code')
  const data = { keyHash: new Uint8Array(keyHash) }
  await tx.apiKey.update({ where: { actorId: agentId }, data })
  await tx.agentCode.update({ where: { codeId }, data })
  await record(tx, { actorId: agentId, credentialId: null, address }, tenantId as TenantId, 'actor.key_rotated', [
    agentId,
  ])
  return actorRecord(await tx.actor.update({ where: { actorId: agentId }, data: { agentAdapter, connectedAt: now } }))
}

function codeRecord(row: AgentCode): AgentCodeRecord {
  const { codeId, displayName, agentProfile, createdAt, expiresAt, revokedAt, redeemedAt, agentId } = row
  const limits = limitsIn({ limits: row.keyLimits, expiresAt: row.keyExpiresAt }, row.tenantId as TenantId)
  return { codeId, displayName, agentProfile, limits, createdAt, expiresAt, revokedAt, redeemedAt, agentId }
}
