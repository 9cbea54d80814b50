import type { Header } from '../backup/format.js'

/** A tenant in a file is a text in the form of a backup, with another header and its own rows alone. */
export const TENANT_FORMAT = 'collaboration-spaces-tenant'
export const TENANT_VERSION = 1

export interface TenantHeader extends Header {
  readonly tenant_id: string
  readonly name: string
  /** The fingerprint of the server key, from which the secrets of webhooks are made; null if there was none. */
  readonly server_key: string | null
}
