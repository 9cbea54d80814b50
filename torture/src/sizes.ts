/** The size of one trial. The short form shows that every row works; it finds little. */
export interface Sizes {
  /** The number of concurrent rows, except those that run alone. */
  readonly sideBySide: number
  /** The duration of a row's faults. */
  readonly seconds: number
  /** The minimum of faults, however long they take. */
  readonly faults: number
  readonly writers: number
  /** The acknowledged uploads of files. */
  readonly uploads: number
  /** The readers of streams, and the number of them in rows about crowds. */
  readonly readers: number
  readonly crowd: number
  /** The duration of each attack in H1, and the number of events to read. */
  readonly secondsOfAttack: number
  readonly longEvents: number
  /** The maximum memory growth under an attack. A short attack ends before much garbage is collected. */
  readonly maxGrowthMb: number
  /**
   * The factor by which results may exceed the promised times. The short form runs on any machine under any load, so it
   * does not judge times; it still finds what never arrives.
   */
  readonly slack: number
  /** The timeout of a trial. */
  readonly limitSeconds: number
}

export const FULL: Sizes = {
  sideBySide: 1,
  seconds: 20,
  faults: 4,
  writers: 24,
  uploads: 1_000,
  readers: 30,
  crowd: 500,
  secondsOfAttack: 8,
  longEvents: 100,
  maxGrowthMb: 200,
  slack: 1,
  limitSeconds: 300,
}

export const SHORT: Sizes = {
  // Half the duration of a fault passes before it is noticed, and three rows keep two processors busy.
  sideBySide: 3,
  seconds: 1,
  faults: 1,
  writers: 8,
  uploads: 60,
  readers: 10,
  crowd: 60,
  secondsOfAttack: 0.4,
  longEvents: 10,
  maxGrowthMb: 600,
  slack: 5,
  limitSeconds: 120,
}
