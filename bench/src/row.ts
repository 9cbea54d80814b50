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
  /** The comparison, for an actor who reads the table. */
  readonly about: string
  readonly tools: readonly Tool[]
  readonly claims: readonly Claim[]
  /** The sides of the service. With `--against` they are opened for the other checkout, too. */
  service?(bench: Bench): Promise<Sides>
  /** The sides that it is compared with. */
  baselines?(bench: Bench): Promise<Sides>
}

/** Sides that are ready to be measured, by their names. */
export interface Sides {
  readonly measures: Readonly<Record<string, Measure>>
  /** Whether each measurement stands for itself, so that none is made to warm up. */
  readonly cold?: boolean
  close?(): Promise<unknown>
}

/** Measures one side, once. */
export type Measure = () => Promise<Figures>

/** The figures of one side in one round, such as `perSecond`, `p50` and `p99`. */
export type Figures = Readonly<Record<string, number>>

export interface Claim {
  readonly measured: string
  /** Of several sides, the one that does worst in each round. */
  readonly side: string | readonly string[]
  readonly figure: string
  /** The side that it is a multiple of. */
  readonly against?: string
  readonly bound: 'at least' | 'at most'
  readonly must: number
  readonly aim: number
  /** Of a figure that is not a ratio. */
  readonly unit?: string
}

/** The bench that rows are measured with: a built checkout, and what is started of it for the first row that asks. */
export interface Bench {
  readonly checkout: Checkout
  readonly sizes: Sizes
  stage(): Promise<Stage>
  archive(): Promise<Archive>
}
