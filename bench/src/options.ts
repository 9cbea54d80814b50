import { parseArgs } from 'node:util'
import { namedRows, readOrEnd, rowLines, wholeNumber } from '@collab-spaces/testing/programs'
import type { Row } from './row.js'
import { ROWS } from './rows/index.js'
import { type Checkout, otherCheckout } from './service/checkout.js'
import { FULL, SHORT, type Sizes } from './sizes.js'

const OPTIONS = {
  only: { type: 'string', multiple: true },
  against: { type: 'string' },
  rounds: { type: 'string' },
  short: { type: 'boolean', default: false },
  data: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

type ParsedOptions = ReturnType<typeof parse>

/** The options of the command line. */
export interface Options extends Omit<ParsedOptions, 'only' | 'against' | 'rounds'> {
  readonly rows: readonly Row[]
  readonly sizes: Sizes
  readonly against: Checkout | undefined
}

export const readOptions = (): Promise<Options> =>
  readOrEnd('bench', async () => {
    const given = parse()
    const against = given.against === undefined ? undefined : await otherCheckout(given.against)
    return { ...given, rows: chosenRows(given), sizes: chosenSizes(given), against }
  })

const parse = () => parseArgs({ options: OPTIONS }).values

function chosenSizes({ short, rounds }: ParsedOptions): Sizes {
  const sizes = short ? SHORT : FULL
  return rounds === undefined ? sizes : { ...sizes, rounds: wholeNumber('--rounds', rounds, 1) }
}

const chosenRows = ({ only, short }: ParsedOptions): readonly Row[] =>
  namedRows(ROWS, only) ?? ROWS.filter(({ claims, tests }) => !short || (claims.length > 0 && tests === undefined))

export const help = (): string =>
  [
    'Measures what the service costs, beside what it could cost.',
    '',
    'Usage: pnpm bench [--only ROW]... [--against DIR] [--rounds N] [--short] [--data DIR] [--json FILE]',
    '',
    '  --only ROW     measure this row only; repeat it for several',
    '  --against DIR  measure the built server of another checkout too, and print the ratios to it',
    '  --rounds N     measure each side N times instead of 5',
    '  --short        a quick check that all works but what tests run: small, once, no verdicts',
    '  --data DIR     keep the long history in DIR for the next run, instead of loading it each time',
    '  --json FILE    write all measurements to FILE',
    '',
    ...rowLines(ROWS),
  ].join('\n')
