import type { Archive } from './service/archive.js'
import type { Checkout } from './service/checkout.js'
import type { Stage } from './service/stage.js'
import type { Sizes } from './sizes.js'
import type { Tool } from './tools/install.js'

/**
 * How the parts fit together.
 *
 * A **row** asks one question, such as what a list costs. It has **sides**: ways to do the same work, some by the
 * service, some by a baseline, each of which gives **figures** when it is measured. In each **round** every side is
 * measured once (`measure.ts`). A **claim** is what must hold of a figure: an amount, or a ratio of one side to another
 * in the same round (`verdict.ts`). `rows/` has a file for each row.
 */
export interface Row {
  readonly name: string
  readonly title: string
  /** The comparison, for readers of the table. */
  readonly about: string
  readonly tools: readonly Tool[]
  readonly claims: readonly Claim[]
  /** The tests that do the same: the short form, which judges nothing, leaves such a row to them. */
  readonly tests?: string
  /** The sides of the service. With `--against`, the other checkout is measured, too. */
  service?(bench: Bench): Promise<Sides>
  /** The sides for comparison. */
  baselines?(bench: Bench): Promise<Sides>
}

/** Sides that are ready for a measurement, by name. */
export interface Sides {
  readonly measures: Readonly<Record<string, Measure>>
  /** Whether to measure without warming up. */
  readonly cold?: boolean
  close?(): Promise<unknown>
}

/** Measures one side once. */
export type Measure = () => Promise<Figures>

/** The figures of one side in one round, such as `perSecond`, `p50` and `p99`. */
export type Figures = Readonly<Record<string, number>>

export interface Claim {
  readonly measured: string
  /** The side; of several, the worst in each round. */
  readonly side: string | readonly string[]
  readonly figure: string
  /** The side to divide by, for a ratio. */
  readonly against?: string
  readonly bound: 'at least' | 'at most'
  readonly must: number
  readonly aim: number
  /** The unit of a figure that is not a ratio. */
  readonly unit?: string
}

/** A built checkout, and the services that rows share. */
export interface Bench {
  readonly checkout: Checkout
  readonly sizes: Sizes
  stage(): Promise<Stage>
  archive(): Promise<Archive>
}
