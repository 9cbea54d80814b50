import { distance } from 'fastest-levenshtein'
import { isLoopback } from './http/host.js'
import { ownNames, SETTING_NAMES, type Settings } from './settings.js'

/**
 * Returns warnings about valid but risky settings, which admit or expose to other machines, and about misspelled names in the
 * environment.
 */
export async function warningsAbout(settings: Settings, names: readonly string[] = []): Promise<string[]> {
  const { registration, host, databaseUrl, migrationDatabaseUrl, languageModel, metricsPort, metricsHost } = settings
  const warnings = names.flatMap(misspelling)
  if (!isLoopback(host)) warnings.push(...warningOfNetwork(registration, ownNames(settings).length > 0))
  for (const [name, url] of Object.entries({
    DATABASE_URL: databaseUrl,
    MIGRATION_DATABASE_URL: migrationDatabaseUrl,
  })) {
    if (url === undefined || isLocal(url)) continue
    // Loaded on demand: without an external database, PostgreSQL starts while this loads.
    const { isUnencrypted } = await import('@collab-spaces/db')
    if (!isUnencrypted(url)) continue
    warnings.push(`${name} leads to another machine without TLS; to change that, add ?sslmode=verify-full`)
  }
  if (metricsPort !== undefined && !isLoopback(metricsHost)) {
    warnings.push('METRICS_HOST shows metrics to anyone who can reach it: let only your Prometheus through')
  }
  const summaryUrl = languageModel?.baseUrl
  if (summaryUrl?.startsWith('http:') && !isLocal(summaryUrl)) {
    warnings.push('SUMMARY_URL sends events to another machine without TLS; to change that, use https')
  }
  return warnings
}

/** Returns a warning about a server that other machines can reach without protection, if any. */
function warningOfNetwork(registration: Settings['registration'], hasNames: boolean): string[] {
  const open = 'registration is open to anyone who can reach this server'
  const nameless = 'only requests to its IP addresses and localhost are served'
  const name = 'set PUBLIC_URL or ALLOWED_HOSTS to the names that it has'
  if (registration === 'closed') return hasNames ? [] : [`${nameless}; to change that, ${name}`]
  return hasNames
    ? [`${open}; to change that, set REGISTRATION=closed`]
    : [`${open}, and ${nameless}; to change that, set REGISTRATION=closed, and ${name}`]
}

/** The maximum edit distance of a misspelling, shorter for short names, which may belong to other programs. */
const MAX_DISTANCE = 2
const LETTERS_PER_DIFFERENCE = 4

/** Returns a warning for a name that is almost that of a setting, if it is. */
export function misspelling(name: string): string[] {
  if (SETTING_NAMES.includes(name)) return []
  const most = Math.min(MAX_DISTANCE, Math.floor(name.length / LETTERS_PER_DIFFERENCE))
  const upper = name.toUpperCase()
  const closest = SETTING_NAMES.find((setting) => distance(upper, setting) <= most || isSwapped(upper, setting))
  return closest === undefined ? [] : [`${name} is not a setting; did you mean ${closest}?`]
}

/** Whether two adjacent letters are swapped, a common typo even in short names. */
function isSwapped(name: string, setting: string): boolean {
  const at = [...name].findIndex((letter, index) => letter !== setting[index])
  return at >= 0 && `${name.slice(0, at)}${name[at + 1]}${name[at]}${name.slice(at + 2)}` === setting
}

/** Whether a database URL names this machine or a socket. */
function isLocal(url: string): boolean {
  const host = decodeURIComponent(new URL(url).hostname)
  return host === '' || host.startsWith('/') || isLoopback(host)
}
