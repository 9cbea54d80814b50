import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { RequestLimitSettings } from '@collab-spaces/api'
import { z } from 'zod'
import { ServerKey } from './server-key.js'
import type { LanguageModelSettings } from './summary/language-model.js'
import { Networks } from './webhooks/networks.js'

const port = (min: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .refine((value) => value >= min && value <= 65_535, `must be a port from ${min} to 65535`)

const postgresUrl = z
  .string()
  .refine(
    (value) => URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol),
    'must be a URL such as postgres://user:password@host:5432/database',
  )

const httpUrl = z
  .string()
  .refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    'must be an http or https URL such as https://spaces.example.org',
  )

const HOST_NAME = /^[\p{L}\p{N}._-]+$|^\[[0-9a-f:.]+\]$/iu

/** As URLs spell them, so that they can be compared with those of requests. */
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

const serverKey = z.string().transform((text, context) => {
  const key = ServerKey.parse(text)
  if (key) return key
  // Without what was given: it is a secret, if a mistyped one.
  context.issues.push({
    code: 'custom',
    input: '',
    message: 'must be 32 bytes, as 64 hexadecimal digits or in base64url',
  })
  return z.NEVER
})

const networks = z.string().transform((text, context) => {
  const parsed = Networks.parse(text)
  if (parsed) return parsed
  context.issues.push({
    code: 'custom',
    input: text,
    message:
      'must be public, private, loopback or ranges of addresses, separated by commas, such as public,10.1.0.0/16',
  })
  return z.NEVER
})

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)

const MOST_CONNECTIONS = 500
/** Of the 100 that it accepts, some are for listening, for the lock on the data, for operators and for PostgreSQL itself. */
const MOST_EMBEDDED_CONNECTIONS = 80

const LOG_FORMATS = ['auto', 'json', 'text'] as const

/** Every setting of the server. Each is explained in `.env.example`. */
const Environment = z
  .object({
    PORT: port(0).default(8080),
    HOST: z.string().min(1, 'must not be empty').default('127.0.0.1'),
    DATA_DIR: z.string().min(1, 'must not be empty').optional(),
    DATABASE_URL: postgresUrl.optional(),
    MIGRATION_DATABASE_URL: postgresUrl.optional(),
    SERVER_KEY: serverKey.optional(),
    DATABASE_POOL: z
      .string()
      .regex(/^\d{1,3}$/, 'must be a number of connections')
      .transform(Number)
      .refine((value) => value >= 5 && value <= MOST_CONNECTIONS, `must be from 5 to ${MOST_CONNECTIONS}`)
      .default(20),
    DATABASE_TIMEOUT: wholeNumber(1, 60).default(2),
    MIN_FREE_DISK_MB: wholeNumber(0, 100_000_000).default(512),
    LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
    LOG_FORMAT: z.enum(LOG_FORMATS, { error: `must be one of ${LOG_FORMATS.join(', ')}` }).default('auto'),
    PUBLIC_URL: httpUrl.optional(),
    ALLOWED_HOSTS: hostNames.default([]),
    MCP_ORIGINS: origins.default([]),
    WEBHOOK_NETWORKS: networks.default(Networks.parse('public') as Networks),
    REGISTRATION: z.enum(['open', 'closed'], { error: 'must be open or closed' }).default('open'),
    REGISTRATION_LIMIT: wholeNumber(0, 1_000_000).default(1_000),
    FAILED_CREDENTIAL_LIMIT: wholeNumber(0, 1_000_000).default(1_000),
    WRITE_LIMIT: wholeNumber(0, 1_000_000).default(0),
    HEAVY_READ_LIMIT: wholeNumber(0, 1_000_000).default(0),
    STREAM_LIMIT: wholeNumber(0, 1_000_000).default(0),
    NEW_STREAM_LIMIT: wholeNumber(0, 1_000_000).default(0),
    METRICS_PORT: port(1).optional(),
    TRUST_PROXY: z
      .string()
      .regex(/^\d{1,2}$/, 'must be the number of proxies in front of the server')
      .transform(Number)
      .default(0),
    DRAIN_SECONDS: wholeNumber(0, 300).default(0),
    SUMMARY_PROVIDER: z
      .enum(['openai-compatible', 'anthropic'], { error: 'must be openai-compatible or anthropic' })
      .optional(),
    SUMMARY_MODEL: z.string().optional(),
    SUMMARY_URL: httpUrl.optional(),
    SUMMARY_API_KEY: z.string().optional(),
    SUMMARY_CONTEXT: wholeNumber(8_000, 10_000_000).default(32_000),
    SUMMARY_TIMEOUT: wholeNumber(1, 600).default(60),
  })
  .superRefine(({ DATABASE_URL, DATABASE_POOL }, context) => {
    const isTooMany = DATABASE_POOL > MOST_EMBEDDED_CONNECTIONS && DATABASE_POOL <= MOST_CONNECTIONS
    if (DATABASE_URL !== undefined || !isTooMany) return
    const message = `must be at most ${MOST_EMBEDDED_CONNECTIONS} without DATABASE_URL: the embedded PostgreSQL accepts 100 connections`
    context.addIssue({ code: 'custom', path: ['DATABASE_POOL'], message })
  })
  .superRefine(({ DATABASE_URL, MIGRATION_DATABASE_URL }, context) => {
    if (MIGRATION_DATABASE_URL === undefined || DATABASE_URL !== undefined) return
    context.addIssue({ code: 'custom', path: ['MIGRATION_DATABASE_URL'], message: 'requires DATABASE_URL' })
  })
  .superRefine(({ SUMMARY_PROVIDER, SUMMARY_MODEL, SUMMARY_URL }, context) => {
    const need = (name: string) =>
      context.addIssue({ code: 'custom', path: [name], message: 'is required with SUMMARY_PROVIDER' })
    if (SUMMARY_PROVIDER && !SUMMARY_MODEL) need('SUMMARY_MODEL')
    if (SUMMARY_PROVIDER === 'openai-compatible' && !SUMMARY_URL) need('SUMMARY_URL')
  })

export interface Settings {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** Whether the operator set the directory: then no other one is used. */
  readonly explicitDataDir: boolean
  readonly databaseUrl: string | undefined
  /** The same database in the role that owns it: that migrates it, and `databaseUrl` only serves. */
  readonly migrationDatabaseUrl: string | undefined
  /** What secrets are made from; if undefined, one that is kept in `dataDir`, with the embedded database. */
  readonly serverKey: ServerKey | undefined
  readonly poolSize: number
  /** How long a request waits for a connection to the database; everything else that it waits for there follows from it. */
  readonly patienceMs: number
  /** How much of the embedded database's disk is kept free by refusing writes; 0 means that none are refused. */
  readonly minFreeDiskMb: number
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** `auto` is text for people at a terminal, and JSON lines otherwise. */
  readonly logFormat: (typeof LOG_FORMATS)[number]
  readonly publicUrl: string | undefined
  /** Further names that the server answers to. */
  readonly allowedHosts: readonly string[]
  /** Origins of pages that may call the MCP server. */
  readonly mcpOrigins: readonly string[]
  /** Where webhooks may lead. */
  readonly webhookNetworks: Networks
  readonly registration: 'open' | 'closed'
  /** How many humans may register from one address in an hour; 0 means no limit. */
  readonly registrationLimit: number
  /** How much requests may ask for otherwise; 0 means no limit. */
  readonly limits: RequestLimitSettings
  readonly metricsPort: number | undefined
  readonly trustProxy: number
  /** How long the server keeps serving after it is told to stop, while `/ready` returns 503. */
  readonly drainMs: number
  /** The language model that writes summaries; if undefined, the built-in summarizer does. */
  readonly languageModel: LanguageModelSettings | undefined
}

/** The names that clients may call the server by, beside those of loopback and addresses. */
export function ownNames({ host, publicUrl, allowedHosts }: Settings): readonly string[] {
  const own = [...(publicUrl === undefined ? [] : [publicUrl]), ...(isIP(host) ? [] : [`http://${host}`])]
  return [...own.filter((url) => URL.canParse(url)).map((url) => nameOf(new URL(url))), ...allowedHosts]
}

/** As it is compared with those of requests: without the dot that says that a name is whole. */
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
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    throw new SettingsError(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`))
  }
  const { data } = parsed
  return {
    port: data.PORT,
    host: data.HOST,
    dataDir: resolve(data.DATA_DIR ?? 'data'),
    explicitDataDir: data.DATA_DIR !== undefined,
    databaseUrl: data.DATABASE_URL,
    migrationDatabaseUrl: data.MIGRATION_DATABASE_URL,
    serverKey: data.SERVER_KEY,
    poolSize: data.DATABASE_POOL,
    patienceMs: data.DATABASE_TIMEOUT * 1_000,
    minFreeDiskMb: data.MIN_FREE_DISK_MB,
    logLevel: data.LOG_LEVEL,
    logFormat: data.LOG_FORMAT,
    publicUrl: data.PUBLIC_URL,
    allowedHosts: data.ALLOWED_HOSTS,
    mcpOrigins: data.MCP_ORIGINS,
    webhookNetworks: data.WEBHOOK_NETWORKS,
    registration: data.REGISTRATION,
    registrationLimit: data.REGISTRATION_LIMIT,
    limits: {
      failedCredentials: data.FAILED_CREDENTIAL_LIMIT,
      writes: data.WRITE_LIMIT,
      heavyReads: data.HEAVY_READ_LIMIT,
      newStreams: data.NEW_STREAM_LIMIT,
      streams: data.STREAM_LIMIT,
    },
    metricsPort: data.METRICS_PORT,
    trustProxy: data.TRUST_PROXY,
    drainMs: data.DRAIN_SECONDS * 1_000,
    languageModel: data.SUMMARY_PROVIDER && {
      provider: data.SUMMARY_PROVIDER,
      model: data.SUMMARY_MODEL ?? '',
      baseUrl: data.SUMMARY_URL,
      apiKey: data.SUMMARY_API_KEY,
      contextTokens: data.SUMMARY_CONTEXT,
      timeoutMs: data.SUMMARY_TIMEOUT * 1_000,
    },
  }
}
