import { type Member, requireSameTenant, type ScopedActor } from './actor.js'
import { conflict, forbidden, invalid, unknown } from './errors.js'
import { type Random, randomHex } from './random.js'
import { DEFAULT_SCOPE } from './scope.js'

export const TENANT_STATUSES = ['active', 'suspended'] as const
export type TenantStatus = (typeof TENANT_STATUSES)[number]

/** The shared scope is not a tenant, so the operator cannot suspend everybody by mistake. */
export function requireCanSuspend(tenantId: string): void {
  if (tenantId === DEFAULT_SCOPE) throw forbidden('The shared default scope cannot be suspended')
}

export function requireCanLeave(tenantId: string): void {
  if (tenantId === DEFAULT_SCOPE) {
    throw forbidden('Nobody can be removed from the shared default scope; disable the actor instead')
  }
}

/** A removal from a tenant, as far as the rules look at it. */
export interface Removal {
  readonly member: Member
  /** Null for the operator. */
  readonly remover: Member | null
  /** Admins of the tenant who can act, besides the member. */
  readonly otherAdmins: number
}

/** The admins of a tenant remove humans; an agent is where its sponsor is. */
export function requireCanRemove({ member, remover, otherAdmins }: Removal): void {
  if (remover) requireAdmin(remover)
  if (member.actorType === 'agent') throw invalid('actor_id', 'must be a human; agents leave with their sponsor')
  if (member.isAdmin && otherAdmins === 0) throw conflict('The last admin of a tenant cannot be removed')
}

/** A member who moves away or deletes itself, and those who stay, as far as the rules look at them. */
export interface Departure {
  readonly member: Member
  /** Admins of the tenant who can act, besides the member. */
  readonly otherAdmins: number
  /** Humans of the tenant who can act, besides the member. */
  readonly otherHumans: number
}

/** The only member of a tenant may go. Others would be left without anybody to invite, remove or promote. */
export function requireCanDepart({ member, otherAdmins, otherHumans }: Departure): void {
  if (member.isAdmin && otherAdmins === 0 && otherHumans > 0) {
    throw conflict('The last admin of a tenant cannot leave its other members: make one of them an admin first')
  }
}

/** A change of admins, as far as the rules look at it. */
export interface Promotion {
  readonly member: Member
  /** Null for the operator. */
  readonly promoter: Member | null
  readonly isAdmin: boolean
  readonly otherAdmins: number
}

export function requireCanPromote({ member, promoter, isAdmin, otherAdmins }: Promotion): void {
  if (promoter) requireAdmin(promoter)
  if (member.actorType === 'agent') throw invalid('actor_id', 'must be a human; an agent cannot be an admin')
  if (!isAdmin && member.isAdmin && otherAdmins === 0) throw conflict('The last admin of a tenant cannot step down')
}

/** An actor of which no credential works while the time is set. */
export interface Disableable extends ScopedActor {
  readonly disabledAt: Date | null
  /** The admin who disabled it; null if the operator did. */
  readonly disabledBy: string | null
}

/** The admins of a tenant disable its members, but not themselves: so there is always one left. */
export function requireCanDisable(caller: Member, actor: ScopedActor): void {
  requireSameTenant(caller, actor)
  requireAdmin(caller)
  if (actor.actorId === caller.actorId) throw conflict('Nobody can disable themselves: another admin has to do it')
}

/** Admins enable again whom an admin has disabled. */
export function requireCanEnable(caller: Member, actor: Disableable): void {
  requireSameTenant(caller, actor)
  requireAdmin(caller)
  if (actor.disabledAt !== null && actor.disabledBy === null) {
    throw forbidden('The operator disabled this actor: only the operator can enable it again')
  }
}

export function requireActiveTenant(status: TenantStatus): void {
  if (status === 'suspended') throw tenantSuspended()
}

export const tenantSuspended = () => forbidden('Tenant is suspended')

const SLUG_LENGTH = 40

/** `tenant_<slug of the name>_<8 hex>`: a valid PostgreSQL identifier that people can recognize. */
export function schemaName(name: string, random: Random): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '')
    .slice(0, SLUG_LENGTH)
    .replace(/_$/, '')
  return ['tenant', slug, randomHex(random, 4)].filter(Boolean).join('_')
}

export function requireAdmin(caller: Member): void {
  if (!caller.isAdmin) throw forbidden('Only an admin of the tenant may do this')
}

export function requireMember(caller: Member, tenantId: string): void {
  if (caller.scope !== tenantId) throw forbidden('Only actors of the tenant may see it')
}

/** Where the reference does not say 403, another tenant is as unknown as one that never was. The shared scope is none. */
export function requireOwnTenant(caller: Member, tenantId: string): void {
  if (caller.scope === DEFAULT_SCOPE || caller.scope !== tenantId.toLowerCase()) throw unknown('Tenant')
}
