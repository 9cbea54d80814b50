import type { ActorRef } from './actor.js'
import { forbidden } from './errors.js'

/** The scope that a row belongs to. No store function can do without it. */
export type Scope = string & { readonly scope: unique symbol }

/** All actors without a tenant work together in this one scope. It is shown as null. */
export const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000' as Scope

export const scopeOf = (tenantId: string) => tenantId as Scope

export const shownTenantId = (scope: string): string | null => (scope === DEFAULT_SCOPE ? null : scope)

export const TENANT_STATUSES = ['active', 'suspended'] as const
export type TenantStatus = (typeof TENANT_STATUSES)[number]

/** The shared scope is not a tenant: the operator cannot suspend everybody at once by mistake. */
export function requireRealTenant(tenantId: string): void {
  if (tenantId === DEFAULT_SCOPE) throw forbidden('The shared default scope cannot be suspended')
}

export function requireActiveTenant(status: TenantStatus): void {
  if (status === 'suspended') throw forbidden('Tenant is suspended')
}

const SLUG_LENGTH = 40

/** `tenant_<slug of the name>_<8 hex>`: a valid PostgreSQL identifier that a person can still recognise. */
export function schemaName(name: string, random: (size: number) => Uint8Array): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '')
    .slice(0, SLUG_LENGTH)
    .replace(/_$/, '')
  const suffix = Array.from(random(4), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return ['tenant', slug, suffix].filter(Boolean).join('_')
}

/** What the rules need to know of a caller within its tenant. */
export interface Member extends ActorRef {
  readonly isAdmin: boolean
  readonly scope: Scope
}

export function requireAdmin(caller: Member): void {
  if (!caller.isAdmin) throw forbidden('Only an admin of the tenant may do this')
}

export function requireMember(caller: Member, tenantId: string): void {
  if (caller.scope !== tenantId) throw forbidden('Only actors of the tenant may see it')
}
