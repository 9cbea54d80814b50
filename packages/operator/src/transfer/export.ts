import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type ConnectionOptions, type ObjectStore, readClock, recordOfOperator } from '@collab-spaces/db'
import type { TenantId } from '@collab-spaces/domain'
import { type Signer, seal } from '@collab-spaces/merkle'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Progress } from '../backup/backup.js'
import { type RowCounts, textOf } from '../backup/format.js'
import { readHistory } from '../migration/history.js'
import { OperatorError } from '../session/operator-error.js'
import { withSnapshot } from '../session/session.js'
import { SPELLING } from './compare.js'
import { linesOfBucket } from './contents.js'
import {
  fingerprintOf,
  isInService,
  standingOf,
  TENANT_FORMAT,
  TENANT_VERSION,
  type TenantHeader,
  withTenant,
} from './session.js'
import { TENANTS } from './stage.js'
import { CARRIED, CHUNKS, carriedRows, carriedTables, tableOf } from './tables.js'

/**
 * Streams a snapshot of a tenant in chunks, while it stays in service. Memory holds only a few chunks. The signature lets
 * another installation detect edits.
 */
export async function exportTenant(
  connection: ConnectionOptions,
  tenantId: string,
  signer: Signer | null,
  write: (content: AsyncIterable<Buffer>) => Promise<void>,
  progress: Progress,
  signal: AbortSignal,
  bucket: ObjectStore | null = null,
): Promise<RowCounts> {
  return withSnapshot(connection, async (client) => {
    await client.query(SPELLING)
    const tables = await carriedTables(client)
    const names = [TENANTS, ...CARRIED]
    const header = await headerOf(
      client,
      tenantId,
      names.map((name) => tableOf(tables, name)),
    )
    const rows: Record<string, number> = {}
    async function* rowsOf({ name }: { readonly name: string }): AsyncGenerator<Buffer> {
      const table = tableOf(tables, name)
      yield* client.query(copyTo(`COPY (${carriedRows(table, tenantId)}) TO STDOUT`))
      if (name === CHUNKS) yield* linesOfBucket(client, bucket, tenantId, table)
    }
    const text = Readable.from(textOf(header, rowsOf, rows, progress, signer && ((digest) => seal(signer, digest))), {
      objectMode: false,
    })
    await pipeline(text, createGzip(), write, { signal })
    return rows
  })
}

async function headerOf(client: pg.Client, tenantId: string, tables: TenantHeader['tables']): Promise<TenantHeader> {
  const standing = await standingOf(client, tenantId)
  if (!standing) throw new OperatorError('Tenant not found')
  const { status, name, location } = standing
  if (status === 'moved') throw new OperatorError(`The tenant is at ${location} now: export it there`)
  if (!isInService(standing)) {
    throw new OperatorError(`The tenant is ${status}, and not here as a whole: export it afterwards`)
  }
  const migration = (await readHistory(client)).rows.at(-1)?.name ?? ''
  return {
    format: TENANT_FORMAT,
    version: TENANT_VERSION,
    created_at: (await readClock(client)).toISOString(),
    migration,
    tenant_id: tenantId,
    name,
    server_key: await fingerprintOf(client),
    tables: tables.map(({ name, columns }) => ({ name, columns })),
  }
}

/** Records an export to a file in the security log. */
export async function recordExport(
  connection: ConnectionOptions,
  tenantId: string,
  file: string,
  { spaces = 0, events = 0 }: RowCounts,
): Promise<void> {
  await withTenant(connection, tenantId, async (client) => {
    // The log of a tenant that has moved during the export continues elsewhere.
    if (!isInService(await standingOf(client, tenantId))) return
    await recordOfOperator(client, tenantId as TenantId, 'tenant.exported', tenantId, { file, spaces, events })
  })
}
