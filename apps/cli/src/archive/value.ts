/** Values of another service's JSON: anything may be missing, or of another kind. */

export type Value = Readonly<Record<string, unknown>>

export const objectOf = (value: unknown): Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Value) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A text or a number as a text; '' for anything else. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

/** The number of a service's reactions. */
export const countOf = (reactions: unknown): number =>
  listOf(reactions).reduce<number>((sum, one) => {
    const { count, users } = objectOf(one)
    return sum + (typeof count === 'number' ? count : Array.isArray(users) ? users.length : 1)
  }, 0)

/** What is left out of every export. */
export const LEFT_OUT = {
  reactions: 'reactions',
  notices: 'notices of the service, such as of joining a channel',
  direct: 'direct messages',
  empty: 'messages without text and files',
  repeated: 'messages that the export has twice',
  unreadable: 'messages without a time',
} as const
