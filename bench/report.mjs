import { readFile, writeFile } from 'node:fs/promises'
import { shown } from './numbers.mjs'

/** What was measured, as Markdown and in the README. */

/** @import { Measured } from './run.mjs' */

const README = new URL('README.md', import.meta.url)
const BEGIN = '<!-- results -->'
const END = '<!-- end of results -->'

/** @param {readonly (readonly string[])[]} lines The first names the columns. */
function table(lines) {
  const [head = [], ...rest] = lines
  return [head, head.map(() => '---'), ...rest].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** @param {number} value @param {string | undefined} unit */
const withUnit = (value, unit) => (unit === undefined ? `${value.toFixed(2)}×` : `${shown(value)} ${unit}`)

/** The claims, each with what came of it. @param {readonly Measured[]} measured @param {boolean} judged */
export function claimTable(measured, judged) {
  const head = ['Row', 'Measured', 'Against', 'Must', 'Aim', 'Median', 'Rounds', ...(judged ? ['Verdict'] : [])]
  return table([head, ...measured.flatMap((row) => claimLines(row, judged))])
}

/** @param {Measured} row @param {boolean} judged @returns {string[][]} */
function claimLines({ name, title, skipped, failed, verdicts }, judged) {
  const reason = skipped !== undefined ? `skipped: ${skipped}` : failed !== undefined ? `failed: ${failed}` : undefined
  if (reason !== undefined) return [[`\`${name}\``, title, '', '', '', reason, '', ...(judged ? [''] : [])]]
  return verdicts.map(({ measured, against = '', bound, unit, must, aim, value, least, most, verdict }) => {
    const sign = bound === 'at least' ? '≥' : '≤'
    return [
      `\`${name}\``,
      measured,
      against,
      `${sign} ${withUnit(must, unit)}`,
      `${sign} ${withUnit(aim, unit)}`,
      `**${withUnit(value, unit)}**`,
      `${withUnit(least, unit)} to ${withUnit(most, unit)}`,
      ...(judged ? [verdict === 'missed' ? '**missed**' : verdict] : []),
    ]
  })
}

/** What each side gave, in figures of its own. @param {readonly Measured[]} measured */
export function figureTable(measured) {
  return table([
    ['Row', 'Side', 'Figures: median (least to most)'],
    ...measured.flatMap(({ name, sides }) =>
      sides.map(({ side, figures }) => [
        `\`${name}\``,
        side,
        Object.entries(figures)
          .map(
            ([figure, { median, least, most }]) =>
              `${LABELS[figure] ?? figure} ${shown(median)} (${shown(least)} to ${shown(most)})`,
          )
          .join('; '),
      ]),
    ),
  ])
}

/** @type {Readonly<Record<string, string>>} */
const LABELS = {
  perSecond: 'per second',
  p50: 'p50 ms',
  p99: 'p99 ms',
  heardPerSecond: 'heard by all per second',
  serverMicroseconds: 'server µs each',
  databaseMicroseconds: 'database µs each',
}

/** @param {Record<string, unknown>} on @param {number} rounds */
function circumstances(on, rounds) {
  const { date, commit, cpu, cores, memoryGiB, system, ...versions } = on
  const programs = Object.entries(versions).flatMap(([name, version]) => (version === null ? [] : `${name} ${version}`))
  const build = commit === null ? '' : ` (commit ${commit})`
  return `Measured on ${date}${build} in ${rounds} rounds: ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}; ${programs.join(', ')}.`
}

/** Puts a run into the README, in the place of the one before. @param {readonly Measured[]} measured @param {Record<string, unknown>} on @param {number} rounds */
export async function record(measured, on, rounds) {
  const text = await readFile(README, 'utf8')
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`bench/README.md has no place between ${BEGIN} and ${END}`)
  const results = [circumstances(on, rounds), claimTable(measured, true), figureTable(measured)].join('\n\n')
  await writeFile(README, `${text.slice(0, before + BEGIN.length)}\n\n${results}\n\n${text.slice(after)}`)
}
