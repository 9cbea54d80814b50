import { createHmac } from 'node:crypto'
import type { ConnectionOptions } from './connection.js'

/** The role that serves requests. It owns nothing, and has the privileges that the owner of the tables grants. */
export const SERVICE_ROLE = 'spaces_service'

/** Derived from the owner's password, so that only one secret is stored. */
const passwordFrom = (ownerPassword: string) => createHmac('sha256', ownerPassword).update(SERVICE_ROLE).digest('hex')

/** Returns a connection to the same database as the service role. */
export function asService(connection: ConnectionOptions): ConnectionOptions {
  return { ...connection, user: SERVICE_ROLE, password: passwordFrom(connection.password) }
}

export const createServiceRole = (ownerPassword: string) =>
  `create role ${SERVICE_ROLE} login password '${passwordFrom(ownerPassword)}';`

/** A line of pg_hba.conf. */
export const hbaLine = (role: string) => `local all ${role} scram-sha-256\n`
