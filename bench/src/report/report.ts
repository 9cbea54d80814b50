import { readFile, writeFile } from 'node:fs/promises'
import type { Options } from '../options.js'
import type { RowResult } from '../result.js'
import type { Checkout } from '../service/checkout.js'
import { describeMachine, type Machine } from './machine.js'
import { print } from './print.js'
import { claimTable, figureTable, ratioTable } from './tables.js'

const README = new URL('../../README.md', import.meta.url)
const BEGIN = '<!-- results -->'
const END = '<!-- end of results -->'

/** Prints what was measured, and puts it where the options say. */
export async function report(
  results: readonly RowResult[],
  { against, short, json, record, sizes }: Options,
): Promise<void> {
  const machine = await describeMachine()
  print(`\n${claimTable(results, !short)}\n\n${figureTable(results)}`)
  if (against !== undefined) print(`\n${ratioTable(results, nameOf(against))}`)
  if (json !== undefined) {
    await writeFile(
      json,
      `${JSON.stringify({ on: machine, against: against && nameOf(against), sizes, rows: results }, null, 2)}\n`,
    )
  }
  if (record) await writeReadme(results, machine, sizes.rounds)
}

const nameOf = ({ name, commit }: Checkout) => (commit === null ? name : `${name}, commit ${commit}`)

/** Puts the claims of a run into the README, in place of the one before. */
async function writeReadme(results: readonly RowResult[], machine: Machine, rounds: number): Promise<void> {
  const text = await readFile(README, 'utf8')
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`bench/README.md has no place between ${BEGIN} and ${END}`)
  const table = `${circumstances(machine, rounds)}\n\n${claimTable(results, true)}`
  await writeFile(README, `${text.slice(0, before + BEGIN.length)}\n\n${table}\n\n${text.slice(after)}`)
}

function circumstances({ date, commit, cpu, cores, memoryGiB, system, versions }: Machine, rounds: number): string {
  const programs = Object.entries(versions).flatMap(([name, version]) => (version === null ? [] : `${name} ${version}`))
  const build = commit === null ? '' : ` (commit ${commit})`
  return `Measured on ${date}${build} in ${rounds} rounds: ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}; ${programs.join(', ')}.`
}
