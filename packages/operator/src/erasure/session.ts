import { type ConnectionOptions, type ErasureRequest, notification } from '@collab-spaces/db'
import type pg from 'pg'
import { OperatorError } from '../session/operator-error.js'
import { withSession } from '../session/session.js'

const INSUFFICIENT_PRIVILEGE = '42501'

/** A connection of the owner, because the service role can neither change nor delete an event. */
export async function withOwner<T>(connection: ConnectionOptions, work: (client: pg.Client) => Promise<T>): Promise<T> {
  try {
    return await withSession(connection, work)
  } catch (error) {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error
    throw new OperatorError('Only the owner of the tables may erase: set MIGRATION_DATABASE_URL to its URL')
  }
}

/** Invalidates the caches of a space on all servers. A server that misses the signal polls. */
export async function announce(client: pg.Client, { tenantId, spaceId }: ErasureRequest): Promise<void> {
  await client.query(notification([{ kind: 'erased', tenantId, spaceId }]))
}
