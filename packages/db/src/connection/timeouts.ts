/**
 * The timeouts of the database, in milliseconds. They derive from one number, which the operator of a remote or overloaded
 * database can raise. Longer waits would fill the server with requests whose clients have left.
 */
export type Timeouts = ReturnType<typeof timeoutsOf>

/** Derives the timeouts from that of a connection. */
export const timeoutsOf = (ms = 2_000) => ({
  /** For a connection, from the pool or new. */
  connectionMs: ms,
  /** For the turn of a write. */
  turnMs: ms,
  /** For a row lock. */
  lockMs: ms,
  /** For a statement on single rows, an append, or a page of a history. */
  statementMs: 1.25 * ms,
  /** For an authentication. */
  lookUpMs: 0.75 * ms,
  /** For a statement of a search, a digest or a batch. */
  longMs: 2.5 * ms,
  /** For a statement that changes many rows of one actor, on a dedicated connection. */
  moveMs: 60 * ms,
  /** For the turn of a long read. */
  longTurnMs: 2.5 * ms,
  /**
   * The grace beyond a statement timeout. A reachable database cancels the statement itself; after the grace, the connection
   * counts as lost.
   */
  silenceMs: 0.15 * ms,
  /** A wait too short to end at an outage. */
  briefMs: 0.125 * ms,
})
