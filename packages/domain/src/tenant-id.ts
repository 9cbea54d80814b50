/** The tenant that a row belongs to. Every store function requires it. */
export type TenantId = string & { readonly tenantId: unique symbol }

/** The default tenant, which all actors without a tenant share. The API shows it as null. */
export const DEFAULT_TENANT = '00000000-0000-4000-8000-000000000000' as TenantId

/**
 * The tenant ID of security log entries that concern the whole installation, such as backups. Only the operator reads
 * them, and no tenant has this ID.
 */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000' as TenantId

export const asTenantId = (tenantId: string) => tenantId as TenantId

export const shownTenantId = (tenantId: string): string | null => (tenantId === DEFAULT_TENANT ? null : tenantId)
