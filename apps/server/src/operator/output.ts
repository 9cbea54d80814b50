import { presentSelf } from '@collab-spaces/api'
import type { ActorRecord, Listing } from '@collab-spaces/db'
import { DEFAULT_TENANT } from '@collab-spaces/domain'
import type { CommandContext, OutputFlags } from './context.js'

/** Prints a result: as JSON for scripts, in lines for humans. */
export function print({ say }: CommandContext, { json }: OutputFlags, value: unknown, lines: readonly string[]): void {
  for (const line of json ? [JSON.stringify(value, null, 2)] : lines) say(line.replace(CONTROLS, '\ufffd'))
}

/** A list of any length: what its rows are in JSON, and in columns of text, whose widths are known beforehand. */
interface ListForm<Row> {
  readonly present: (row: Row) => unknown
  readonly columns: Readonly<Record<string, number>>
  readonly cells: (row: Row) => readonly string[]
}

/** The same for a list of any length, a page at a time. */
export async function printList<Row>(
  { say }: CommandContext,
  { json }: OutputFlags,
  rows: Listing<Row>,
  form: ListForm<Row>,
): Promise<void> {
  for await (const line of json ? jsonLines(rows, form) : textLines(rows, form)) say(line.replace(CONTROLS, '\ufffd'))
}

async function* jsonLines<Row>(rows: Listing<Row>, { present }: ListForm<Row>): AsyncGenerator<string> {
  let last: string | null = null
  yield '['
  for await (const row of each(rows)) {
    if (last !== null) yield `${last},`
    last = JSON.stringify(present(row), null, 2).replace(/^/gm, '  ')
  }
  if (last !== null) yield last
  yield ']'
}

async function* textLines<Row>(rows: Listing<Row>, { columns, cells }: ListForm<Row>): AsyncGenerator<string> {
  const widths = Object.values(columns)
  yield lineOf(Object.keys(columns), widths)
  for await (const row of each(rows)) yield lineOf(cells(row), widths)
}

async function* each<Row>({ first, rest }: Listing<Row>): AsyncGenerator<Row> {
  yield* first
  for await (const page of rest ?? []) yield* page
}

/** Characters that must not reach a terminal in names, as they could move the cursor or hide text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Columns of text, each as wide as its widest cell. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = heading.map((name, column) => Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)))
  return [heading, ...rows].map((row) => lineOf(row, widths))
}

const lineOf = (row: readonly string[], widths: readonly number[]) =>
  row
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd()

/** One line per name and value. */
export function fields(values: Readonly<Record<string, string | number | null>>): string[] {
  const width = Math.max(...Object.keys(values).map((name) => name.length))
  return Object.entries(values).map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}`)
}

export const nameOfTenant = (tenantId: string) =>
  tenantId === DEFAULT_TENANT ? 'the shared default tenant' : `tenant ${tenantId}`

/** Presents an actor for the operator, internal fields included. */
export const presentForOperator = (actor: ActorRecord) => ({
  ...presentSelf(actor),
  is_admin: actor.isAdmin,
  disabled_at: actor.disabledAt?.toISOString() ?? null,
  installation_id: actor.connection?.installationId ?? null,
  connected_at: actor.connection?.connectedAt.toISOString() ?? null,
})
