import type { Trial } from './trial.js'

/**
 * How the parts fit together.
 *
 * A **row** attacks one promise of the service, for real: it kills, freezes, cuts, fills or floods. A **trial** is one
 * run of a row (`trial.ts`): it has the random numbers of its seed, what it starts it ends, and a broken promise is a
 * **violation** of it. A **load** (`load/`) writes and reads meanwhile and notes what it was answered; the **checker**
 * (`checker/`) compares those notes with what is stored. `rows/` has a file for each row.
 */
export interface Row {
  /** As in docs/reliability.md. */
  readonly name: string
  readonly title: string
  /** The attack, and the promise that must hold. */
  readonly about: string
  /** Whether other rows beside it would be to blame for what it finds, however patient it is. */
  readonly runsAlone?: true
  /** Whether it mostly waits: of those that run side by side it begins first, so that the end is not one long row. */
  readonly waitsLong?: true
  /** After this many seconds a trial has failed, where that is not what it is for the others. */
  readonly limitSeconds?: number
  /** Why this machine cannot run it, where that is so. */
  whyNot?(): Promise<string | undefined>
  run(trial: Trial): Promise<Counts>
}

/** The counts of a run, for the line that is printed. */
export type Counts = Readonly<Record<string, number | string>>
