import {
  conflict,
  DEFAULT_TENANT,
  EMAIL_ISSUER,
  emailIdentity,
  forbidden,
  INSTALLATION,
  type Initiator,
  isUuid,
  type ProvenIdentity,
  requireActiveTenant,
  signInFailed,
  type TenantId,
  type TenantStatus,
  type VerifiedAddress,
} from '@collab-spaces/domain'
import { lockAdmins, setAdmin } from '../access/admins.js'
import { lineageOf } from '../access/lineage.js'
import { lockBearer } from '../access/lock.js'
import type { ActorRecord } from '../access/record.js'
import { creation, type NewActor, register } from '../actor/actor.js'
import { record } from '../audit/audit.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { beginSession, lockSigningIn, type NewSession, type SignedIn } from '../credential/session.js'
import { type OneTimeCode, useUp } from '../credential/used-code.js'
import type { Identity, Tenant } from '../generated/client.js'
import { lockInvitation, welcome } from '../invite/invite.js'
import { revokeInvitesOf } from '../space/code.js'

/** The sign-in terms for a human verified by a provider. */
export interface IdentityTerms {
  readonly identityId: string
  /** The id or name of the tenant for newcomers; null for the shared tenant. */
  readonly tenant: string | null
  /** Whether the human is an admin of that tenant; null if the provider does not decide this. */
  readonly isAdmin: boolean | null
  /** The account of a new human. */
  readonly newActor: NewActor
}

export const identityStore = ({ prisma }: StoreContext) => ({
  /**
   * Starts a session for an identity. A new human gets an account in the tenant, and the invite there for the proven
   * address. An existing account is never matched by its address, which is unverified.
   */
  signIn: (proven: ProvenIdentity, terms: IdentityTerms, session: NewSession): Promise<SignedIn> =>
    prisma.$transaction(async (tx) => {
      const tenantId = await requireTenant(tx, terms.tenant)
      if (terms.isAdmin !== null) await lockAdmins(tx, tenantId)
      await lockIdentity(tx, proven)
      const known = await tx.identity.findFirst({ where: { issuer: proven.issuer, subject: proven.subject } })
      const by: Initiator = {
        actorId: known?.actorId ?? terms.newActor.actorId,
        credentialId: known?.identityId ?? null,
        address: session.address,
      }
      const actor = known
        ? await lockSigningIn(tx, known.actorId)
        : await welcomeProven(tx, by, tenantId, proven, terms)
      const identityId = known?.identityId ?? terms.identityId
      const used = { email: proven.email, lastUsedAt: session.createdAt }
      // It may have been removed before the actor was locked.
      if ((await tx.identity.updateMany({ where: { identityId }, data: used })).count === 0) throw signInFailed()
      const judged = await judgeAdmin(tx, by, actor, tenantId, terms.isAdmin)
      return beginSession(tx, judged, session, [identityId, ...(known?.createdWith ?? [])])
    }),

  /** Returns the identity of an e-mail address, with the address as it was verified; null if no account has it. */
  async withEmail(email: string): Promise<{ readonly identityId: string; readonly address: VerifiedAddress } | null> {
    const { issuer, subject } = emailIdentity(email)
    const found = await prisma.identity.findFirst({ where: { issuer, subject } })
    return found && { identityId: found.identityId, address: found.email as VerifiedAddress }
  },

  /** Starts a session by a link sent to an address. Throws if the code was used, or the address removed since. */
  signInByEmail: (identityId: string, code: OneTimeCode, session: NewSession): Promise<SignedIn> =>
    prisma.$transaction(async (tx) => {
      const where = { identityId, issuer: EMAIL_ISSUER }
      const found = await tx.identity.findFirst({ where, select: { actorId: true } })
      if (!found) throw signInFailed()
      const actor = await lockSigningIn(tx, found.actorId)
      await useUp(tx, code)
      const [used] = await tx.identity.updateManyAndReturn({ where, data: { lastUsedAt: session.createdAt } })
      if (!used) throw signInFailed()
      return beginSession(tx, actor, session, [identityId, ...used.createdWith])
    }),

  /**
   * Binds an identity to the account of a bearer, and keeps the address of the account. 409 if it is already bound. Throws
   * if the code by which it was proven here was used; null if a provider proved it.
   */
  bind: (
    bearer: Bearer,
    proven: Pick<ProvenIdentity, 'issuer' | 'subject' | 'email'>,
    { identityId, code, now }: { readonly identityId: string; readonly code: OneTimeCode | null; readonly now: Date },
  ): Promise<void> =>
    prisma.$transaction(async (tx) => {
      const actor = await lockBearer(tx, bearer)
      if (code) await useUp(tx, code)
      const { issuer, subject } = proven
      await lockIdentity(tx, proven)
      if ((await tx.identity.count({ where: { issuer, subject } })) > 0) {
        throw conflict('This identity belongs to an account already')
      }
      await bind(tx, bearer, actor, proven, { identityId, createdWith: await lineageOf(tx, bearer), now })
    }),

  /** Records the refusal of a verified identity. */
  refused: (
    { issuer, subject }: Pick<ProvenIdentity, 'issuer' | 'subject'>,
    address: () => string | null,
    why: string,
  ): Promise<void> =>
    prisma.$transaction((tx) =>
      record(tx, { actorId: null, credentialId: null, address }, INSTALLATION, 'sign_in.refused', [subject], {
        why,
        issuer,
      }),
    ),
})

/** Serializes the first sign-ins and bindings of an identity, so that it gets one account. */
const lockIdentity = (tx: Transaction, { issuer, subject }: Pick<ProvenIdentity, 'issuer' | 'subject'>) =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${subject}, hashtextextended(${issuer}, 1)))`

/** Resolves an id or an unambiguous name to a tenant. */
async function requireTenant(tx: Transaction, named: string | null): Promise<TenantId> {
  if (named === null) return DEFAULT_TENANT
  const where = isUuid(named) ? { tenantId: named.toLowerCase() } : { name: named }
  const found: Tenant[] = await tx.tenant.findMany({ where, take: 2 })
  const [tenant] = found
  if (!tenant) throw forbidden('The tenant of this account is not here')
  if (found.length > 1)
    throw forbidden('Several tenants have the name of that of this account: the operator has to name its id')
  requireActiveTenant({ tenantStatus: tenant.status as TenantStatus, tenantLocation: tenant.location })
  return tenant.tenantId as TenantId
}

async function welcomeProven(
  tx: Transaction,
  by: Initiator,
  tenantId: TenantId,
  proven: ProvenIdentity,
  { newActor, identityId }: IdentityTerms,
): Promise<ActorRecord> {
  const { actorId, createdAt: now } = newActor
  const invite = tenantId === DEFAULT_TENANT ? null : await lockInvitation(tx, tenantId, proven.email, now)
  const actor = await register(tx, by, creation(tenantId, null, newActor, []))
  await bind(tx, by, actor, proven, { identityId, createdWith: [], now })
  return invite ? welcome(tx, by, actorId, [actorId], invite, now) : actor
}

async function bind(
  tx: Transaction,
  by: Initiator,
  { actorId, tenantId }: ActorRecord,
  { issuer, subject, email }: Pick<ProvenIdentity, 'issuer' | 'subject' | 'email'>,
  { now, ...row }: Pick<Identity, 'identityId' | 'createdWith'> & { readonly now: Date },
): Promise<void> {
  await tx.identity.create({ data: { ...row, actorId, issuer, subject, email, createdAt: now } })
  // An address is for its owner alone, and admins read the log.
  const proof = issuer === EMAIL_ISSUER ? { issuer } : { issuer, subject }
  await record(tx, by, tenantId, 'identity.bound', [row.identityId], proof)
}

/** The provider decides the admin role at each sign-in, and may revoke it even from the last admin. */
async function judgeAdmin(
  tx: Transaction,
  by: Initiator,
  actor: ActorRecord,
  tenantId: TenantId,
  isAdmin: boolean | null,
): Promise<ActorRecord> {
  if (isAdmin === null || tenantId === DEFAULT_TENANT || actor.tenantId !== tenantId || actor.isAdmin === isAdmin)
    return actor
  const { actorId } = actor
  await record(tx, by, tenantId, isAdmin ? 'admin.granted' : 'admin.withdrawn', [actorId])
  if (!isAdmin) await revokeInvitesOf(tx, by, tenantId, [actorId])
  return setAdmin(tx, actorId, isAdmin)
}
