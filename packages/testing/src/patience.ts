/**
 * The default timeout of a test for an expected event. It is no promise of the product, only a limit on a busy machine:
 * `bench` and `torture` measure times.
 */
export const PATIENCE_MS = 60_000

/**
 * The database timeout of servers in tests. On a busy machine it is longer than clients should wait, and a little
 * shorter than our client's timeout.
 */
export const DATABASE_PATIENCE_MS = 20_000

/** `DATABASE_PATIENCE_MS` as a setting. */
export const PATIENT = { DATABASE_TIMEOUT: String(DATABASE_PATIENCE_MS / 1_000) }
/** The product's default, for tests of the timeout itself. */
export const IMPATIENT = { DATABASE_TIMEOUT: '2' }
