/** How much is measured. The short form only shows that everything works, and where about the ratios lie. */

/** @typedef {typeof FULL} Sizes */

export const FULL = {
  rounds: 5,
  /** Whether each side is measured once before it counts. */
  warmUp: true,
  /** Of one side in one round. */
  seconds: 5,
  /** Of one kind of search or view in one round. */
  secondsOfOne: 2,
  /** Every kind of search, or every seventh, which is some of each claim. */
  searchStep: 1,
  /** How often memory is looked at, once a second, without finding it smaller. */
  looksAtMemory: 5,

  /** What most rows are measured on. */
  spaces: 100,
  eventsInSpace: 1_000,

  /** A long history: in all tenants, in the big space, and in the small spaces beside it. */
  events: 5_000_000,
  eventsInBig: 1_000_000,
  eventsInSmall: 10_000,
  /** What the big space is compared with. */
  eventsOfYoung: 10_000,

  readers: 5_000,
  readersBesidePeer: 1_000,
  eventsPerSecond: 100,
  streamSeconds: 10,
}

/** @type {Sizes} */
export const SHORT = {
  rounds: 1,
  warmUp: false,
  seconds: 1,
  secondsOfOne: 1,
  searchStep: 7,
  looksAtMemory: 2,

  spaces: 20,
  eventsInSpace: 200,

  events: 20_000,
  eventsInBig: 10_000,
  eventsInSmall: 1_000,
  eventsOfYoung: 1_000,

  readers: 200,
  readersBesidePeer: 100,
  eventsPerSecond: 50,
  streamSeconds: 2,
}
