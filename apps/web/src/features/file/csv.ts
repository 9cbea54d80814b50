/** The number of rows and columns shown. More would block the page. */
export const MAX_ROWS = 500
export const MAX_COLUMNS = 40

/** Parses delimited text (RFC 4180). Takes the separator that the first line has most often. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const separator = separatorOf(text)
  const cell = new RegExp(`"((?:[^"]|"")*)"?[^${separator}\\r\\n]*|([^${separator}\\r\\n]*)`, 'y')
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; ) {
    cell.lastIndex = at
    const [whole = '', quoted, plain = ''] = cell.exec(text) ?? []
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    at += whole.length
    if (text[at] === separator) {
      at += 1
      if (at < text.length) continue
      row.push('')
    }
    rows.push(row)
    row = []
    at += text.startsWith('\r\n', at) ? 2 : 1
  }
  return rows
}

function separatorOf(text: string): string {
  const first = text.slice(0, text.search(/[\r\n]|$/))
  const countOf = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, next) => (countOf(next) > countOf(best) ? next : best))
}
