/** The tenant that a row belongs to. Every store function requires it. */
export type Scope = string & { readonly scope: unique symbol }

/** The scope that all actors without a tenant share. It is shown as null. */
export const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000' as Scope

/**
 * The scope of entries in the security log that concern the installation and none of its tenants, such as backups: for
 * the operator. No tenant has this id.
 */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000' as Scope

export const scopeOf = (tenantId: string) => tenantId as Scope

export const shownTenantId = (scope: string): string | null => (scope === DEFAULT_SCOPE ? null : scope)
