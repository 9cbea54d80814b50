import type { Readable } from 'node:stream'
import { type ConnectionOptions, inTransaction, recordOfOperator } from '@collab-spaces/db'
import { isUuid, type TenantId } from '@collab-spaces/domain'
import { isSealed } from '@collab-spaces/merkle'
import type pg from 'pg'
import { copyIn, type Progress, type RowCounts } from '../backup/format.js'
import { type BackupReader, type FileKind, readBackup } from '../backup/reader.js'
import { readHistory } from '../migration/history.js'
import { OperatorError } from '../session/operator-error.js'
import { explainRefusal, RefusedRow } from './error.js'
import { disableWebhooks, otherServerKey } from './move.js'
import {
  announceTenant,
  fingerprintOf,
  standingOf,
  TENANT_FORMAT,
  TENANT_VERSION,
  type TenantHeader,
  withTenant,
} from './session.js'
import {
  add,
  addEvents,
  intoStage,
  makeStages,
  putInPlace,
  requireOwn,
  requireSame,
  requireSound,
  stageOf,
  TENANTS,
} from './stage.js'
import {
  AUDIT,
  BY_POSITION,
  CARRIED,
  type CarriedTables,
  CHUNKS,
  carriedTables,
  list,
  STATE,
  tableOf,
} from './tables.js'

export interface Import {
  readonly tenantId: string
  readonly name: string
  readonly rows: RowCounts
  readonly disabledWebhooks: number
  /** The rows not imported for lack of authentication; null for a file signed with a trusted key. */
  readonly distrusted: DistrustedCounts | null
}

/** Counts of rows that identify a person, grant access, or send data out. */
export interface DistrustedCounts {
  /** Omitted identities and passkeys. */
  readonly signIns: number
  /** Omitted browsers. */
  readonly browsers: number
  /** E-mail addresses that need another confirmation. */
  readonly addresses: number
}

export interface ImportOptions {
  readonly disablesWebhooks: boolean
  /** The name of the file, for errors. */
  readonly file: string
  /** The public key of trusted signatures; null to trust none. */
  readonly trustedKey: string | null
}

const KIND: FileKind = {
  format: TENANT_FORMAT,
  version: TENANT_VERSION,
  name: 'tenant file',
  next: 'export the tenant again. Nothing was imported',
}

/** Imports a tenant from a file into a running installation beside others, atomically in one transaction. */
export async function importTenant(
  connection: ConnectionOptions,
  source: Readable,
  options: ImportOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<Import> {
  return readBackup(source, KIND, signal, async (reader) => {
    const header = (await reader.header()) as TenantHeader
    const counts: Record<string, number> = {}
    if (!isUuid(header.tenant_id)) throw reader.damaged('it names no tenant')
    return withTenant(connection, header.tenant_id, (client) =>
      importInto(client, header, reader, counts, options, progress, signal),
    ).catch((error: unknown) => {
      throw withLine(explainRefusal(error), header, counts, options.file)
    })
  })
}

/**
 * Names the file and the line of a rejected row. The name of its table and the earlier tables precede the rows of a
 * table.
 */
function withLine(error: unknown, { tables }: TenantHeader, counts: RowCounts, file: string): unknown {
  if (!(error instanceof RefusedRow)) return error
  const { table, row } = error.place
  const index = tables.findIndex(({ name }) => name === table)
  const before = tables.slice(0, index).reduce((lines, { name }) => lines + (counts[name] ?? 0) + 2, 1)
  return new OperatorError(
    `${error.message}: line ${before + 1 + row} of ${file}. Run "operate check" where it was exported, and export it again`,
  )
}

async function importInto(
  client: pg.Client,
  header: TenantHeader,
  reader: BackupReader,
  rows: Record<string, number>,
  { disablesWebhooks, trustedKey }: ImportOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<Import> {
  const { tenant_id: tenantId, name } = header
  const tables = await carriedTables(client)
  await requireSameSchema(client, tables, header)
  const there = await standingOf(client, tenantId)
  if (there) throw new OperatorError(`The tenant is here already (${there.status}): nothing was imported`)
  await makeStages(client)
  const done = await inTransaction(client, async () => {
    await fillStages(client, tables, reader, rows, progress)
    const { digest, signature } = await reader.requireWhole(rows)
    const isTrusted = trustedKey !== null && signature !== null && isSealed(signature, digest, trustedKey)
    if (trustedKey !== null && !isTrusted) throw notSigned(signature !== null)
    await requireOneTenant(client, tenantId)
    await requireOwn(
      client,
      CARRIED.map((name) => tableOf(tables, name)),
      tenantId,
    )
    // Records of actions outlive an earlier tenant here.
    await requireSame(client, tables, [AUDIT, 'erasures'])
    await requireSound(client, tables, signal)
    const distrusted = isTrusted ? null : await distrust(client)
    if (isTrusted) await requireWebhooks(client, header, disablesWebhooks)
    await place(client, tables, tenantId, signal)
    const keepsWebhooks = isTrusted && header.server_key === (await fingerprintOf(client))
    const disabledWebhooks = keepsWebhooks ? 0 : await disableWebhooks(client, tenantId)
    await recordOfOperator(client, tenantId as TenantId, 'tenant.arrived', tenantId, { exported_at: header.created_at })
    signal.throwIfAborted()
    return { tenantId, name, rows, disabledWebhooks, distrusted }
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
  rows: Record<string, number>,
  progress: Progress,
): Promise<void> {
  for (const name of [TENANTS, ...CARRIED]) {
    const table = tableOf(tables, name)
    rows[name] = await reader.table(table, () => intoStage(client, table), progress)
  }
}

const notSigned = (isSigned: boolean) =>
  new OperatorError(
    `Refused, and nothing was changed: the file is ${isSigned ? 'not signed with the key in --trust-key' : 'not signed'}: take ` +
      'the key from /log/keys of the server that exported it, or leave --trust-key out',
  )

/**
 * Removes the imported rows with which an installation vouches for a person: identities, verified addresses, and webhooks
 * with the consent of their receivers. An edited file could contain any of them.
 */
async function distrust(client: pg.Client): Promise<DistrustedCounts> {
  const [identities, passkeys, channels] = ['identities', 'passkeys', 'notification_channels'].map(stageOf)
  const count = async (statement: string) => (await client.query(statement)).rowCount ?? 0
  const signIns = (await count(`DELETE FROM ${identities}`)) + (await count(`DELETE FROM ${passkeys}`))
  const browsers = await count(`DELETE FROM ${channels} WHERE kind <> 'email'`)
  const addresses = await count(`UPDATE ${channels} SET verified_at = NULL, batch = NULL WHERE verified_at IS NOT NULL`)
  await client.query(`UPDATE ${stageOf('webhooks')} SET verified_at = NULL`)
  return { signIns, browsers, addresses }
}

async function requireOneTenant(client: pg.Client, tenantId: string): Promise<void> {
  const { rows } = await client.query<{ id: string; status: string }>(
    `SELECT tenant_id AS id, status FROM ${stageOf(TENANTS)}`,
  )
  const [row] = rows
  if (rows.length === 1 && row?.id === tenantId && ['active', 'suspended'].includes(row.status)) return
  throw new RefusedRow(
    { table: TENANTS, row: 1, key: row?.id ?? '' },
    `is not that of tenant ${tenantId}, with the status active or suspended`,
  )
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

async function place(client: pg.Client, tables: CarriedTables, tenantId: string, signal: AbortSignal): Promise<void> {
  const { columns } = tableOf(tables, TENANTS)
  await client.query(`INSERT INTO tenants (${list(columns)}) SELECT ${list(columns)} FROM ${stageOf(TENANTS)}`)
  for (const name of STATE) {
    signal.throwIfAborted()
    await putInPlace(client, tableOf(tables, name), tenantId)
  }
  await add(client, tableOf(tables, CHUNKS))
  await addEvents(client, tables)
  for (const name of BY_POSITION) if (name !== 'events') await add(client, tableOf(tables, name))
  await putInPlace(client, tableOf(tables, AUDIT), tenantId)
}
