import { notBeingDeleted } from '@collab-spaces/db'

/** Excludes rows of tenants that are on their way, in another installation, which may return them, or being deleted. */
export const ofWholeTenant = (table: string) => `NOT EXISTS (
  SELECT FROM tenants w WHERE w.tenant_id = ${table}.tenant_id AND w.status IN ('arriving', 'moved', 'deleting'))`

/** Excludes rows of incomplete tenants, and of spaces that are being deleted. */
export const isWhole = (table: string) => `${ofWholeTenant(table)} AND ${notBeingDeleted(table)}`
