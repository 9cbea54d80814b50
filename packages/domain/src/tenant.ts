import { type Member, requireSameTenant, type TenantActor } from './actor.js'
import {
  conflict,
  type DomainError,
  forbidden,
  invalid,
  tenantMoved,
  tenantMoving,
  unauthenticated,
  unknown,
} from './errors.js'
import { type Random, randomHex } from './random.js'
import { DEFAULT_TENANT } from './tenant-id.js'

/** The statuses that a tenant stays in, and that are shown to clients. */
export const TENANT_STATUSES = ['active', 'suspended'] as const
/**
 * The stages of a tenant that is being copied from or to another installation, has moved there, or is being deleted. It
 * accepts no reads or writes, and its rows must not change.
 */
const TENANT_STAGES = ['arriving', 'moving', 'moved', 'deleting'] as const
export type TenantStatus = (typeof TENANT_STATUSES)[number] | (typeof TENANT_STAGES)[number]

/** Throws for the shared tenant, so that the operator cannot suspend all its actors by mistake. */
export function requireCanSuspend(tenantId: string): void {
  if (tenantId === DEFAULT_TENANT) throw forbidden('The shared default tenant cannot be suspended')
}

export function requireCanLeave(tenantId: string): void {
  if (tenantId === DEFAULT_TENANT) {
    throw forbidden('An actor cannot be removed from the shared default tenant; disable it instead')
  }
}

/** The fields of a change of a member that rules depend on. */
export interface MemberChange {
  readonly member: Member
  /** Null for the operator. */
  readonly changer: Member | null
  /** Admins of the tenant who can act, besides the member. */
  readonly otherAdmins: number
}

/** The admins of a tenant remove humans; an agent is where its sponsor is. */
export function requireCanRemove({ member, changer, otherAdmins }: MemberChange): void {
  if (changer) requireAdmin(changer)
  if (member.actorType === 'agent') throw invalid('actor_id', 'must be a human; agents leave with their sponsor')
  if (member.isAdmin && otherAdmins === 0) throw conflict('The last admin of a tenant cannot be removed')
}

/** A member who leaves or deletes itself, and the remaining members. */
export interface Departure extends Omit<MemberChange, 'changer'> {
  /** Humans of the tenant who can act, besides the member. */
  readonly otherHumans: number
}

/** Throws for the last admin while other humans remain, who could then not invite, remove or promote. */
export function requireCanDepart({ member, otherAdmins, otherHumans }: Departure): void {
  if (member.isAdmin && otherAdmins === 0 && otherHumans > 0) {
    throw conflict('The last admin of a tenant cannot leave its other members: make one of them an admin first')
  }
}

/** Makes a member an admin, or no admin any more. */
export function requireCanPromote({ member, changer, otherAdmins }: MemberChange, isAdmin: boolean): void {
  if (changer) requireAdmin(changer)
  if (member.actorType === 'agent') throw invalid('actor_id', 'must be a human; an agent cannot be an admin')
  if (!isAdmin && member.isAdmin && otherAdmins === 0) throw conflict('The last admin of a tenant cannot step down')
}

/** An actor of which no credential works while the time is set. */
export interface Disableable extends TenantActor {
  readonly disabledAt: Date | null
  /** The admin who disabled it; null if the operator did. */
  readonly disabledBy: string | null
}

/** The admins of a tenant disable its members, but not themselves: so there is always one left. */
export function requireCanDisable(caller: Member, actor: TenantActor): void {
  requireSameTenant(caller, actor)
  requireAdmin(caller)
  if (actor.actorId === caller.actorId) throw conflict('An actor cannot disable itself: another admin has to do it')
}

/** Admins enable actors that an admin has disabled. */
export function requireCanEnable(caller: Member, actor: Disableable): void {
  requireSameTenant(caller, actor)
  requireAdmin(caller)
  if (actor.disabledAt !== null && actor.disabledBy === null) {
    throw forbidden('The operator disabled this actor: only the operator can enable it again')
  }
}

/** A tenant, and the base URL of the installation that it has moved to, or is moving to. */
export interface TenantLocation {
  readonly tenantStatus: TenantStatus
  readonly tenantLocation: string | null
}

export function requireActiveTenant(tenant: TenantLocation): void {
  const refusal = refusalOfTenant(tenant)
  if (refusal) throw refusal
}

/** Returns why requests of actors of a tenant are refused; null if they are served. */
export function refusalOfTenant({ tenantStatus, tenantLocation }: TenantLocation): DomainError | null {
  switch (tenantStatus) {
    case 'active':
      return null
    case 'suspended':
      return forbidden('Tenant is suspended')
    case 'moved':
      return tenantMoved(tenantLocation ?? '')
    case 'moving':
    case 'arriving':
      return tenantMoving()
    case 'deleting':
      return unauthenticated()
  }
}

/**
 * Throws for a code or link of a tenant on another installation, where it is valid. Not for a deleted or suspended tenant,
 * whose codes look unknown.
 */
export function requireLocalTenant(tenant: TenantLocation): void {
  if (['moved', 'moving', 'arriving'].includes(tenant.tenantStatus)) requireActiveTenant(tenant)
}

/** The base URL given to `--location`, without a slash at its end; null if it is none. */
export function baseUrl(given: string): string | null {
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) return null
  return url.href.replace(/\/+$/, '')
}

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
  if (caller.tenantId !== tenantId) throw forbidden('Only actors of the tenant may see it')
}

/** 404 for another tenant, as for one that never existed, and for the shared tenant. */
export function requireOwnTenant(caller: Member, tenantId: string): void {
  if (caller.tenantId === DEFAULT_TENANT || caller.tenantId !== tenantId.toLowerCase()) throw unknown('Tenant')
}
