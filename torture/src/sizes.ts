/** How much one trial does. The short form shows that every row works; it finds little. */
export interface Sizes {
  /** How many rows run side by side, but for those that run alone. */
  readonly sideBySide: number
  /** How long a row goes on with its faults. */
  readonly seconds: number
  /** How many faults it needs at least, however long they take. */
  readonly faults: number
  readonly writers: number
  /** Readers of streams; crowds of them in the rows that are about crowds. */
  readonly readers: number
  readonly crowd: number
  /** Of each attack in H1, and how much there is to read. */
  readonly secondsOfAttack: number
  readonly longEvents: number
  /** The most that an attack may cost a server. A short one is over before much garbage is collected. */
  readonly maxGrowthMb: number
  /**
   * How many times as long as promised a thing may take. The short form is run beside anything, on any machine, and is
   * no judge of time; it still finds what never comes.
   */
  readonly slack: number
  /** After this long, a trial has failed. */
  readonly limitSeconds: number
}

export const FULL: Sizes = {
  sideBySide: 1,
  seconds: 20,
  faults: 4,
  writers: 24,
  readers: 30,
  crowd: 500,
  secondsOfAttack: 8,
  longEvents: 100,
  maxGrowthMb: 200,
  slack: 1,
  limitSeconds: 300,
}

export const SHORT: Sizes = {
  // Half of a fault is waiting until it is noticed.
  sideBySide: 2,
  seconds: 1,
  faults: 1,
  writers: 8,
  readers: 10,
  crowd: 60,
  secondsOfAttack: 0.4,
  longEvents: 10,
  maxGrowthMb: 600,
  slack: 5,
  limitSeconds: 120,
}
