import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { percentiles } from './numbers.mjs'
import { pathOf } from './tools.mjs'

/** PostgreSQL by itself: statements of the product, prepared, from as many connections as there are clients. */

/** @import { EmbeddedConnection } from './server.mjs' */

/** @typedef {{ readonly text: string, readonly values: readonly unknown[] }} Statement */

/**
 * What is not counted: the connections are opened, and each makes its plans. A plan takes longer than what it is for,
 * so there should be few statements, and from its first use on each has the one plan for all values that a server with
 * long connections comes to after a few.
 */
const WARM_UP_SECONDS = 1
const SESSION = '-c plan_cache_mode=force_generic_plan'

/** A text in which PostgreSQL replaces some parts by what an expression gives, each time anew. */
export class Varied {
  /** @param {string} text @param {Readonly<Record<string, string>>} parts Each with its expression. */
  constructor(text, parts) {
    this.text = text
    this.parts = parts
  }
}

/**
 * Each transaction is one of the statements, whichever chance takes.
 * @param {object} load
 * @param {EmbeddedConnection} load.connection
 * @param {readonly Statement[]} load.statements Their expressions may use `:n`, a random number.
 * @param {number} [load.numbers] How many numbers there are, from 0 on.
 * @param {number} load.clients
 * @param {number} load.seconds
 * @param {string} load.directory Where to keep files for the time being.
 * @returns {Promise<{ perSecond: number, p50: number, p99: number }>}
 */
export async function pgbench({ connection, statements, numbers = 1, clients, seconds, directory }) {
  const program = await pathOf('pgbench')
  const files = await mkdtemp(join(directory, 'pgbench-'))
  try {
    const scripts = await Promise.all(
      statements.map(async (statement, index) => {
        const { sql, variables } = scriptOf(statement, index)
        const file = join(files, `${index}.sql`)
        await writeFile(file, `\\set n random(0, ${numbers - 1})\n${sql};\n`)
        return ['-f', file, ...variables.flatMap((variable) => ['-D', variable])]
      }),
    )
    const { host, port, user, password, database } = connection
    const where = ['-h', host, '-p', String(port), '-U', user, database]
    const amount = ['-c', String(clients), '-j', '2', '-T', String(WARM_UP_SECONDS + seconds)]
    const log = ['-l', '--log-prefix', join(files, 'log')]
    await promisify(execFile)(program, ['-n', '-M', 'prepared', ...amount, ...log, ...scripts.flat(), ...where], {
      env: { PATH: process.env.PATH, PGPASSWORD: password, PGOPTIONS: SESSION },
    })
    const { times, milliseconds } = countedIn(await transactionsIn(files))
    if (times.length > 0) return { perSecond: times.length / (milliseconds / 1_000), ...percentiles(times) }
  } finally {
    await rm(files, { recursive: true, force: true })
  }
  // On a busy machine the time may be over before all of them are connected.
  return pgbench({ connection, statements, numbers, clients, directory, seconds: seconds * 2 })
}

/** @typedef {{ readonly ended: number, readonly took: number }} Transaction When and how long, in milliseconds. */

/** The times of those that ended after the warm-up, and what time they had. @param {readonly Transaction[]} transactions */
function countedIn(transactions) {
  let [begin, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { ended } of transactions) [begin, end] = [Math.min(begin, ended), Math.max(end, ended)]
  const from = begin + WARM_UP_SECONDS * 1_000
  return { times: transactions.flatMap(({ ended, took }) => (ended > from ? took : [])), milliseconds: end - from }
}

/** @param {string} files @returns {Promise<Transaction[]>} */
async function transactionsIn(files) {
  const logs = (await readdir(files)).filter((name) => name.startsWith('log.'))
  const texts = await Promise.all(logs.map((name) => readFile(join(files, name), 'utf8')))
  return texts.flatMap((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, , took, , seconds, micros] = line.split(' ').map(Number)
        return { took: Number(took) / 1_000, ended: Number(seconds) * 1_000 + Number(micros) / 1_000 }
      }),
  )
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
    variables.push(`${name}=${spelled(value instanceof Varied ? value.text : value)}`)
    const parts = value instanceof Varied ? Object.entries(value.parts) : []
    return parts.reduce((sql, [part, expression]) => `replace(${sql}, '${part}', ${expression})`, `:${name}`)
  })
  const sql = withoutColons(text).replaceAll(/\$(\d+)/g, (_, number) => /** @type {string} */ (parameters[number - 1]))
  return { sql, variables }
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
