/** Common parts of commands that run named rows: the bench and the torture. */

interface NamedRow {
  readonly name: string
  readonly title: string
  readonly about: string
}

/** Returns the rows with these names, case-insensitively; undefined if none are named. */
export function namedRows<Row extends NamedRow>(rows: readonly Row[], names?: readonly string[]): Row[] | undefined {
  if (names === undefined) return undefined
  const isNamed = (row: Row, name: string) => row.name.toLowerCase() === name.toLowerCase()
  const unknown = names.find((name) => !rows.some((row) => isNamed(row, name)))
  if (unknown !== undefined) throw new Error(`Unknown row ${unknown}. Rows: ${rows.map(({ name }) => name).join(', ')}`)
  return rows.filter((row) => names.some((name) => isNamed(row, name)))
}

export function wholeNumber(option: string, given: string, least = 0): number {
  const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN
  if (!(value >= least)) throw new Error(`${option} must be a whole number from ${least} on`)
  return value
}

/** Returns the help lines of the rows. */
export const rowLines = (rows: readonly NamedRow[]): string[] => [
  'Rows:',
  ...rows.flatMap(({ name, title, about }) => ['', `  ${name}: ${title}`, `    ${about}`]),
]

/** Ends the process with 2 on invalid options. */
export async function readOrEnd<Options>(command: string, read: () => Promise<Options> | Options): Promise<Options> {
  try {
    return await read()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\nSee pnpm ${command} --help\n`)
    process.exit(2)
  }
}

/** Runs, and cleans up afterwards, also on Ctrl-C. */
export async function runAndEnd<Result>(run: () => Promise<Result>, end: () => Promise<void>): Promise<Result> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      await end()
      process.exit(130)
    })
  }
  try {
    return await run()
  } finally {
    await end()
  }
}

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
