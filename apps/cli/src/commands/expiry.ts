import { InvalidArgumentError } from '@commander-js/extra-typings'

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** For an option that is a moment to come: as far from now as it says, or a date, which the service understands. */
export function expiry(value: string, _earlier?: string): string {
  const [, count, unit = ''] = /^(\d{1,4})([mhdw])$/.exec(value) ?? []
  if (count !== undefined) return new Date(Date.now() + Number(count) * (UNITS[unit] as number)).toISOString()
  if (!Number.isNaN(Date.parse(value))) return value
  throw new InvalidArgumentError('It must be a date such as 2030-01-31, or a time from now such as 30m, 12h, 3d or 2w.')
}
