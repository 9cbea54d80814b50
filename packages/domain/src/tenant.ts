import type { Member } from './actor.js'
import { forbidden } from './errors.js'
import { type Random, randomHex } from './random.js'
import { DEFAULT_SCOPE } from './scope.js'

export const TENANT_STATUSES = ['active', 'suspended'] as const
export type TenantStatus = (typeof TENANT_STATUSES)[number]

/** The shared scope is not a tenant, so the operator cannot suspend everybody by mistake. */
export function requireCanSuspend(tenantId: string): void {
  if (tenantId === DEFAULT_SCOPE) throw forbidden('The shared default scope cannot be suspended')
}

export function requireActiveTenant(status: TenantStatus): void {
  if (status === 'suspended') throw forbidden('Tenant is suspended')
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
  if (caller.scope !== tenantId) throw forbidden('Only actors of the tenant may see it')
}
