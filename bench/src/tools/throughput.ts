import type { Figures } from '../row.js'

/** The result of a tool that sends at full speed: requests per second, and durations in milliseconds. */
export interface Throughput extends Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}
