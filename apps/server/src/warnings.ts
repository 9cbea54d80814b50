import { isUnencrypted } from '@collab-spaces/db'
import { isLoopback } from './http/host.js'
import type { Settings } from './settings.js'

/** What the operator may not have meant: settings that work, and let others in or listen. */
export function warningsAbout(settings: Settings): string[] {
  const { registration, host, databaseUrl, migrationDatabaseUrl, languageModel } = settings
  const warnings: string[] = []
  if (registration === 'open' && !isLoopback(host)) {
    warnings.push('registration is open to anyone who can reach this server; to change that, set REGISTRATION=closed')
  }
  for (const [name, url] of Object.entries({
    DATABASE_URL: databaseUrl,
    MIGRATION_DATABASE_URL: migrationDatabaseUrl,
  })) {
    if (url === undefined || !isUnencrypted(url) || isLocal(url)) continue
    warnings.push(`${name} leads to another machine without TLS; to change that, add ?sslmode=verify-full`)
  }
  const summaryUrl = languageModel?.baseUrl
  if (summaryUrl?.startsWith('http:') && !isLocal(summaryUrl)) {
    warnings.push('SUMMARY_URL sends events to another machine without TLS; to change that, use https')
  }
  return warnings
}

/** A name of this machine, or the directory of a socket. */
function isLocal(url: string): boolean {
  const host = decodeURIComponent(new URL(url).hostname)
  return host === '' || host.startsWith('/') || isLoopback(host)
}
