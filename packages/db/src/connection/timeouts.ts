/**
 * How long a caller waits for the database, in milliseconds. Longer waits would only fill the server
 * with requests whose clients have left; so all follow from one number, which the operator of a database that is far
 * away or overloaded can raise.
 */
export type Timeouts = ReturnType<typeof timeoutsOf>

/** The timeouts of requests that wait so many milliseconds for a connection: by default, as long as a client does. */
export const timeoutsOf = (ms = 2_000) => ({
  /** For a connection: a free one of the pool, or a new one. */
  connectionMs: ms,
  /** For the turn to be written, or to change something. */
  turnMs: ms,
  /** For a locked row. */
  lockMs: ms,
  /** For a statement on single rows, an append, or a piece of a history. */
  statementMs: 1.25 * ms,
  /** Timeout of statements that all requests wait for. */
  lookUpMs: 0.75 * ms,
  /** For a statement of a search, a digest or a batch. */
  longMs: 2.5 * ms,
  /** For a statement that changes many rows of one person, on a connection of its own. */
  moveMs: 60 * ms,
  /** For the turn to read something long. */
  longTurnMs: 2.5 * ms,
  /**
   * On top of what a statement may take. A database that is there ends one in time by itself. One that is silent, be it
   * frozen or cut off, never does: a little later the connection is given up.
   */
  silenceMs: 0.15 * ms,
  /** A wait that is too short to be given up when a connection has fallen silent. */
  briefMs: 0.125 * ms,
})
