/** Escaped inline code: as many backticks at its end as at its start. */
const CODE = /((?:\\`)+)((?:\\[^`]|[^\\`])+)\1(?!\\`)/g
/** Escaped marks, which code shows literally. */
const ESCAPED = /\\([\\*_[\]<>~|#&])/g
const EMPHASIS = /\\([*_~])/g

/**
 * Unescapes emphasis and code in quotes of the built-in summary, which escapes all marks in them. Brackets stay
 * escaped, so that quoted text cannot contain a citation.
 */
export function withQuotedMarks(summary: string): string {
  let shown = ''
  let from = 0
  for (const { 0: found, 1: ticks = '', 2: code = '', index } of summary.matchAll(CODE)) {
    shown += emphasized(summary.slice(from, index))
    shown += ticks.replaceAll('\\', '') + code.replace(ESCAPED, '$1') + ticks.replaceAll('\\', '')
    from = index + found.length
  }
  return shown + emphasized(summary.slice(from))
}

const emphasized = (text: string) => text.replace(EMPHASIS, '$1')
