import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { namedRows, readOrEnd, rowLines, wholeNumber } from '@collab-spaces/testing/programs'
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
  /** The minutes to run further rounds; 0 means one round. */
  readonly minutes: number
}

export const readOptions = (): Promise<Options> =>
  readOrEnd('torture', () => {
    const { only, seed, minutes, short, help } = parseArgs({ options: OPTIONS }).values
    return {
      help,
      rows: namedRows(ROWS, only) ?? ROWS.filter(({ tests }) => !short || tests === undefined),
      sizes: short ? SHORT : FULL,
      seed: seed === undefined ? randomInt(1_000_000) : wholeNumber('--seed', seed),
      minutes: minutes === undefined ? 0 : wholeNumber('--minutes', minutes),
    }
  })

export const help = (): string =>
  [
    'Attacks the built server, and checks its guarantees. Exits with 1 if one was violated.',
    '',
    'Usage: pnpm torture [--only ROW]... [--seed N] [--minutes N] [--short]',
    '',
    '  --only ROW   run this row only; repeat it for several',
    '  --seed N     make the same random choices as the run that printed this seed',
    '  --minutes N  run further rounds, each with the next seed, for this many minutes',
    '  --short      a quick check that every row works, but for those that tests run: small, with few faults',
    '',
    ...rowLines(ROWS),
  ].join('\n')
