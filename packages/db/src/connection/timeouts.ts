/**
 * How long whoever asks for something waits for the database, in milliseconds. Longer waits would only fill the server
 * with requests whose clients have left; so all follow from one number, which the operator of a database that is far
 * away or overloaded can raise.
 */
export interface Timeouts {
  /** For a connection: a free one of the pool, or a new one. */
  readonly connectionMs: number
  /** For the turn to be written, or to change something. */
  readonly turnMs: number
  /** For a locked row. */
  readonly lockMs: number
  /** For a statement on single rows, an append, or a piece of a history. */
  readonly statementMs: number
  /** For a statement that everybody waits for. */
  readonly lookUpMs: number
  /** For a statement of a search, a digest or a batch. */
  readonly longMs: number
  /** For the turn to read something long. */
  readonly longTurnMs: number
  /**
   * On top of what a statement may take. A database that is there ends one in time by itself. One that is silent, be it
   * frozen or cut off, never does: a little later the connection is given up.
   */
  readonly silenceMs: number
  /** A wait that is too short to be given up when a connection has fallen silent. */
  readonly briefMs: number
}

/** The timeouts of requests that wait so many milliseconds for a connection: by default, as long as a client does. */
export function timeoutsOf(ms = 2_000): Timeouts {
  return {
    connectionMs: ms,
    turnMs: ms,
    lockMs: ms,
    statementMs: 1.25 * ms,
    lookUpMs: 0.75 * ms,
    longMs: 2.5 * ms,
    longTurnMs: 2.5 * ms,
    silenceMs: 0.15 * ms,
    briefMs: 0.125 * ms,
  }
}
