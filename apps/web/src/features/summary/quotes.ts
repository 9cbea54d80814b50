/** Code: as many backticks at its end as at its beginning. */
const CODE = /((?:\\`)+)((?:\\[^`]|[^\\`])+)\1(?!\\`)/g
/** Text within code stays as it is. */
const ESCAPED = /\\([\\*_[\]<>~|#&])/g
const EMPHASIS = /\\([*_~])/g

/**
 * The built-in summary escapes all marks of those it quotes, so that it reads the same whatever shows it. Here, their
 * emphasis and code are shown as everywhere else in the page. Brackets stay escaped: citations are made of them, and
 * nobody who is quoted can write one.
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
