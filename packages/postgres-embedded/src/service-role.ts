import { createHmac } from 'node:crypto'
import type { ConnectionOptions } from './connection.js'

/** Serves requests. It owns nothing, and may do what the owner of the tables grants it. */
export const SERVICE_ROLE = 'spaces_service'

/** Made from the owner's, so that there is only one secret to keep. */
const passwordFrom = (ownerPassword: string) => createHmac('sha256', ownerPassword).update(SERVICE_ROLE).digest('hex')

/** The same database, in the role that serves. */
export function asService(connection: ConnectionOptions): ConnectionOptions {
  return { ...connection, user: SERVICE_ROLE, password: passwordFrom(connection.password) }
}

export const createServiceRole = (ownerPassword: string) =>
  `create role ${SERVICE_ROLE} login password '${passwordFrom(ownerPassword)}';`

/** A line of pg_hba.conf. */
export const hbaLine = (role: string) => `local all ${role} scram-sha-256\n`
