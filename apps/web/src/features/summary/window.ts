/** The period of a summary. */
export type Window = 'day' | 'week' | 'all' | 'days'

/** Dates as in date fields. */
interface Days {
  readonly first: string
  readonly last: string
}

const DAY_MS = 86_400_000

/** Returns the period as the API takes it. Without a start, it begins with the space. */
export function windowOf(window: Window, { first, last }: Days, now: number): { start?: string; end: string } {
  const end = new Date(now).toISOString()
  switch (window) {
    case 'day':
      return { start: new Date(now - DAY_MS).toISOString(), end }
    case 'week':
      return { start: new Date(now - 7 * DAY_MS).toISOString(), end }
    case 'all':
      return { end }
    case 'days':
      return {
        start: new Date(`${first}T00:00`).toISOString(),
        end: new Date(`${last}T23:59:59.999`).toISOString(),
      }
  }
}
