/** How far something is that was asked of the service: the part of a mutation that a dialog shows. */
export interface Asked {
  readonly isPending: boolean
  /** Null while nothing has failed. */
  readonly error: unknown
}
