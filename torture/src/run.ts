#!/usr/bin/env node
import { Cleanup, print, runAndEnd } from '@collab-spaces/testing/programs'
import { attempt, type Outcome } from './attempt.js'
import { help, type Options, readOptions } from './options.js'
import type { Row } from './row.js'
import { type Postgres, startPostgres } from './service/postgres.js'
import { Trial } from './trial.js'

/** `pnpm torture`: runs rows and prints their results. `row.ts` defines a row. */

const everything = new Cleanup()
const current = new Set<Trial>()
let shared: Promise<Postgres> | undefined

/** For the trials that do it no harm. */
function sharedPostgres(sizes: Options['sizes']): Promise<Postgres> {
  shared ??= openPostgres(new Trial(sizes, 0, () => Promise.reject(new Error('it is not there yet'))))
  return shared
}

async function openPostgres(owner: Trial): Promise<Postgres> {
  everything.add(() => owner.cleanup.run())
  const postgres = await startPostgres(await owner.directory())
  owner.cleanup.add(postgres.stop)
  return postgres
}

async function main({ rows, sizes, seed, minutes }: Options): Promise<boolean> {
  const deadline = performance.now() + minutes * 60_000
  let isSound = true
  for (let round = 0; round === 0 || performance.now() < deadline; round++) {
    print(`Seed ${seed + round}`)
    const runOne = async (row: Row) => {
      if (round > 0 && performance.now() >= deadline) return
      if (!(await isKept(row, sizes, seed + round))) isSound = false
    }
    await inTurns(
      rows.filter(({ runsAlone }) => runsAlone),
      1,
      runOne,
    )
    const beside = rows.filter(({ runsAlone }) => !runsAlone)
    const longFirst = [...beside.filter(({ waitsLong }) => waitsLong), ...beside.filter(({ waitsLong }) => !waitsLong)]
    await inTurns(longFirst, sizes.sideBySide, runOne)
  }
  return isSound
}

/** Runs a number of them at a time, in their order. */
async function inTurns(rows: readonly Row[], sideBySide: number, run: (row: Row) => Promise<void>): Promise<void> {
  const left = rows.values()
  const runOn = async () => {
    for (const row of left) await run(row)
  }
  await Promise.all(Array.from({ length: sideBySide }, runOn))
}

/** Runs a row, and prints its result. */
async function isKept(row: Row, sizes: Options['sizes'], seed: number): Promise<boolean> {
  const trial = new Trial(sizes, seedOf(row, seed), () => sharedPostgres(sizes))
  current.add(trial)
  const outcome = await attempt(row, trial)
  current.delete(trial)
  print(line(row, outcome))
  for (const violation of outcome.violations) print(`     ${violation}`)
  return outcome.violations.length === 0
}

/** Each row has a dedicated seed, so that it makes the same choices when it runs alone. */
const seedOf = ({ name }: Row, seed: number) =>
  [...name].reduce((sum, character) => sum * 31 + character.charCodeAt(0), seed)

function line({ name, title }: Row, { skipped, violations, seconds, counts = {} }: Outcome): string {
  if (skipped !== undefined) return `${name}  skipped: ${skipped}`
  const verdict = violations.length === 0 ? 'kept' : 'BROKEN'
  const seen = Object.entries(counts).map(([what, count]) => `${what} ${count.toLocaleString('en')}`)
  return `${name}  ${verdict} in ${seconds.toFixed(0)} s: ${title}. ${seen.join(', ')}`
}

async function endAll(): Promise<void> {
  await Promise.all([...current].map(({ cleanup }) => cleanup.run()))
  await everything.run()
}

const options = await readOptions()
if (options.help) print(help())
else {
  const isSound = await runAndEnd(() => main(options), endAll)
  // Connections that a frozen or hostile trial has left behind hold no actor up.
  process.exit(isSound ? 0 : 1)
}
