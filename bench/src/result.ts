import type { SideRatio, SideSummary, Verdict } from './verdict.js'

/** The result of a row. */
export interface RowResult {
  readonly name: string
  readonly title: string
  /** The reason for skipping it. */
  readonly skipped?: string
  /** The error during the measurement. */
  readonly failed?: string
  readonly verdicts: readonly Verdict[]
  readonly sides: readonly SideSummary[]
  /** With `--against`: the ratios of the service's sides to those of the other checkout. */
  readonly ratios: readonly SideRatio[]
}
