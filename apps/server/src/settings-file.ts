import { existsSync } from 'node:fs'

/** In the directory where the program starts. */
const LOCAL = '.env'
/** Of the systemd unit in `examples/deployment`. */
const OF_SERVICE = '/etc/collaboration-spaces.env'

type Environment = Readonly<Record<string, string | undefined>>

/** Settings that locate the data. */
const PLACES = ['DATA_DIR', 'DATABASE_URL']

/**
 * Returns the settings file; null for none. Operator commands use that of the service, unless their environment locates other
 * data, from which the file must not lead away.
 */
export function settingsFile(
  isCommand: boolean,
  environment: Environment,
  isThere: (file: string) => boolean = existsSync,
): string | null {
  if (isThere(LOCAL)) return LOCAL
  return isCommand && !PLACES.some((name) => environment[name]) && isThere(OF_SERVICE) ? OF_SERVICE : null
}

/**
 * Returns the variables to set before a settings file is loaded, so that a file for other data cannot lead away from the data
 * that the environment locates. A server may have both: `DATA_DIR` in its environment, and its database in the file.
 */
export function placesOf(isCommand: boolean, environment: Environment): Readonly<Record<string, string>> {
  const { DATA_DIR, DATABASE_URL, MIGRATION_DATABASE_URL = '' } = environment
  if (DATABASE_URL) return { MIGRATION_DATABASE_URL }
  return isCommand && DATA_DIR ? { DATABASE_URL: '', MIGRATION_DATABASE_URL: '' } : {}
}
