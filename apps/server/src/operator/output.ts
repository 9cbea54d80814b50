import { DEFAULT_SCOPE } from '@collab-spaces/domain'
import type { CommandContext, OutputFlags } from './context.js'

/** Prints a result: as JSON for scripts, in lines for people. */
export function print({ say }: CommandContext, { json }: OutputFlags, value: unknown, lines: readonly string[]): void {
  for (const line of json ? [JSON.stringify(value, null, 2)] : lines) say(line.replace(CONTROLS, '\ufffd'))
}

/** Names are other people's text, and must not move the cursor of a terminal or hide something. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Columns of text, each as wide as its widest cell. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = heading.map((name, column) => Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)))
  return [heading, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** One line per name and value. */
export function fields(values: Readonly<Record<string, string | number | null>>): string[] {
  const width = Math.max(...Object.keys(values).map((name) => name.length))
  return Object.entries(values).map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}`)
}

export const nameOfScope = (scope: string) => (scope === DEFAULT_SCOPE ? 'the shared default scope' : `tenant ${scope}`)
