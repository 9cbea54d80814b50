import { existsSync } from 'node:fs'

/** In the directory where the program starts. */
const LOCAL = '.env'
/** Of the systemd unit in `examples/deployment`. */
const OF_SERVICE = '/etc/collaboration-spaces.env'

/** Settings that say where the data is. */
const PLACES = ['DATA_DIR', 'DATABASE_URL']

/**
 * The file with the settings; null if there is none. A command for operators uses those of the service, unless its
 * environment names other data: its settings must not lead away from that.
 */
export function settingsFile(
  isCommand: boolean,
  environment: Readonly<Record<string, string | undefined>>,
  isThere: (file: string) => boolean = existsSync,
): string | null {
  if (isThere(LOCAL)) return LOCAL
  return isCommand && !PLACES.some((name) => environment[name]) && isThere(OF_SERVICE) ? OF_SERVICE : null
}
