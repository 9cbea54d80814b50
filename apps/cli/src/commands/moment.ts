const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

const AGO = /^(\d{1,6})([smhdw])$/

/** For the help of an option that takes a moment. */
export const MOMENTS = 'such as 2h, 3d, now, 2026-11-21T09:00Z (ISO 8601; UTC without a zone)'

/** A moment as people say it: `2h` ago, `3d` ago, `now`. Anything else is ISO 8601, which the server reads. */
export function moment(given: string): string {
  if (given === 'now') return new Date().toISOString()
  const [, amount, unit] = AGO.exec(given) ?? []
  if (!unit) return given
  return new Date(Date.now() - Number(amount) * UNITS[unit as keyof typeof UNITS]).toISOString()
}
