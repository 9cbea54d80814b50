import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ConnectionOptions } from '@collab-spaces/postgres-embedded'
import { percentiles } from '../report/numbers.js'
import { pathOf } from './install.js'
import type { Throughput } from './throughput.js'

/** Measures PostgreSQL alone: prepared statements of the service, with one connection per client. */

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A value with parts that PostgreSQL replaces by the results of expressions, on each use. */
export class SubstitutedValue {
  constructor(
    readonly text: string,
    /** The expressions by the part that they replace. They may use `:n`, a random number. */
    readonly expressions: Readonly<Record<string, string>>,
  ) {}
}

export interface DatabaseLoad {
  readonly connection: ConnectionOptions
  readonly statements: readonly Statement[]
  /** The range of random numbers, from 0. */
  readonly numbers?: number
  readonly clients: number
  readonly seconds: number
  /** The directory for temporary files. */
  readonly directory: string
}

/**
 * The time for connecting and planning, which is not measured. A plan takes longer than its statement, so there should
 * be few statements. Each uses a generic plan from the start, as in a server with long connections.
 */
const WARM_UP_SECONDS = 1
const SESSION = '-c plan_cache_mode=force_generic_plan'

/** Runs a load in which each transaction is a random one of the statements. */
export async function pgbench(load: DatabaseLoad): Promise<Throughput> {
  const files = await mkdtemp(join(load.directory, 'pgbench-'))
  try {
    await run(load, files)
    const { times, milliseconds } = counted(await transactionsIn(files))
    if (times.length > 0) return { perSecond: times.length / (milliseconds / 1_000), ...percentiles(times) }
  } finally {
    await rm(files, { recursive: true, force: true })
  }
  // On a busy machine the time may end before all clients are connected.
  return pgbench({ ...load, seconds: load.seconds * 2 })
}

async function run({ connection, statements, numbers = 1, clients, seconds }: DatabaseLoad, files: string) {
  const program = await pathOf('pgbench')
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
  // pgbench accepts only whole seconds.
  const amount = ['-c', String(clients), '-j', '2', '-T', String(WARM_UP_SECONDS + Math.ceil(seconds))]
  const log = ['-l', '--log-prefix', join(files, 'log')]
  await promisify(execFile)(program, ['-n', '-M', 'prepared', ...amount, ...log, ...scripts.flat(), ...where], {
    env: { PATH: process.env.PATH, PGPASSWORD: password, PGOPTIONS: SESSION },
  })
}

/** A transaction: its end and duration, in milliseconds. */
interface Transaction {
  readonly ended: number
  readonly took: number
}

/** Returns the durations after the warm-up, and the measured time. */
function counted(transactions: readonly Transaction[]) {
  let [begin, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { ended } of transactions) [begin, end] = [Math.min(begin, ended), Math.max(end, ended)]
  const from = begin + WARM_UP_SECONDS * 1_000
  return { times: transactions.flatMap(({ ended, took }) => (ended > from ? took : [])), milliseconds: end - from }
}

async function transactionsIn(files: string): Promise<Transaction[]> {
  const logs = (await readdir(files)).filter((name) => name.startsWith('log.'))
  const texts = await Promise.all(logs.map((name) => readFile(join(files, name), 'utf8')))
  return texts.flatMap((text) => text.trimEnd().split('\n').map(transactionOf))
}

function transactionOf(line: string): Transaction {
  const [, , micros, , endSeconds, endMicros] = line.split(' ').map(Number)
  return { took: Number(micros) / 1_000, ended: Number(endSeconds) * 1_000 + Number(endMicros) / 1_000 }
}

/** Returns a statement with variables for its values, which pgbench passes as parameters. */
function scriptOf({ text, values }: Statement, index: number): { sql: string; variables: string[] } {
  const variables: string[] = []
  const parameters = values.map((value, position) => {
    if (value === null) return 'NULL'
    const name = `v${index}_${position}`
    variables.push(`${name}=${literal(value instanceof SubstitutedValue ? value.text : value)}`)
    const expressions = value instanceof SubstitutedValue ? Object.entries(value.expressions) : []
    return expressions.reduce((sql, [part, expression]) => `replace(${sql}, '${part}', ${expression})`, `:${name}`)
  })
  const sql = withoutColons(text).replaceAll(/\$(\d+)/g, (_, number) => parameters[number - 1] ?? 'NULL')
  return { sql, variables }
}

/** pgbench parses a colon as a variable, even in a literal. */
const withoutColons = (sql: string) =>
  sql.replaceAll(/'[^']*'/g, (text) => (text.includes(':') ? `E${text.replaceAll(':', '\\072')}` : text))

/** Returns a value as a PostgreSQL literal. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(item)).join(',')}}`
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}
