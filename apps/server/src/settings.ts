import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { claimRule, hostPattern, PUSH_HOSTS } from '@collab-spaces/domain'
import { z } from 'zod'
import { isOwnHost } from './http/host.js'
import { ServerKey } from './server-key.js'
import { Networks } from './webhooks/networks.js'

const wholeNumber = (min: number, max: number, what = 'a whole number') =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be ${what}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `must be from ${min} to ${max}`, abort: true })

const port = (min: number) => wholeNumber(min, 65_535, 'a port number')

/** 0 means no limit. */
const limit = wholeNumber(0, 1_000_000)

const seconds = (min: number, max: number) => wholeNumber(min, max).transform((value) => value * 1_000)

const notEmpty = z.string().min(1, 'must not be empty')

const urlOf = (protocol: RegExp, error: string) =>
  z.string().refine((value) => URL.canParse(value) && protocol.test(new URL(value).protocol), { error, abort: true })

const postgresUrl = urlOf(/^postgres(ql)?:$/, 'must be a URL such as postgres://user:password@host:5432/database')

const httpUrl = urlOf(/^https?:$/, 'must be an http or https URL such as https://spaces.example.org')

const smtpUrl = urlOf(/^smtps?:$/, 'must be a URL such as smtps://user:password@mail.example.org')

const HOST_NAME = /^[\p{L}\p{N}._-]+$|^\[[0-9a-f:.]+\]$/iu

/** Host names, normalized like URLs for comparison with requests. */
const hostNames = z
  .string()
  .transform((value) => value.split(',').map((name) => name.trim()))
  .refine(
    (names) => names.every((name) => HOST_NAME.test(name) && URL.canParse(`http://${name}`)),
    'must be host names without ports, separated by commas, such as spaces.example.org,spaces.internal',
  )
  .transform((names) => names.map((name) => nameOf(new URL(`http://${name}`))))

const origins = z
  .string()
  .transform((value) => value.split(',').map((origin) => origin.trim()))
  .refine(
    (given) => given.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    'must be origins of pages, separated by commas, such as https://chat.example.org,http://localhost:6274',
  )

const parsedBy = <T>(parse: (text: string) => T | null | undefined, message: string) =>
  z.string().transform((text, context) => {
    const parsed = parse(text)
    if (parsed) return parsed
    // Does not quote the value, which may be a mistyped secret.
    context.issues.push({ code: 'custom', input: '', message })
    return z.NEVER
  })

/** A URL without a path, as cookies, links of the page and OAuth metadata assume the root of a host. */
const origin = parsedBy((text) => {
  if (!URL.canParse(text)) return null
  const { href, origin, protocol } = new URL(text)
  return href === `${origin}/` && /^https?:$/.test(protocol) ? origin : null
}, 'must be an http or https URL without a path, such as https://spaces.example.org')

const serverKey = parsedBy(ServerKey.parse, 'must be 32 bytes, as 64 hexadecimal digits or in base64url')

const networks = parsedBy(
  Networks.parse,
  'must be public, private, loopback or ranges of addresses, separated by commas, such as public,10.1.0.0/16',
)

/** Hosts and wildcards, normalized like URLs. */
const hostPatterns = parsedBy((text) => {
  const patterns = text.split(',').map(hostPattern)
  return patterns.every((pattern) => pattern !== null) ? patterns : null
}, 'must be hosts without ports, separated by commas, such as push.example.org,*.push.example.com')

const issuer = httpUrl.refine(
  (value) => value.startsWith('https:') || isOwnHost(new URL(value).host),
  'must be https, but for a provider on this machine',
)

const admins = parsedBy(claimRule, 'must be a claim and the value that admins have, such as groups=spaces-admins')

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const LOG_FORMATS = ['auto', 'json', 'text'] as const

const MAX_CONNECTIONS = 500
/** Of its 100 connections, some are for listening, the lock on the data, operators, and PostgreSQL itself. */
const MAX_EMBEDDED_CONNECTIONS = 80

/** Every setting of the server. `.env.example` explains each, and a test compares the two. */
const Environment = z
  .object({
    PORT: port(0).default(8080),
    HOST: notEmpty.default('127.0.0.1'),
    DATA_DIR: notEmpty.optional(),
    DATABASE_URL: postgresUrl.optional(),
    MIGRATION_DATABASE_URL: postgresUrl.optional(),
    SERVER_KEY: serverKey.optional(),
    DATABASE_POOL: wholeNumber(5, MAX_CONNECTIONS, 'a number of connections').default(20),
    DATABASE_TIMEOUT: seconds(1, 60).default(2_000),
    MIN_FREE_DISK_MB: wholeNumber(0, 100_000_000).default(512),
    LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
    LOG_FORMAT: z.enum(LOG_FORMATS, { error: `must be one of ${LOG_FORMATS.join(', ')}` }).default('auto'),
    PUBLIC_URL: origin.optional(),
    ALLOWED_HOSTS: hostNames.default([]),
    MCP_ORIGINS: origins.default([]),
    WEBHOOK_NETWORKS: networks.default(Networks.parse('public') as Networks),
    PUSH_HOSTS: hostPatterns.default([]),
    OIDC_ISSUER: issuer.optional(),
    OIDC_CLIENT_ID: notEmpty.optional(),
    OIDC_CLIENT_SECRET: notEmpty.optional(),
    OIDC_TENANT: notEmpty.optional(),
    OIDC_ADMINS: admins.optional(),
    SMTP_URL: smtpUrl.optional(),
    MAIL_FROM: notEmpty.optional(),
    REGISTRATION: z.enum(['open', 'closed'], { error: 'must be open or closed' }).default('open'),
    REGISTRATION_LIMIT: limit.default(1_000),
    FAILED_CREDENTIAL_LIMIT: limit.default(1_000),
    WRITE_LIMIT: limit.default(0),
    HEAVY_READ_LIMIT: limit.default(0),
    STREAM_LIMIT: limit.default(0),
    METRICS_PORT: port(1).optional(),
    METRICS_HOST: notEmpty.default('127.0.0.1'),
    TRUST_PROXY: wholeNumber(0, 99, 'the number of proxies in front of the server').default(0),
    DRAIN_SECONDS: seconds(0, 300).default(0),
    SUMMARY_PROVIDER: z
      .enum(['openai-compatible', 'anthropic'], { error: 'must be openai-compatible or anthropic' })
      .optional(),
    SUMMARY_MODEL: z.string().optional(),
    SUMMARY_URL: httpUrl.optional(),
    SUMMARY_API_KEY: z.string().optional(),
    SUMMARY_CONTEXT: wholeNumber(8_000, 10_000_000).default(32_000),
    SUMMARY_TIMEOUT: seconds(1, 600).default(60_000),
  })
  .superRefine((given, context) => {
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
    if (given.SMTP_URL !== undefined && given.MAIL_FROM === undefined) refuse('MAIL_FROM', 'is required with SMTP_URL')
    const provider = given.SUMMARY_PROVIDER
    if (provider && !given.SUMMARY_MODEL) refuse('SUMMARY_MODEL', 'is required with SUMMARY_PROVIDER')
    if (provider === 'openai-compatible' && !given.SUMMARY_URL) {
      refuse('SUMMARY_URL', 'is required with SUMMARY_PROVIDER')
    }
  })

/** The settings as the server uses them. */
const Settings = Environment.transform((given) => ({
  port: given.PORT,
  host: given.HOST,
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

/** Returns a host name without its final dot. */
const nameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')

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
