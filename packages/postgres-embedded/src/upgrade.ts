import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { tryConnect } from './connection.js'
import { EmbeddedError } from './errors.js'
import type { Place } from './place.js'
import { run } from './run-as.js'
import { createServiceRole, entrance, SERVICE_ROLE } from './service-role.js'

/**
 * The superuser's way in, while an older cluster is upgraded. Without a password, as it has none: only who may enter
 * the directory of the socket gets that far, and that is who owns the data.
 */
const SUPERUSER = 'postgres'
const SUPERUSER_ENTRANCE = `local ${SUPERUSER} ${SUPERUSER} trust\n`

/** Lets the superuser in before the start of a cluster that was made without the role that serves. */
export async function openForUpgrade(place: Place): Promise<void> {
  const rules = await readRules(place)
  if (isCurrent(rules) || rules.startsWith(SUPERUSER_ENTRANCE)) return
  await writeRules(place, `${SUPERUSER_ENTRANCE}${rules}`)
}

/** Makes the role that serves in a running cluster that lacks it, and shuts the superuser out again. */
export async function upgrade(place: Place): Promise<void> {
  const rules = await readRules(place)
  if (isCurrent(rules)) return
  const { connection } = place
  const client = await tryConnect({ ...connection, user: SUPERUSER, database: SUPERUSER })
  if (typeof client !== 'object') throw new EmbeddedError(`PostgreSQL in ${place.dataDir} does not answer: start again`)
  try {
    await addServiceRole(client, place)
    await writeRules(place, rules.replace(SUPERUSER_ENTRANCE, '') + entrance(SERVICE_ROLE))
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

/** A start that was killed may have made the role. */
async function addServiceRole(client: pg.Client, { connection, mayCreateDatabases }: Place): Promise<void> {
  const { rows } = await client.query('select from pg_roles where rolname = $1', [SERVICE_ROLE])
  if (rows.length === 0) await client.query(createServiceRole(connection.password))
  if (!mayCreateDatabases) await client.query(`alter role ${connection.user} nocreatedb`)
}

const isCurrent = (rules: string) => rules.includes(entrance(SERVICE_ROLE))

const rulesIn = (cluster: string) => join(cluster, 'pg_hba.conf')

const readRules = ({ cluster }: Place) => readFile(rulesIn(cluster), 'utf8')

/** As PostgreSQL's own account: all of it, or nothing. */
async function writeRules({ cluster, runAs }: Place, rules: string): Promise<void> {
  const file = rulesIn(cluster)
  const { ok, errors } = await run(runAs, '/bin/sh', ['-c', 'cat > "$0.new" && mv "$0.new" "$0"', file], rules)
  if (!ok) throw new EmbeddedError(`Cannot write ${file} (${errors.trim()})`)
}
