import { writeFile } from 'node:fs/promises'
import { print } from '@collab-spaces/testing/programs'
import type { Options } from '../options.js'
import type { RowResult } from '../result.js'
import type { Checkout } from '../service/checkout.js'
import { describeMachine } from './machine.js'
import { claimTable, figureTable, ratioTable } from './tables.js'

/** Prints the results, and writes them to the file of the options. */
export async function report(results: readonly RowResult[], { against, short, json, sizes }: Options): Promise<void> {
  print(`\n${claimTable(results, !short)}\n\n${figureTable(results)}`)
  if (against !== undefined) print(`\n${ratioTable(results, nameOf(against))}`)
  if (json === undefined) return
  const on = await describeMachine()
  await writeFile(
    json,
    `${JSON.stringify({ on, against: against && nameOf(against), sizes, rows: results }, null, 2)}\n`,
  )
}

const nameOf = ({ name, commit }: Checkout) => (commit === null ? name : `${name}, commit ${commit}`)
