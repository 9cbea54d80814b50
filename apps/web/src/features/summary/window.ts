/** Which part of a history somebody wants summarized. */
export type Window = 'day' | 'week' | 'all' | 'days'

/** Days as date fields give them. */
interface Days {
  readonly first: string
  readonly last: string
}

const DAY_MS = 86_400_000

/** The window as the service takes it. Without a start, it begins where the space does. */
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
