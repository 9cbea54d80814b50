/**
 * How long a test waits for what must come, unless it says otherwise. It is no promise of the product, only the end of
 * hope on a machine that does much else: how soon a thing comes is measured by `bench` and `torture`.
 */
export const PATIENCE_MS = 60_000

/**
 * How long a request to a server in tests waits for its database: on a machine that does much else, longer than clients
 * should. A little less than ours wait for an answer.
 */
export const DATABASE_PATIENCE_MS = 20_000

/** `DATABASE_PATIENCE_MS` as a setting. */
export const PATIENT = { DATABASE_TIMEOUT: String(DATABASE_PATIENCE_MS / 1_000) }
/** The default, for tests of just this. */
export const IMPATIENT = { DATABASE_TIMEOUT: '2' }
