import type { SideRatio, SideSummary, Verdict } from './verdict.js'

/** The result of a row. */
export interface RowResult {
  readonly name: string
  readonly title: string
  /** Why it was not measured. */
  readonly skipped?: string
  /** The failure while it was measured. */
  readonly failed?: string
  readonly verdicts: readonly Verdict[]
  readonly sides: readonly SideSummary[]
  /** With `--against`: each side of the service, as a multiple of the same side of the other checkout. */
  readonly ratios: readonly SideRatio[]
}
