import { isJsonObject } from '@collab-spaces/domain'

/** The timestamp format in the JSON of events and acts, in SQL. */
export const timestamp = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The row of an act, and its JSON. */
export interface CheckedAct {
  readonly wire: string
  /** The columns that duplicate JSON fields, by field name. */
  readonly columns: Readonly<Record<string, string | number | null>>
}

export type ActJson = Readonly<Record<string, unknown>>

/** Parses the JSON of an act; undefined if it is not an object. Yields the problem, if any. */
export function* readAct({ wire, columns }: CheckedAct): Generator<string, ActJson | undefined> {
  const value = parsed(wire)
  const act = isJsonObject(value) ? (value as ActJson) : undefined
  const wrong = Object.entries(columns).filter(([name, value]) => act?.[name] !== value)
  if (act === undefined) yield `act ${columns.position} cannot be read: it is not JSON`
  else if (wrong.length > 0) {
    yield `act ${columns.position} cannot be read: ${wrong.map(([name]) => name).join(', ')} differs from the column`
  }
  return act
}

function parsed(wire: string): unknown {
  try {
    return JSON.parse(wire)
  } catch {
    return undefined
  }
}

/** The row of an event, and its JSON. */
export interface CheckedEvent {
  readonly position: number
  readonly timestamp: string
  readonly wire: string
  /** The columns that duplicate JSON fields, by field name. */
  readonly columns: Readonly<Record<string, string | null>>
}

/** Returns why the JSON of an event is invalid or differs from its row; undefined if it matches. */
export function whyUnreadable({ wire, timestamp, columns }: Omit<CheckedEvent, 'position'>): string | undefined {
  let event: unknown
  try {
    event = JSON.parse(wire)
  } catch {
    return 'it is not JSON'
  }
  if (!isJsonObject(event)) return 'it is not an object'
  const fields: Readonly<Record<string, unknown>> = event
  const expected = Object.entries({ ...columns, timestamp })
  const wrong = expected.filter(([name, value]) => fields[name] !== value).map(([name]) => name)
  return wrong.length === 0 ? undefined : `${wrong.join(', ')} differs from the column`
}
