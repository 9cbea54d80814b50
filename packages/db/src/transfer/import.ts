import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Scope } from '@collab-spaces/domain'
import { isUuid } from '@collab-spaces/domain'
import type pg from 'pg'
import { recordOfOperator } from '../audit.js'
import { counted, type Progress } from '../backup/backup.js'
import { copyIn, type RowCounts } from '../backup/format.js'
import { BackupReader, type FileKind } from '../backup/reader.js'
import type { ConnectionOptions } from '../connection/connection.js'
import { inTransaction } from '../connection/transaction.js'
import { readHistory } from '../migration/history.js'
import { explainRefusal, TransferError } from './error.js'
import { TENANT_FORMAT, TENANT_VERSION, type TenantHeader } from './header.js'
import { disableWebhooks, otherServerKey } from './move.js'
import { announceTenant, fingerprintOf, standingOf, withTenant } from './session.js'
import {
  add,
  addEvents,
  intoStage,
  makeStages,
  putInPlace,
  requireOwn,
  requireSame,
  stageOf,
  TENANTS,
} from './stage.js'
import { AUDIT, BY_POSITION, CARRIED, type CarriedTables, carriedTables, list, STATE, tableOf } from './tables.js'

const PIECE = 64 * 1024

export interface Import {
  readonly tenantId: string
  readonly name: string
  readonly rows: RowCounts
  readonly disabledWebhooks: number
}

const KIND: FileKind = {
  format: TENANT_FORMAT,
  version: TENANT_VERSION,
  name: 'tenant file',
  next: 'export the tenant again. Nothing was imported',
}

/** Brings a tenant from a file into a running installation beside others, in one transaction: all of it, or nothing. */
export async function importTenant(
  connection: ConnectionOptions,
  source: Readable,
  { disablesWebhooks }: { readonly disablesWebhooks: boolean },
  progress: Progress,
  signal: AbortSignal,
): Promise<Import> {
  const read = async (text: AsyncIterable<Buffer>) => {
    const reader = new BackupReader(text, KIND)
    const header = (await reader.header()) as TenantHeader
    if (!isUuid(header.tenant_id)) throw reader.damaged('it names no tenant')
    return withTenant(connection, header.tenant_id, (client) =>
      importInto(client, header, reader, disablesWebhooks, progress),
    )
  }
  try {
    return await pipeline(source, createGunzip({ chunkSize: PIECE }), read, { signal })
  } catch (error) {
    throw explain(error)
  }
}

async function importInto(
  client: pg.Client,
  header: TenantHeader,
  reader: BackupReader,
  disablesWebhooks: boolean,
  progress: Progress,
): Promise<Import> {
  const { tenant_id: tenantId, name } = header
  const tables = await carriedTables(client)
  await requireSameSchema(client, tables, header)
  const there = await standingOf(client, tenantId)
  if (there) throw new TransferError(`The tenant is here already (${there.status}): nothing was imported`)
  await makeStages(client)
  const done = await inTransaction(client, async () => {
    const rows = await fillStages(client, tables, reader, progress)
    await requireOneTenant(client, tenantId)
    await requireOwn(
      client,
      CARRIED.map((name) => tableOf(tables, name)),
      tenantId,
    )
    // Records of what was done outlive a tenant that was here before.
    await requireSame(client, tables, [AUDIT, 'erasures'])
    await requireWebhooks(client, header, disablesWebhooks)
    await place(client, tables, tenantId)
    const disabledWebhooks =
      header.server_key === (await fingerprintOf(client)) ? 0 : await disableWebhooks(client, tenantId)
    await recordOfOperator(client, tenantId as Scope, 'tenant.arrived', tenantId, { exported_at: header.created_at })
    return { tenantId, name, rows, disabledWebhooks }
  })
  await announceTenant(client, tenantId)
  return done
}

async function requireSameSchema(client: pg.Client, tables: CarriedTables, header: TenantHeader): Promise<void> {
  const migration = (await readHistory(client)).rows.at(-1)?.name
  if (header.migration !== migration) {
    throw new TransferError(
      `The file is of another version (${header.migration}, and here it is ${migration}): update the older installation first`,
    )
  }
  const expected = [TENANTS, ...CARRIED].map((name) => copyIn(tableOf(tables, name)))
  const found = header.tables.map(copyIn)
  const different = expected.findIndex((text, index) => text !== found[index])
  if (different !== -1 || found.length !== expected.length) {
    throw new TransferError(
      `The tenant file is damaged (its tables are not those of its version): export the tenant again`,
    )
  }
}

async function fillStages(
  client: pg.Client,
  tables: CarriedTables,
  reader: BackupReader,
  progress: Progress,
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const name of [TENANTS, ...CARRIED]) {
    const table = tableOf(tables, name)
    if ((await reader.line()) !== `${copyIn(table)};`) throw reader.damaged(`the table ${name} is missing`)
    const stage = intoStage(client, table)
    await pipeline(
      counted(reader.rows(), (total) => progress(name, total)),
      stage,
    )
    rows[name] = stage.rowCount
  }
  await reader.requireWhole(rows)
  return rows
}

async function requireOneTenant(client: pg.Client, tenantId: string): Promise<void> {
  const { rows } = await client.query<{ id: string; status: string }>(
    `SELECT tenant_id AS id, status FROM ${stageOf(TENANTS)}`,
  )
  const [row] = rows
  if (rows.length === 1 && row?.id === tenantId && ['active', 'suspended'].includes(row.status)) return
  throw new TransferError(`Refused, and nothing was changed: tenants, row 1 is not that of tenant ${tenantId}`)
}

async function requireWebhooks(
  client: pg.Client,
  { server_key }: TenantHeader,
  disablesWebhooks: boolean,
): Promise<void> {
  if (disablesWebhooks || server_key === (await fingerprintOf(client))) return
  const { rows } = await client.query(`SELECT count(*)::int AS count FROM ${stageOf('webhooks')}`)
  if (rows[0].count > 0) throw otherServerKey(rows[0].count)
}

async function place(client: pg.Client, tables: CarriedTables, tenantId: string): Promise<void> {
  const { columns } = tableOf(tables, TENANTS)
  await client.query(`INSERT INTO tenants (${list(columns)}) SELECT ${list(columns)} FROM ${stageOf(TENANTS)}`)
  for (const name of STATE) await putInPlace(client, tableOf(tables, name), tenantId)
  await addEvents(client, tables)
  for (const name of BY_POSITION) if (name !== 'events') await add(client, tableOf(tables, name))
  await putInPlace(client, tableOf(tables, AUDIT), tenantId)
}

/** Explains errors of gunzip and PostgreSQL about a file that is not as it was written. */
function explain(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'Z_BUF_ERROR') return damaged('it ends too early')
  if (code !== 'Z_DATA_ERROR') return explainRefusal(error)
  if (message === 'incorrect header check')
    return new TransferError('The file is not a tenant file of Collaboration Spaces')
  return damaged('it cannot be decompressed')
}

const damaged = (how: string) => new TransferError(`The tenant file is damaged (${how}): ${KIND.next}`)
