/** The tenant that a row belongs to. Every store function requires it. */
export type TenantId = string & { readonly tenantId: unique symbol }

/** The scope that all actors without a tenant share. It is shown as null. */
export const DEFAULT_TENANT = '00000000-0000-4000-8000-000000000000' as TenantId

/**
 * The scope of entries in the security log that concern the installation and none of its tenants, such as backups: for
 * the operator. No tenant has this id.
 */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000' as TenantId

export const asTenantId = (tenantId: string) => tenantId as TenantId

export const shownTenantId = (tenantId: string): string | null => (tenantId === DEFAULT_TENANT ? null : tenantId)
