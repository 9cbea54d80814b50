import type { Figures } from '../row.js'

/** What a tool that sends at full speed finds: how many a second, and how long one took in milliseconds. */
export interface Throughput extends Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}
