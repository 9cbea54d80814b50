import { existsSync } from 'node:fs'

/** In the directory where the program starts. */
const LOCAL = '.env'
/** Of the systemd unit in `examples/deployment`. */
const OF_SERVICE = '/etc/collaboration-spaces.env'

/** Settings that locate the data. */
const PLACES = ['DATA_DIR', 'DATABASE_URL']

/**
 * Returns the settings file; null for none. Operator commands use that of the service, unless their environment locates other
 * data, from which the file must not lead away.
 */
export function settingsFile(
  isCommand: boolean,
  environment: Readonly<Record<string, string | undefined>>,
  isThere: (file: string) => boolean = existsSync,
): string | null {
  if (isThere(LOCAL)) return LOCAL
  return isCommand && !PLACES.some((name) => environment[name]) && isThere(OF_SERVICE) ? OF_SERVICE : null
}
