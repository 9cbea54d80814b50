import { isInFence } from '@collab-spaces/client'
import type { Edit } from '../../shared/browser/edit'

/** The start of a line: quotes, the indentation, and the marker of an item with the box of a task. */
const LINE_START = /^((?:[ \t]*>[ \t]?)*)([ \t]*)(?:([-*+]|\d{1,9}(?=[.)]))([.)]?[ \t]+)(\[[ xX]\][ \t]+)?)?/
const THEMATIC_BREAK = /^[ \t]*([-*])(?:[ \t]*\1){2,}[ \t]*$/
const LAST_QUOTE = />[ \t]?$/

/**
 * Returns how a new line continues the list, quote or indentation of the line above it; null if it does not. After an
 * item, a quote or an indentation without text, it ends them.
 */
export function continuationAt(text: string, caret: number): Edit | null {
  const start = text.lastIndexOf('\n', caret - 2) + 1
  const line = text.slice(start, caret - 1)
  if (THEMATIC_BREAK.test(line)) return null
  const [before = '', quotes = '', indentation = '', marker, gap = '', box] = LINE_START.exec(line) ?? []
  if (isInFence(text.slice(0, caret))) return indentation === '' ? null : inserted(caret, indentation)
  if (before === '') return null
  const isEmpty = before === line && /^(?:\n|$)/.test(text.slice(caret))
  if (isEmpty) return { from: start + keptOf(quotes, before), to: caret, insert: '' }
  return inserted(caret, quotes + indentation + (marker ? nextOf(marker) + gap + (box ? '[ ] ' : '') : ''))
}

const inserted = (at: number, insert: string): Edit => ({ from: at, to: at, insert })

const nextOf = (marker: string): string => (/\d/.test(marker) ? String(Number(marker) + 1) : marker)

/** Returns how much of an empty line remains: the quotes around its item, or all quotes but the last. */
const keptOf = (quotes: string, before: string): number =>
  (before === quotes ? quotes.replace(LAST_QUOTE, '') : quotes).length
