import type { RowResult } from '../result.js'
import type { Figures } from '../row.js'
import type { Spread } from '../verdict.js'
import { formatNumber } from './numbers.js'

/** The results, as Markdown. */

/** Returns the table of claims with their results. */
export function claimTable(results: readonly RowResult[], judged: boolean): string {
  const head = ['Row', 'Measured', 'Against', 'Must', 'Aim', 'Median', 'Rounds', ...(judged ? ['Verdict'] : [])]
  return table([head, ...results.flatMap((result) => claimLines(result, judged))])
}

function claimLines({ name, title, skipped, failed, verdicts }: RowResult, judged: boolean): string[][] {
  const reason = skipped !== undefined ? `skipped: ${skipped}` : failed !== undefined ? `failed: ${failed}` : undefined
  if (reason !== undefined) return [[code(name), title, '', '', '', reason, '', ...(judged ? [''] : [])]]
  return verdicts.map(({ measured, against = '', bound, unit, must, aim, median, least, most, verdict }) => {
    const sign = bound === 'at least' ? '≥' : '≤'
    return [
      code(name),
      measured,
      against,
      `${sign} ${withUnit(must, unit)}`,
      `${sign} ${withUnit(aim, unit)}`,
      `**${withUnit(median, unit)}**`,
      `${withUnit(least, unit)} to ${withUnit(most, unit)}`,
      ...(judged ? [verdict === 'missed' ? '**missed**' : verdict] : []),
    ]
  })
}

/** Returns the table of figures. */
export function figureTable(results: readonly RowResult[]): string {
  const lines = results.flatMap(({ name, sides }) =>
    sides.map(({ side, figures }) => [
      code(name),
      side,
      Object.entries(figures)
        .map(([figure, spread]) => `${labelOf(figure)} ${spreadText(spread, formatNumber)}`)
        .join('; '),
    ]),
  )
  return table([['Row', 'Side', 'Figures: median (least to most)'], ...lines])
}

/** Returns the table of ratios to the other checkout. */
export function ratioTable(results: readonly RowResult[], other: string): string {
  const lines = results.flatMap(({ name, ratios }) =>
    ratios.map(({ side, figure, ...spread }) => [code(name), side, labelOf(figure), spreadText(spread, times)]),
  )
  return table([['Row', 'Side', 'Figure', `Multiple of ${other}: median (least to most)`], ...lines])
}

/** Returns the figures of one side in one round as a line. */
export const figuresLine = (figures: Figures): string =>
  Object.entries(figures)
    .map(([figure, value]) => `${labelOf(figure)} ${formatNumber(value)}`)
    .join(', ')

/** Formats a table, with column names in the first row. */
function table([head = [], ...rest]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rest].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const LABELS: Readonly<Record<string, string>> = {
  perSecond: 'per second',
  p50: 'p50 ms',
  p99: 'p99 ms',
  serverMicroseconds: 'server µs each',
  databaseMicroseconds: 'database µs each',
}

const labelOf = (figure: string) => LABELS[figure] ?? figure

const code = (text: string) => `\`${text}\``

const times = (value: number) => `${value.toFixed(2)}×`

const withUnit = (value: number, unit: string | undefined) =>
  unit === undefined ? times(value) : `${formatNumber(value)} ${unit}`

const spreadText = ({ median, least, most }: Spread, format: (value: number) => string) =>
  `${format(median)} (${format(least)} to ${format(most)})`
