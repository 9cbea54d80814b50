import { availableParallelism } from 'node:os'
import { claimRule, DEFAULT_MAX_FILE_BYTES, hostPattern } from '@collab-spaces/domain'
import { z } from 'zod'
import { isOwnHost } from './http/host.js'
import { ServerKey } from './server-key.js'
import { Networks } from './webhooks/networks.js'

const MAX_WORKERS = 64

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

/** A number of processes, or `auto`. */
const workers = z
  .string()
  .transform((text) => (text === 'auto' ? String(Math.min(availableParallelism(), MAX_WORKERS)) : text))
  .pipe(wholeNumber(1, MAX_WORKERS, `auto or a whole number from 1 to ${MAX_WORKERS}`))

const notEmpty = z.string().min(1, 'must not be empty')

const urlOf = (protocol: RegExp, error: string) =>
  z.string().refine((value) => URL.canParse(value) && protocol.test(new URL(value).protocol), { error, abort: true })

const postgresUrl = urlOf(/^postgres(ql)?:$/, 'must be a URL such as postgres://user:password@host:5432/database')

const httpUrl = urlOf(/^https?:$/, 'must be an http or https URL such as https://spaces.example.org')

const smtpUrl = urlOf(/^smtps?:$/, 'must be a URL such as smtps://user:password@mail.example.org')

const HOST_NAME = /^[\p{L}\p{N}._-]+$|^\[[0-9a-f:.]+\]$/iu

/** Returns a host name without its final dot. */
export const nameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')

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

/** A bucket, with a prefix of characters that need no escape in a URL or XML. */
const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*)\/?)?\/?(?:\?(.*))?$/

const bucket = parsedBy((text) => {
  const [isBucket, name = '', prefix, query] = BUCKET.exec(text) ?? []
  const { region = 'us-east-1', endpoint, ...others } = Object.fromEntries(new URLSearchParams(query))
  if (!isBucket || Object.keys(others).length > 0) return null
  const url = endpoint ?? `https://s3.${region}.amazonaws.com`
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return null
  return { bucket: name, prefix: prefix === undefined ? '' : `${prefix}/`, endpoint: url, region }
}, 'must be a URL such as s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-west-1')

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

const oneOf = (words: readonly string[]) => ({ error: `must be one of ${words.join(', ')}` })

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const LOG_FORMATS = ['auto', 'json', 'text'] as const

const MAX_CONNECTIONS = 500

/** The text of a setting in `.env.example`, and in the table of settings. */
interface Help {
  /** A noun phrase, for the table. */
  readonly title: string
  /** What an operator must know to set it, for `.env.example`. */
  readonly description: string
  /** A value for `.env.example`, if the setting has no default. */
  readonly example?: string
}

const described = <T extends z.ZodType>(value: T, help: Help): T => value.meta({ ...help })

/** Every setting of the server, by section. `pnpm docs:settings` writes `.env.example` and the table of settings. */
export const SECTIONS = {
  Network: {
    PORT: described(port(0).prefault('8080'), {
      title: 'Port',
      description: 'The port. 0 picks a free one, which the start prints.',
    }),
    HOST: described(notEmpty.prefault('127.0.0.1'), {
      title: 'Address to listen on',
      description: `The address to listen on. Only this machine can reach 127.0.0.1. 0.0.0.0 (or ::) accepts connections
        from anywhere, for example in a container.`,
    }),
    WORKERS: described(workers.prefault('1'), {
      title: 'Number of processes that serve',
      description: `The number of processes that serve behind the port, from 1 to 64; auto for one per processor core.
        Each takes as much memory as one server, and has DATABASE_POOL connections.`,
    }),
    PUBLIC_URL: described(origin.optional(), {
      title: 'Address for clients, if different',
      description: `The address for clients, if different, for example behind a proxy. It has no path, as the server
        needs its own host name, and appears in the OpenAPI document. With https, browsers are told to always use https.`,
      example: 'https://spaces.example.org',
    }),
    ALLOWED_HOSTS: described(hostNames.default([]), {
      title: 'Further host names',
      description: `Further host names, separated by commas, without ports. A request to any name but these, the host of
        PUBLIC_URL, HOST, localhost and IP addresses is refused with 421, so that a web page cannot reach the server by
        a name of its own. Include the names that a proxy or health check uses.`,
      example: 'spaces.internal',
    }),
    MCP_ORIGINS: described(origins.default([]), {
      title: 'Origins of pages that may use MCP',
      description: `Origins of web pages that may use the MCP server at /mcp, separated by commas. Pages of this server
        and programs that are not browsers always may.`,
      example: 'https://chat.example.org',
    }),
    TRUST_PROXY: described(wholeNumber(0, 99, 'the number of proxies in front of the server').prefault('0'), {
      title: 'Number of proxies in front of the server',
      description: `The number of proxies in front of the server, whose information about the client's address is
        trusted. With 0, all clients of a proxy share one REGISTRATION_LIMIT.`,
    }),
    DRAIN_SECONDS: described(seconds(0, 300).prefault('0'), {
      title: 'Seconds of service after a stop signal',
      description: `Seconds for which the server continues to serve after a stop signal, while /ready returns 503. Use
        the time in which your load balancer notices; 0 without one.`,
    }),
  },
  Data: {
    DATA_DIR: described(notEmpty.optional(), {
      title: 'Directory of the embedded PostgreSQL, `data` if unset',
      description: `The directory of the embedded PostgreSQL, relative to where you start the server. One server at a
        time can use it. If set, the server uses exactly this directory or does not start. If unset, a server started by
        root may have to put the data elsewhere, and prints where.`,
      example: 'data',
    }),
    DATABASE_URL: described(postgresUrl.optional(), {
      title: 'Your own PostgreSQL',
      description: `Your own PostgreSQL (15 or later) instead: an empty database and a role that owns it. Several servers
        can share a database.`,
      example: 'postgres://user:password@host:5432/database',
    }),
    MIGRATION_DATABASE_URL: described(postgresUrl.optional(), {
      title: 'The same database as its owner',
      description: `The same database in the role that owns it, if the role of DATABASE_URL does not. It migrates at the
        start, grants the other role its rights, and runs operator commands. The other role serves, and can change
        neither the schema nor an event.`,
      example: 'postgres://owner:password@host:5432/database',
    }),
    SERVER_KEY: described(serverKey.optional(), {
      title: 'Secret of the installation',
      description: `The secret from which signing and other secrets derive, the same on all servers of a database: 64
        hexadecimal digits (openssl rand -hex 32), or 43 characters of base64url. Without DATABASE_URL, the server
        creates one in DATA_DIR. If unset with DATABASE_URL, operations that need a secret are refused, and the start
        warns.`,
    }),
    WEBHOOK_NETWORKS: described(networks.prefault('public'), {
      title: 'Networks for webhooks and browser notifications',
      description: `Networks that webhooks and browser notifications may reach: public, private, loopback, or addresses
        and ranges, separated by commas. public is the internet; private are the networks of RFC 1918 and unique local
        IPv6 addresses. Only addresses count, not names. Add a network only if everything there may be called by every
        actor that may create webhooks.`,
    }),
    PUSH_HOSTS: described(hostPatterns.default([]), {
      title: 'Further push services',
      description: `Hosts of further push services for browser notifications, separated by commas; *.example.org is all
        names below example.org. Those of Google, Mozilla, Apple and Microsoft are known. The same on all servers.`,
      example: 'push.example.org',
    }),
    DATABASE_POOL: described(wholeNumber(5, MAX_CONNECTIONS, 'a number of connections').prefault('20'), {
      title: 'Database connections',
      description: `The number of connections of this server to its database, from 5 to 500, or to 80 with the embedded
        PostgreSQL, which accepts 100 in total. One more listens for notifications.`,
    }),
    DATABASE_TIMEOUT: described(seconds(1, 60).prefault('2'), {
      title: 'Database timeout in seconds',
      description: `Seconds, from 1 to 60, for which a request waits for a connection, its turn to be written, or a
        locked row. Then it gets 503. A statement may take 1.25 times as long, a search or digest 2.5 times. A longer
        timeout only helps with a distant or slow database; during an outage, all requests wait as long.`,
    }),
    FILE_MAX_BYTES: described(wholeNumber(1, 500_000_000).prefault(String(DEFAULT_MAX_FILE_BYTES)), {
      title: 'Maximum size of a file in bytes',
      description: `The maximum size of an uploaded file in bytes. An upload must also arrive within 15 minutes.`,
    }),
    FILES_URL: described(bucket.optional(), {
      title: 'Bucket for the bytes of files',
      description: `A bucket of S3 or a compatible store, for the bytes of files: s3://bucket/prefix, with the endpoint
        if it is not that of AWS, and the region if it is not us-east-1. It is for one database alone, as objects that
        this does not know are deleted. If unset, PostgreSQL has the bytes.`,
      example: 's3://spaces-files/main?endpoint=https://s3.example.org&region=eu-west-1',
    }),
    AWS_ACCESS_KEY_ID: described(notEmpty.optional(), {
      title: 'Access key of the bucket',
      description: 'The id of an access key that may list the bucket, and read, write and delete its objects.',
      example: 'AKIAIOSFODNN7EXAMPLE',
    }),
    AWS_SECRET_ACCESS_KEY: described(notEmpty.optional(), {
      title: 'Secret of that access key',
      description: 'The secret of that access key.',
      example: 'the-secret-of-the-key',
    }),
    MIN_FREE_DISK_MB: described(wholeNumber(0, 100_000_000).prefault('512'), {
      title: 'Free disk space for writes, in MiB',
      description: `The free space, in MiB, below which writes get 503 and reads continue, on the disk of the embedded
        PostgreSQL, which stops when the disk is full. 0 means never.`,
    }),
  },
  'E-mail': {
    SMTP_URL: described(smtpUrl.optional(), {
      title: 'Mail server',
      description: `The mail server, for notifications of people who are away, invites and sign-in links: smtp:// (with
        TLS if the mail server offers it) or smtps://. If unset, no e-mail is sent. It requires SERVER_KEY.`,
      example: 'smtps://user:password@mail.example.org',
    }),
    MAIL_FROM: described(notEmpty.optional(), {
      title: 'Sender address of e-mail',
      description: 'The sender address of e-mail.',
      example: 'spaces@example.org',
    }),
  },
  Registration: {
    OIDC_ISSUER: described(issuer.optional(), {
      title: 'OpenID Connect provider for sign-in',
      description: `The exact issuer of an OpenID Connect provider for sign-in; https, except on this machine. Register
        PUBLIC_URL with the path /sign-in/callback as its redirect URI. Each identity that the provider accepts gets an
        account at its first sign-in, if the provider has verified its e-mail address. If unset, no provider is used.`,
      example: 'https://login.example.org/',
    }),
    OIDC_CLIENT_ID: described(notEmpty.optional(), {
      title: 'Client ID at the provider',
      description: 'The client ID of this server at the provider.',
      example: 'spaces',
    }),
    OIDC_CLIENT_SECRET: described(notEmpty.optional(), {
      title: 'Client secret at the provider',
      description: 'The client secret, if the provider issued one.',
    }),
    OIDC_TENANT: described(notEmpty.optional(), {
      title: 'Tenant of people from the provider',
      description: `The tenant that people from the provider join: its id, or a name that no other tenant has; or
        claim:NAME for a claim that contains it, without which sign-in is refused. If unset, the shared tenant.`,
      example: 'claim:hd',
    }),
    OIDC_ADMINS: described(admins.optional(), {
      title: "Claim of the tenant's admins",
      description: `A claim and the value that makes a person an admin of that tenant. Each sign-in grants or removes
        the role accordingly. If unset, the provider does not change admins.`,
      example: 'groups=spaces-admins',
    }),
    REGISTRATION: described(z.enum(['open', 'closed'], { error: 'must be open or closed' }).prefault('open'), {
      title: '`closed`: new humans need an invite',
      description: `open: anyone who can reach the server can register as a human. closed: new humans need an invite.
        Humans can still register agents.`,
    }),
    REGISTRATION_LIMIT: described(limit.prefault('1000'), {
      title: 'Registrations of humans from an address per hour',
      description: `Registrations of humans from one address in an hour of the clock, on all servers together. 0 means no
        limit. This machine is exempt, unless a proxy on it forwards requests. Behind a proxy, set TRUST_PROXY, or all
        clients have the proxy's address.`,
    }),
  },
  Limits: {
    FAILED_CREDENTIAL_LIMIT: described(limit.prefault('1000'), {
      title: 'Invalid credentials from an address per hour',
      description: `Requests from one address in an hour that fail for an invalid credential. Beyond the limit, such
        requests get 429 instead of 401; valid credentials still work. This machine is exempt as for REGISTRATION_LIMIT.`,
    }),
    WRITE_LIMIT: described(limit.prefault('0'), {
      title: 'Writes of a human and its agents per minute',
      description: `Writes of one human in a minute, with all their credentials and agents; each event of a batch counts.
        Archiving, revoking, deleting and the like are not limited.`,
    }),
    HEAVY_READ_LIMIT: described(limit.prefault('0'), {
      title: 'Heavy reads of a human and its agents per minute',
      description: `Searches, activity digests, summaries, contexts, transcripts and lists of threads of one human and
        their agents in a minute.`,
    }),
    STREAM_LIMIT: described(limit.prefault('0'), {
      title: 'Open streams of a human and its agents',
      description: `Open streams of one human and their agents. Those of a killed server count for 15 seconds.`,
    }),
  },
  'Logs and metrics': {
    LOG_LEVEL: described(z.enum(LOG_LEVELS, oneOf(LOG_LEVELS)).prefault('info'), {
      title: 'Log level',
      description: 'trace, debug, info, warn, error, fatal or silent.',
    }),
    LOG_FORMAT: described(z.enum(LOG_FORMATS, oneOf(LOG_FORMATS)).prefault('auto'), {
      title: 'Log format',
      description: `Each log entry is one line on standard error: json for programs, text for people, auto for text at a
        terminal and json otherwise.`,
    }),
    METRICS_PORT: described(port(1).optional(), {
      title: 'Port of metrics',
      description: 'The port for Prometheus metrics, at /metrics. If unset, metrics are off.',
      example: '9464',
    }),
    METRICS_HOST: described(notEmpty.prefault('127.0.0.1'), {
      title: 'Address of metrics',
      description: `The address for metrics, which need no credential: with another one than 127.0.0.1, let only
        Prometheus reach the port.`,
    }),
  },
  Summaries: {
    SUMMARY_PROVIDER: described(
      z.enum(['openai-compatible', 'anthropic'], { error: 'must be openai-compatible or anthropic' }).optional(),
      {
        title: 'Language model provider of summaries',
        description: `openai-compatible or anthropic: a language model writes the summaries, and receives the events. If
          unset, the built-in summarizer writes them, without a network. operate tenant set --language-model off turns
          the model off for a tenant.`,
        example: 'openai-compatible',
      },
    ),
    SUMMARY_MODEL: described(z.string().optional(), {
      title: 'Model name',
      description: "The model's name at the provider.",
    }),
    SUMMARY_URL: described(httpUrl.optional(), {
      title: "URL of the provider's API",
      description: "The URL of the provider's API, such as http://127.0.0.1:11434/v1. Not needed for Anthropic.",
    }),
    SUMMARY_API_KEY: described(z.string().optional(), {
      title: "The provider's API key",
      description: 'The API key of the provider, if it needs one.',
    }),
    SUMMARY_CONTEXT: described(wholeNumber(8_000, 10_000_000).prefault('32000'), {
      title: 'Context window in tokens',
      description: "The model's context window in tokens, input and output together.",
    }),
    SUMMARY_TIMEOUT: described(seconds(1, 600).prefault('60'), {
      title: 'Model timeout in seconds',
      description:
        'The timeout of one call to the model, in seconds. After that, the built-in summarizer writes the summary.',
    }),
  },
}

/** The form of the environment that the server reads. */
export const Environment = z.object({
  ...SECTIONS.Network,
  ...SECTIONS.Data,
  ...SECTIONS['E-mail'],
  ...SECTIONS.Registration,
  ...SECTIONS.Limits,
  ...SECTIONS['Logs and metrics'],
  ...SECTIONS.Summaries,
})
