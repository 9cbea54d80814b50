import type { Readable } from 'node:stream'
import { isUuid, type Scope } from '@collab-spaces/domain'
import type pg from 'pg'
import { recordOfOperator } from '../audit.js'
import { copyIn, type Progress, type RowCounts } from '../backup/format.js'
import { type BackupReader, type FileKind, readBackup } from '../backup/reader.js'
import type { ConnectionOptions } from '../connection/connection.js'
import { inTransaction } from '../connection/transaction.js'
import { readHistory } from '../migration/history.js'
import { OperatorError } from '../operator-error.js'
import { explainRefusal } from './error.js'
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
  return readBackup(source, KIND, signal, async (reader) => {
    const header = (await reader.header()) as TenantHeader
    if (!isUuid(header.tenant_id)) throw reader.damaged('it names no tenant')
    return withTenant(connection, header.tenant_id, (client) =>
      importInto(client, header, reader, disablesWebhooks, progress),
    ).catch((error: unknown) => {
      throw explainRefusal(error)
    })
  })
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
  if (there) throw new OperatorError(`The tenant is here already (${there.status}): nothing was imported`)
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
    throw new OperatorError(
      `The file is of another version (${header.migration}, and here it is ${migration}): update the older installation first`,
    )
  }
  const expected = [TENANTS, ...CARRIED].map((name) => copyIn(tableOf(tables, name)))
  const found = header.tables.map(copyIn)
  const different = expected.findIndex((text, index) => text !== found[index])
  if (different !== -1 || found.length !== expected.length) {
    throw new OperatorError(
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
    rows[name] = await reader.table(table, () => intoStage(client, table), progress)
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
  throw new OperatorError(`Refused, and nothing was changed: tenants, row 1 is not that of tenant ${tenantId}`)
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
