import { limitsFrom, MalformedValue, storedObject, storedOneOf } from '@collab-spaces/domain'

/** A row as JSON: the parsed column, and the columns that its parser compares. */
export type Row = Readonly<Record<string, unknown>>

/** Parses a value as the service does. Throws for an invalid value; the message states the requirement. */
export type Parser = (value: unknown, row: Row) => unknown

/** The kind of row that an id refers to. See `references.ts` for the lookups. */
export type Target =
  | 'member'
  | 'former member'
  | 'space'
  | 'event'
  | 'decision'
  | 'security log entry'
  | 'tenant'
  | 'credential'

/** Ids in a value: the SQL that selects them from a row `s` of a tenant `n.id`, each as a text `id`. */
export interface Ids {
  readonly target: Target
  readonly select: string
}

/** The content of a column without a foreign key. */
export interface Column {
  readonly ids?: readonly Ids[]
  readonly parse?: Parser
  /** Further columns for the parser, in SQL. */
  readonly beside?: Readonly<Record<string, string>>
  /** The reason for neither lookup nor parser. */
  readonly plain?: string
}

export const one = (column: string, target: Target, where = 'true'): Column => ({
  ids: [{ target, select: `SELECT s.${column}::text AS id WHERE s.${column} IS NOT NULL AND ${where}` }],
})

export const each = (column: string, target: Target): Column => ({
  ids: [{ target, select: `SELECT unnest(s.${column})::text AS id` }],
})

export const keysOf = (column: string, target: Target): Ids => ({
  target,
  select: `SELECT e.key AS id FROM jsonb_each(CASE jsonb_typeof(s.${column}) WHEN 'object' THEN s.${column} ELSE '{}' END) e`,
})

/** The strings in a JSON list. */
export const listed = (json: string, target: Target): Ids => ({
  target,
  select: `SELECT e.value AS id FROM jsonb_array_elements_text(CASE jsonb_typeof(${json}) WHEN 'array' THEN ${json} ELSE '[]' END) e`,
})

export const parsed = (parse: Parser, ...ids: readonly Ids[]): Column => ({ parse, ids })

export const oneOf = (values: readonly string[]): Column => parsed((value) => storedOneOf(value, values))

export const object = parsed(storedObject)

/** JSON stored as text. */
export const textOf =
  (parse: Parser): Parser =>
  (value, row) =>
    parse(JSON.parse(String(value)), row)

export function required(isRight: boolean, message: string): void {
  if (!isRight) throw new MalformedValue(message)
}

export const OWN_ID: Column = { plain: 'the id of the row itself' }

export const TEXT: Column = { plain: 'text of people or programs, which nothing is looked up by' }

export const AS_SENT: Column = { plain: 'taken as it was sent: it may name any actor, and gives no right' }

export const NAMED: Column = { plain: 'a name that a client or server chose for itself' }

export const HISTORICAL: Column = {
  plain: 'a record of what was: it may name what is gone, and nothing is looked up by it',
}

/** A credential ends with its ancestors. The id of a missing credential has no effect. */
export const LINEAGE = each('created_with', 'credential')

export const limits = (column: string): Column =>
  parsed(limitsFrom, {
    target: 'space',
    // A list of spaces from a former tenant of the actor gives no access here.
    select: `SELECT e.value AS id FROM jsonb_array_elements_text(
        CASE jsonb_typeof(s.${column} -> 'space_ids') WHEN 'array' THEN s.${column} -> 'space_ids' ELSE '[]' END) e
      WHERE s.${column} ->> 'tenant_id' = n.id::text`,
  })

/** Checks hexadecimal hashes by the position of their entry. */
export function hashesFrom(value: unknown): void {
  const hashes = Object.entries(storedObject(value))
  const isHash = ([position, hash]: [string, unknown]) =>
    /^[1-9]\d{0,15}$/.test(position) && /^[0-9a-f]{64}$/.test(String(hash))
  required(hashes.every(isHash), 'must be an object of hashes by position')
}

/** The ids after `event:` or `decision:` in the subject of a work claim. */
export const inSubject = (kind: 'event' | 'decision'): Ids => ({
  target: kind,
  select: `SELECT substr(s.subject, ${kind.length + 2}) AS id WHERE s.subject LIKE '${kind}:%'`,
})
