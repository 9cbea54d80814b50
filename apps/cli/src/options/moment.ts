import { InvalidArgumentError } from '@commander-js/extra-typings'

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

const AMOUNT = /^(\d{1,5})([smhdw])$/
const YEAR = /^\d{4}-/

/** The forms of a time option, for its help. */
export const MOMENTS = 'now, 2h, 3d, or ISO 8601 such as 2026-11-21T09:00Z (UTC unless it names a zone)'

/** Parses an option for a time in the past: `2h` ago, `3d` ago, or a date, which the service checks. */
export const past = (given: string, _earlier?: string): string => moment(given, -1)

/** Parses an option for a time in the future: `2h` from now, `3d` from now, or a date. */
export const future = (given: string, _earlier?: string): string => moment(given, 1)

function moment(given: string, direction: -1 | 1): string {
  if (given === 'now') return new Date().toISOString()
  if (YEAR.test(given)) return given
  const [, amount, unit] = AMOUNT.exec(given) ?? []
  if (!unit) throw new InvalidArgumentError(`It must be ${MOMENTS}.`)
  return new Date(Date.now() + direction * Number(amount) * UNITS[unit as keyof typeof UNITS]).toISOString()
}
