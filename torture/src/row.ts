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
  /** Whether concurrent rows would falsify its findings, however long its timeouts are. */
  readonly runsAlone?: true
  /** Whether it mostly waits. Of concurrent rows, such a row starts first, so that it does not prolong the run. */
  readonly waitsLong?: true
  /** The tests that make the same attacks: the short form leaves such a row to them. */
  readonly tests?: string
  /** The timeout of a trial in seconds, if it differs from that of other rows. */
  readonly limitSeconds?: number
  /** Returns why this machine cannot run it, if it cannot. */
  whyNot?(): Promise<string | undefined>
  run(trial: Trial): Promise<Counts>
}

/** The counts of a run, for the line that is printed. */
export type Counts = Readonly<Record<string, number | string>>
