import { setTimeout as delay } from 'node:timers/promises'
import type { Counts, Row } from './row.js'
import type { Trial } from './trial.js'

/** The outcome of one trial. */
export interface Outcome {
  readonly skipped?: string
  readonly counts?: Counts
  readonly violations: readonly string[]
  readonly seconds: number
}

/** Runs a row once, and ends everything that it started. */
export async function attempt(row: Row, trial: Trial): Promise<Outcome> {
  const begun = performance.now()
  const skipped = await row.whyNot?.()
  if (skipped !== undefined) return { skipped, violations: [], seconds: 0 }
  let counts: Counts | undefined
  try {
    counts = await Promise.race([row.run(trial), tooLong(row.limitSeconds ?? trial.sizes.limitSeconds)])
  } catch (error) {
    // A failed trial is a finding, too.
    trial.violations.push(error instanceof Error ? `${error.message}${causeOf(error)}` : String(error))
  }
  trial.violations.push(...trial.crashes)
  await trial.cleanup.run()
  const seconds = (performance.now() - begun) / 1_000
  return {
    violations: trial.violations.map((violation) => trial.explained(violation)),
    seconds,
    ...(counts && { counts }),
  }
}

async function tooLong(seconds: number): Promise<never> {
  await delay(seconds * 1_000, undefined, { ref: false })
  throw new Error(`The trial did not end within ${seconds} s`)
}

const causeOf = ({ cause }: Error) => (cause instanceof Error ? `: ${cause.message}` : '')
