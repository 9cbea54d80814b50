/** The target of a load. */
export interface Target {
  /** Returns the address of an instance, a different one each time. */
  readonly url: () => string
  readonly key: string
  /** The first is the hot one. */
  readonly spaces: readonly string[]
  /** Padding for the texts. */
  readonly padding: () => string
  /** The pause of a writer after each write, in milliseconds. */
  readonly restMs: number
  readonly between: (least: number, most: number) => number
}
