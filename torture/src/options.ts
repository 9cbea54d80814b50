import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Row } from './row.js'
import { ROWS } from './rows/index.js'
import { FULL, SHORT, type Sizes } from './sizes.js'

const OPTIONS = {
  only: { type: 'string', multiple: true },
  seed: { type: 'string' },
  minutes: { type: 'string' },
  short: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

export interface Options {
  readonly help: boolean
  readonly rows: readonly Row[]
  readonly sizes: Sizes
  readonly seed: number
  /** How long to go on with further rounds; 0 is one round. */
  readonly minutes: number
}

/** Ends the process when they make no sense. */
export function readOptions(): Options {
  try {
    const { only, seed, minutes, short, help } = parseArgs({ options: OPTIONS }).values
    return {
      help,
      rows: chosenRows(only),
      sizes: short ? SHORT : FULL,
      seed: seed === undefined ? randomInt(1_000_000) : wholeNumber('--seed', seed),
      minutes: minutes === undefined ? 0 : wholeNumber('--minutes', minutes),
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\nSee pnpm torture --help\n`)
    process.exit(2)
  }
}

function wholeNumber(option: string, given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new Error(`${option} must be a whole number`)
  return Number(given)
}

function chosenRows(only: readonly string[] | undefined): readonly Row[] {
  if (only === undefined) return ROWS
  const named = (name: string) => ROWS.find((row) => row.name.toLowerCase() === name.toLowerCase())
  const unknown = only.find((name) => !named(name))
  if (unknown !== undefined) {
    throw new Error(`Unknown row ${unknown}. Rows: ${ROWS.map(({ name }) => name).join(', ')}`)
  }
  return ROWS.filter((row) => only.some((name) => named(name) === row))
}

export const help = (): string =>
  [
    'Attacks the built server, and checks that it keeps its promises. Exits with 1 if one was broken.',
    '',
    'Usage: pnpm torture [--only ROW]... [--seed N] [--minutes N] [--short]',
    '',
    '  --only ROW   run this row only; repeat it for several',
    '  --seed N     make the same random choices as the run that printed this seed',
    '  --minutes N  begin further rounds, each with the next seed, until so many minutes are over',
    '  --short      a quick check that every row works: small, with few faults',
    '',
    'Rows:',
    ...ROWS.flatMap(({ name, title, about }) => ['', `  ${name}: ${title}`, `    ${about}`]),
  ].join('\n')
