import { isUnencrypted } from '@collab-spaces/db'
import { distance } from 'fastest-levenshtein'
import { isLoopback } from './http/host.js'
import { ownNames, SETTING_NAMES, type Settings } from './settings.js'

/**
 * Warnings of settings that the operator may not have meant: those that work, but let others in or listen; and names in
 * the environment that look like those of settings.
 */
export function warningsAbout(settings: Settings, names: readonly string[] = []): string[] {
  const { registration, host, databaseUrl, migrationDatabaseUrl, languageModel, metricsPort, metricsHost } = settings
  const warnings = names.flatMap(misspelling)
  if (!isLoopback(host)) warnings.push(...warningOfNetwork(registration, ownNames(settings).length > 0))
  for (const [name, url] of Object.entries({
    DATABASE_URL: databaseUrl,
    MIGRATION_DATABASE_URL: migrationDatabaseUrl,
  })) {
    if (url === undefined || !isUnencrypted(url) || isLocal(url)) continue
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

/** A warning of one line about a server that other machines can reach; none if nothing is open. */
function warningOfNetwork(registration: Settings['registration'], hasNames: boolean): string[] {
  const open = 'registration is open to anyone who can reach this server'
  const nameless = 'only requests to its IP addresses and localhost are served'
  const name = 'set PUBLIC_URL or ALLOWED_HOSTS to the names that it has'
  if (registration === 'closed') return hasNames ? [] : [`${nameless}; to change that, ${name}`]
  return hasNames
    ? [`${open}; to change that, set REGISTRATION=closed`]
    : [`${open}, and ${nameless}; to change that, set REGISTRATION=closed, and ${name}`]
}

/** In how many letters a name may differ: with more, or in a short name, it is probably another program's. */
const MAX_DISTANCE = 2
const LETTERS_PER_DIFFERENCE = 4

/** A warning of a name in the environment that is almost that of a setting. */
export function misspelling(name: string): string[] {
  if (SETTING_NAMES.includes(name)) return []
  const most = Math.min(MAX_DISTANCE, Math.floor(name.length / LETTERS_PER_DIFFERENCE))
  const upper = name.toUpperCase()
  const meant = SETTING_NAMES.find((setting) => distance(upper, setting) <= most || isSwapped(upper, setting))
  return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`]
}

/** Whether two neighbouring letters have changed places, as fast fingers do it even in short names. */
function isSwapped(name: string, setting: string): boolean {
  const at = [...name].findIndex((letter, index) => letter !== setting[index])
  return at >= 0 && `${name.slice(0, at)}${name[at + 1]}${name[at]}${name.slice(at + 2)}` === setting
}

/** A name of this machine, or the directory of a socket. */
function isLocal(url: string): boolean {
  const host = decodeURIComponent(new URL(url).hostname)
  return host === '' || host.startsWith('/') || isLoopback(host)
}
