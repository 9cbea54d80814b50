/** How much is measured. The short form only shows that everything works, and roughly where the ratios lie. */

export interface Sizes {
  readonly rounds: number
  /** Whether each side is measured once before it counts. */
  readonly warmUp: boolean
  /** Of one side in one round. */
  readonly seconds: number
  /** Of one kind of search or view in one round. */
  readonly secondsOfOne: number
  /** How many kinds of search, of those for each claim. */
  readonly searchesPerClaim: number
  /** How many different requests a view or a decision is asked for by, each of which is sent once before it counts. */
  readonly requestsPerView: number
  /** The same of the pages of one history. */
  readonly pagesOfHistory: number
  /** How often memory is sampled, once a second, without finding it smaller. */
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
  memorySamples: 5,

  spaces: 100,
  eventsInSpace: 1_000,
  unread: 10_000,

  events: 5_000_000,
  eventsInBig: 1_000_000,
  eventsInSmall: 10_000,
  eventsOfYoung: 10_000,

  readers: 5_000,
  eventsPerSecond: 100,
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

  readers: 200,
  eventsPerSecond: 50,
  streamSeconds: 1,
}
