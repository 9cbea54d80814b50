#!/usr/bin/env node
import { print, runAndEnd } from '@collab-spaces/testing/programs'
import { openBench } from './bench.js'
import { cleanup } from './cleanup.js'
import { measureRow } from './measure.js'
import { help, readOptions } from './options.js'
import { report } from './report/report.js'
import type { RowResult } from './result.js'
import { OWN } from './service/checkout.js'

/** `pnpm bench`: measures rows one after the other and prints their results. `row.ts` defines a row. */
async function main(): Promise<void> {
  const options = await readOptions()
  if (options.help) return print(help())
  if (options.short) print('The short form: fewer events, spaces and readers than the titles say, and no verdicts.')

  const own = openBench(OWN, options)
  const against = options.against && openBench(options.against, options)
  const results: RowResult[] = []
  for (const row of options.rows) {
    print(row.title)
    results.push(await measureRow(row, own, against))
  }
  await report(results, options)

  const failed = results.some((result) => result.failed !== undefined)
  const missed = results.some(({ verdicts }) => verdicts.some(({ verdict }) => verdict === 'missed'))
  if (failed || (missed && !options.short)) process.exitCode = 1
}

await runAndEnd(main, () => cleanup.run())
