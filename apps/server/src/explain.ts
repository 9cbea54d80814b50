import { BucketFault, isOfMovingTenant, isOfStandby } from '@collab-spaces/db'
import { DomainError } from '@collab-spaces/domain'
import { OperatorError } from '@collab-spaces/operator'
import type { Settings } from './settings.js'

/** PostgreSQL's code of a role that may not do what it tries. */
const INSUFFICIENT_PRIVILEGE = '42501'

/** The problem of a start or a command, in one line that also says what to do, if we know. */
export function explain(error: unknown, settings: Settings): string {
  if (error instanceof DomainError) return error.detail
  if (isOfMovingTenant(error))
    return 'The tenant is on its way to another installation, there already, or being deleted: nothing of it can be changed here'
  if (error instanceof BucketFault) return `${error.message}: check FILES_URL`
  const { databaseUrl, migrationDatabaseUrl } = settings
  // A name with several addresses fails with one error for each.
  const { code, message, hostname, syscall, port, address } = (
    error instanceof AggregateError ? error.errors[0] : error
  ) as NodeJS.ErrnoException & { readonly hostname?: string; readonly port?: number; readonly address?: string }
  if (syscall === 'listen') {
    const prefix = port === settings.port ? '' : 'METRICS_'
    if (code === 'EADDRINUSE')
      return `Port ${port} is already in use: stop the other program, or set ${prefix}PORT to another port`
    if (code === 'EACCES') return `No permission to listen on port ${port}: set ${prefix}PORT to a port above 1023`
    if (code === 'EADDRNOTAVAIL') return `This machine has no address ${address}: check ${prefix}HOST`
  }
  for (const [name, host] of Object.entries({ HOST: settings.host, METRICS_HOST: settings.metricsHost })) {
    if (hostname === host) return `${name} ${host} is neither an address nor a name of this machine: check ${name}`
  }
  if (code === INSUFFICIENT_PRIVILEGE && databaseUrl !== undefined && migrationDatabaseUrl === undefined)
    return `The role in DATABASE_URL does not own the tables (${message}): set MIGRATION_DATABASE_URL to one that does`
  if (databaseUrl !== undefined && !(error instanceof OperatorError)) {
    if (isOfStandby(error))
      return `The database at ${new URL(databaseUrl).host} takes no writes: name its primary, or an address that leads there`
    const names = migrationDatabaseUrl === undefined ? 'DATABASE_URL' : 'DATABASE_URL and MIGRATION_DATABASE_URL'
    return `The database at ${new URL(databaseUrl).host} cannot be used (${message}): check ${names}`
  }
  return message
}
