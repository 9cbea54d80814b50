/** The target of a load. */
export interface Target {
  /** The address of an instance, another one each time. */
  readonly url: () => string
  readonly key: string
  /** The first is the hot one. */
  readonly spaces: readonly string[]
  /** Padding that is added to the texts. */
  readonly padding: () => string
  /** How long a writer rests after each write, in milliseconds. */
  readonly restMs: number
  readonly between: (least: number, most: number) => number
}
