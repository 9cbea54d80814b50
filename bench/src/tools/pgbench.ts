import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ConnectionOptions } from '@collab-spaces/postgres-embedded'
import { percentiles } from '../report/numbers.js'
import { pathOf } from './install.js'
import type { Throughput } from './throughput.js'

/** PostgreSQL by itself: statements of the service, prepared, from as many connections as there are clients. */

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A value in which PostgreSQL replaces some parts by what an expression gives, each time anew. */
export class Substituted {
  constructor(
    readonly text: string,
    /** By the part that they replace. They may use `:n`, a random number. */
    readonly expressions: Readonly<Record<string, string>>,
  ) {}
}

export interface DatabaseLoad {
  readonly connection: ConnectionOptions
  readonly statements: readonly Statement[]
  /** How many random numbers there are, from 0 on. */
  readonly numbers?: number
  readonly clients: number
  readonly seconds: number
  /** For temporary files. */
  readonly directory: string
}

/**
 * Time that is not counted: the connections are opened, and each makes its plans. A plan takes longer than its
 * statement, so there should be few statements, and from its first use on each has the one plan for all values that a
 * server with long connections comes to after a few.
 */
const WARM_UP_SECONDS = 1
const SESSION = '-c plan_cache_mode=force_generic_plan'

/** Each transaction is one of the statements, at random. */
export async function pgbench(load: DatabaseLoad): Promise<Throughput> {
  const files = await mkdtemp(join(load.directory, 'pgbench-'))
  try {
    await run(load, files)
    const { times, milliseconds } = counted(await transactionsIn(files))
    if (times.length > 0) return { perSecond: times.length / (milliseconds / 1_000), ...percentiles(times) }
  } finally {
    await rm(files, { recursive: true, force: true })
  }
  // On a busy machine the time may be over before all of them are connected.
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
  // It takes whole seconds only.
  const amount = ['-c', String(clients), '-j', '2', '-T', String(WARM_UP_SECONDS + Math.ceil(seconds))]
  const log = ['-l', '--log-prefix', join(files, 'log')]
  await promisify(execFile)(program, ['-n', '-M', 'prepared', ...amount, ...log, ...scripts.flat(), ...where], {
    env: { PATH: process.env.PATH, PGPASSWORD: password, PGOPTIONS: SESSION },
  })
}

/** In milliseconds: when it ended and how long it took. */
interface Transaction {
  readonly ended: number
  readonly took: number
}

/** How long those took that ended after the warm-up, and how much time there was. */
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

/** A statement with its values as variables, which pgbench passes as parameters. */
function scriptOf({ text, values }: Statement, index: number): { sql: string; variables: string[] } {
  const variables: string[] = []
  const parameters = values.map((value, position) => {
    if (value === null) return 'NULL'
    const name = `v${index}_${position}`
    variables.push(`${name}=${literal(value instanceof Substituted ? value.text : value)}`)
    const expressions = value instanceof Substituted ? Object.entries(value.expressions) : []
    return expressions.reduce((sql, [part, expression]) => `replace(${sql}, '${part}', ${expression})`, `:${name}`)
  })
  const sql = withoutColons(text).replaceAll(/\$(\d+)/g, (_, number) => parameters[number - 1] ?? 'NULL')
  return { sql, variables }
}

/** pgbench takes what follows a colon for a variable, in a literal too. */
const withoutColons = (sql: string) =>
  sql.replaceAll(/'[^']*'/g, (text) => (text.includes(':') ? `E${text.replaceAll(':', '\\072')}` : text))

/** A value as PostgreSQL reads it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(item)).join(',')}}`
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}
