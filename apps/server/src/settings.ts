import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { PUSH_HOSTS } from '@collab-spaces/domain'
import type { z } from 'zod'
import { Environment, nameOf } from './environment.js'

/** Of its 100 connections, some are for listening, the lock on the data, operators, and PostgreSQL itself. */
const MAX_EMBEDDED_CONNECTIONS = 80

/** The environment, with the settings that depend on each other checked. */
const ConsistentEnvironment = Environment.superRefine((given, context) => {
  const refuse = (name: keyof typeof given, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message })
  if (given.DATABASE_URL === undefined) {
    if (given.DATABASE_POOL > MAX_EMBEDDED_CONNECTIONS) {
      const reason = 'without DATABASE_URL: the embedded PostgreSQL accepts 100 connections'
      refuse('DATABASE_POOL', `must be at most ${MAX_EMBEDDED_CONNECTIONS} ${reason}`)
    }
    if (given.MIGRATION_DATABASE_URL !== undefined) refuse('MIGRATION_DATABASE_URL', 'requires DATABASE_URL')
  }
  if (given.OIDC_ISSUER !== undefined && given.OIDC_CLIENT_ID === undefined) {
    refuse('OIDC_CLIENT_ID', 'is required with OIDC_ISSUER')
  }
  if (given.OIDC_ADMINS !== undefined && given.OIDC_TENANT === undefined) {
    refuse('OIDC_TENANT', 'is required with OIDC_ADMINS: the shared tenant has no admins')
  }
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const) {
    if (given.FILES_URL !== undefined && given[name] === undefined) refuse(name, 'is required with FILES_URL')
  }
  if (given.SMTP_URL !== undefined && given.MAIL_FROM === undefined) refuse('MAIL_FROM', 'is required with SMTP_URL')
  const provider = given.SUMMARY_PROVIDER
  if (provider && !given.SUMMARY_MODEL) refuse('SUMMARY_MODEL', 'is required with SUMMARY_PROVIDER')
  if (provider === 'openai-compatible' && !given.SUMMARY_URL) {
    refuse('SUMMARY_URL', 'is required with SUMMARY_PROVIDER')
  }
})

/** The settings as the server uses them. */
const Settings = ConsistentEnvironment.transform((given) => ({
  port: given.PORT,
  host: given.HOST,
  workers: given.WORKERS,
  dataDir: resolve(given.DATA_DIR ?? 'data'),
  /** The directory was set explicitly, so that no other one is used. */
  explicitDataDir: given.DATA_DIR !== undefined,
  databaseUrl: given.DATABASE_URL,
  /** The same database as its owner role, which migrates; `databaseUrl` only serves. */
  migrationDatabaseUrl: given.MIGRATION_DATABASE_URL,
  /** The server key; if undefined, a file in `dataDir` with the embedded database. */
  serverKey: given.SERVER_KEY,
  poolSize: given.DATABASE_POOL,
  /** Timeout of a database connection, from which all other database timeouts follow. */
  databaseTimeoutMs: given.DATABASE_TIMEOUT,
  minFreeDiskMb: given.MIN_FREE_DISK_MB,
  logLevel: given.LOG_LEVEL,
  logFormat: given.LOG_FORMAT,
  publicUrl: given.PUBLIC_URL,
  allowedHosts: given.ALLOWED_HOSTS,
  mcpOrigins: given.MCP_ORIGINS,
  webhookNetworks: given.WEBHOOK_NETWORKS,
  /** The known push services and those that the operator adds. */
  pushHosts: [...PUSH_HOSTS, ...given.PUSH_HOSTS],
  /** Undefined without an identity provider. */
  oidc:
    given.OIDC_ISSUER !== undefined && given.OIDC_CLIENT_ID !== undefined
      ? {
          issuer: given.OIDC_ISSUER,
          clientId: given.OIDC_CLIENT_ID,
          clientSecret: given.OIDC_CLIENT_SECRET,
          tenant: given.OIDC_TENANT ?? null,
          admins: given.OIDC_ADMINS ?? null,
        }
      : undefined,
  /** Undefined without e-mail. */
  mail:
    given.SMTP_URL !== undefined && given.MAIL_FROM !== undefined
      ? { url: given.SMTP_URL, from: given.MAIL_FROM }
      : undefined,
  registration: given.REGISTRATION,
  registrationLimit: given.REGISTRATION_LIMIT,
  maxFileBytes: given.FILE_MAX_BYTES,
  /** The bucket for the bytes of files; undefined for PostgreSQL. */
  bucket:
    given.FILES_URL !== undefined && given.AWS_ACCESS_KEY_ID !== undefined && given.AWS_SECRET_ACCESS_KEY !== undefined
      ? { ...given.FILES_URL, accessKeyId: given.AWS_ACCESS_KEY_ID, secretAccessKey: given.AWS_SECRET_ACCESS_KEY }
      : undefined,
  limits: {
    failedCredentials: given.FAILED_CREDENTIAL_LIMIT,
    writes: given.WRITE_LIMIT,
    heavyReads: given.HEAVY_READ_LIMIT,
    streams: given.STREAM_LIMIT,
  },
  metricsPort: given.METRICS_PORT,
  metricsHost: given.METRICS_HOST,
  trustProxy: given.TRUST_PROXY,
  drainMs: given.DRAIN_SECONDS,
  /** Undefined for the built-in summarizer. */
  languageModel: given.SUMMARY_PROVIDER && {
    provider: given.SUMMARY_PROVIDER,
    model: given.SUMMARY_MODEL ?? '',
    baseUrl: given.SUMMARY_URL,
    apiKey: given.SUMMARY_API_KEY,
    contextTokens: given.SUMMARY_CONTEXT,
    timeoutMs: given.SUMMARY_TIMEOUT,
  },
}))
export type Settings = z.output<typeof Settings>

/** Returns the allowed host names, besides loopback names and IP addresses. */
export function ownNames({ host, publicUrl, allowedHosts }: Settings): readonly string[] {
  const own = [...(publicUrl === undefined ? [] : [publicUrl]), ...(isIP(host) ? [] : [`http://${host}`])]
  return [...own.filter((url) => URL.canParse(url)).map((url) => nameOf(new URL(url))), ...allowedHosts]
}

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(Environment.shape)

/** The settings are invalid: one line per mistake. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'))
  }
}

/** Reads the settings from an environment. An empty variable counts as unset. Throws a SettingsError. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Settings.safeParse(given)
  if (parsed.success) return parsed.data
  throw new SettingsError(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`))
}
