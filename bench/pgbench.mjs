import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { percentiles } from './numbers.mjs'
import { pathOf } from './tools.mjs'

/** PostgreSQL by itself: statements of the product, prepared, from as many connections as there are clients. */

/** @import { EmbeddedConnection } from './server.mjs' */

/** @typedef {{ readonly text: string, readonly values: readonly unknown[] }} Statement */

/** Enough transactions are written down to know the hundredth part of them, and few enough to cost nothing. */
const SAMPLED = 0.1

/** A value that is new each time: PostgreSQL puts a fresh UUID in the place of the one that is in it. */
export class Fresh {
  /** @param {string} value @param {string} uuid */
  constructor(value, uuid) {
    this.value = value
    this.uuid = uuid
  }
}

/**
 * Each transaction is one of the statements, whichever chance takes.
 * @param {object} load
 * @param {EmbeddedConnection} load.connection
 * @param {readonly Statement[]} load.statements
 * @param {number} load.clients
 * @param {number} load.seconds
 * @param {string} load.directory Where to keep files for the time being.
 * @returns {Promise<{ perSecond: number, p50: number, p99: number }>}
 */
export async function pgbench({ connection, statements, clients, seconds, directory }) {
  const program = await pathOf('pgbench')
  const files = await mkdtemp(join(directory, 'pgbench-'))
  try {
    const scripts = await Promise.all(
      statements.map(async (statement, index) => {
        const { sql, variables } = scriptOf(statement, index)
        const file = join(files, `${index}.sql`)
        await writeFile(file, sql)
        return ['-f', file, ...variables.flatMap((variable) => ['-D', variable])]
      }),
    )
    const { host, port, user, password, database } = connection
    const where = ['-h', host, '-p', String(port), '-U', user, database]
    const amount = ['-c', String(clients), '-j', '2', '-T', String(seconds)]
    const log = ['-l', '--sampling-rate', String(SAMPLED), '--log-prefix', join(files, 'log')]
    const { stdout } = await promisify(execFile)(
      program,
      ['-n', '-M', 'prepared', ...amount, ...log, ...scripts.flat(), ...where],
      { env: { PATH: process.env.PATH, PGPASSWORD: password }, maxBuffer: 16 * 1024 * 1024 },
    )
    const perSecond = perSecondIn(stdout)
    const times = await latencies(files)
    if (perSecond !== undefined && times.length > 0) return { perSecond, ...percentiles(times) }
  } finally {
    await rm(files, { recursive: true, force: true })
  }
  // On a busy machine the time may be over before all of them are connected.
  return pgbench({ connection, statements, clients, directory, seconds: seconds * 2 })
}

/**
 * A statement with its values as variables, which pgbench passes as parameters.
 * @param {Statement} statement
 * @param {number} index
 */
function scriptOf({ text, values }, index) {
  /** @type {string[]} */
  const variables = []
  const parameters = values.map((value, position) => {
    if (value === null) return 'NULL'
    const name = `v${index}_${position}`
    variables.push(`${name}=${spelled(value instanceof Fresh ? value.value : value)}`)
    return value instanceof Fresh ? `replace(:${name}::text, '${value.uuid}', uuidv7()::text)` : `:${name}`
  })
  const sql = withoutColons(text).replaceAll(/\$(\d+)/g, (_, number) => /** @type {string} */ (parameters[number - 1]))
  return { sql: `${sql};\n`, variables }
}

/** pgbench takes what follows a colon for a variable, in a literal too. @param {string} sql */
const withoutColons = (sql) =>
  sql.replaceAll(/'[^']*'/g, (literal) => (literal.includes(':') ? `E${literal.replaceAll(':', '\\072')}` : literal))

/** A value as PostgreSQL reads it. @param {unknown} value */
function spelled(value) {
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(item)).join(',')}}`
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}

/** Undefined when no transaction came to its end. @param {string} output */
function perSecondIn(output) {
  const found = /^tps = ([\d.]+)/m.exec(output)
  return found ? Number(found[1]) : undefined
}

/** Of the sampled transactions, in milliseconds. @param {string} files */
async function latencies(files) {
  const logs = (await readdir(files)).filter((name) => name.startsWith('log.'))
  const texts = await Promise.all(logs.map((name) => readFile(join(files, name), 'utf8')))
  return texts.flatMap((text) =>
    text.split('\n').flatMap((line) => (line === '' ? [] : Number(line.split(' ')[2]) / 1_000)),
  )
}
