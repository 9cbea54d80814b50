import { InvalidArgumentError } from '@commander-js/extra-typings'

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

const AMOUNT = /^(\d{1,5})([smhdw])$/
const YEAR = /^\d{4}-/

/** What an option that takes a moment may be, for its help. */
export const MOMENTS = 'now, 2h, 3d, or ISO 8601 such as 2026-11-21T09:00Z (UTC without a zone)'

/** For an option that takes a moment that has been: `2h` ago, `3d` ago, or a date, which the service understands. */
export const past = (given: string, _earlier?: string): string => moment(given, -1)

/** For an option that takes a moment to come: `2h` from now, `3d` from now, or a date. */
export const coming = (given: string, _earlier?: string): string => moment(given, 1)

function moment(given: string, direction: -1 | 1): string {
  if (given === 'now') return new Date().toISOString()
  if (YEAR.test(given)) return given
  const [, amount, unit] = AMOUNT.exec(given) ?? []
  if (!unit) throw new InvalidArgumentError(`It must be ${MOMENTS}.`)
  return new Date(Date.now() + direction * Number(amount) * UNITS[unit as keyof typeof UNITS]).toISOString()
}
