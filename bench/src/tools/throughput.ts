import type { Figures } from '../row.js'

/** The finding of a tool that sends at full speed: how many a second, and how long one took in milliseconds. */
export interface Throughput extends Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}
