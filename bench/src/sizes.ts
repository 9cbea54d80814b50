/** The amount of measurements. The short form only shows that everything works, and approximate ratios. */

export interface Sizes {
  readonly rounds: number
  /** Whether to measure each side once for warming up. */
  readonly warmUp: boolean
  /** The seconds of one side in one round. */
  readonly seconds: number
  /** The seconds of one kind of search or view in one round. */
  readonly secondsOfOne: number
  /** The number of kinds of search for each claim. */
  readonly searchesPerClaim: number
  /** The number of different requests for a view or decision, each of which is sent once before the measurement. */
  readonly requestsPerView: number
  /** The number of different pages of one history. */
  readonly pagesOfHistory: number
  /** The number of memory samples, one per second, without a decrease. */
  readonly memorySamples: number

  /** The spaces that most rows are measured on. */
  readonly spaces: number
  readonly eventsInSpace: number
  /** The events that wait in the inbox of one agent. */
  readonly unread: number

  /** A long history: in all tenants, in the big space, and in the small spaces beside it. */
  readonly events: number
  readonly eventsInBig: number
  readonly eventsInSmall: number
  /** The space that the big one is compared with. */
  readonly eventsOfYoung: number

  /** The transfers of files at a time, and the size of each file. */
  readonly transfers: number
  readonly fileBytes: number

  readonly readers: number
  readonly eventsPerSecond: number
  readonly streamSeconds: number
}

export const FULL: Sizes = {
  rounds: 5,
  warmUp: true,
  seconds: 5,
  secondsOfOne: 2,
  searchesPerClaim: Number.POSITIVE_INFINITY,
  requestsPerView: 100,
  pagesOfHistory: 1_000,
  memorySamples: 10,

  spaces: 100,
  eventsInSpace: 1_000,
  unread: 10_000,

  events: 5_000_000,
  eventsInBig: 1_000_000,
  eventsInSmall: 10_000,
  eventsOfYoung: 10_000,

  transfers: 50,
  fileBytes: 25 * 1024 * 1024,

  readers: 5_000,
  eventsPerSecond: 50,
  streamSeconds: 10,
}

export const SHORT: Sizes = {
  rounds: 1,
  warmUp: false,
  seconds: 0.3,
  secondsOfOne: 0.3,
  searchesPerClaim: 1,
  requestsPerView: 5,
  pagesOfHistory: 20,
  memorySamples: 1,

  spaces: 20,
  eventsInSpace: 100,
  unread: 500,

  events: 2_000,
  eventsInBig: 1_000,
  eventsInSmall: 500,
  eventsOfYoung: 500,

  transfers: 10,
  fileBytes: 1024 * 1024,

  readers: 200,
  eventsPerSecond: 50,
  streamSeconds: 1,
}
