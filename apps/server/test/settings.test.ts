import { resolve } from 'node:path'
import { PUSH_HOSTS } from '@collab-spaces/domain'
import { describe, expect, it } from 'vitest'
import { readSettings, SettingsError } from '../src/settings.js'
import { Networks } from '../src/webhooks/networks.js'

function mistakesOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
  return []
}

describe('settings', () => {
  it('of e-mail require a server and a sender', () => {
    expect(mistakesOf({ SMTP_URL: 'http://mail.example.org', MAIL_FROM: 'a@example.org' })).toHaveLength(1)
    expect(mistakesOf({ SMTP_URL: 'smtp://localhost' })).toEqual(['MAIL_FROM is required with SMTP_URL'])
  })

  it('have defaults', () => {
    expect(readSettings({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      dataDir: resolve('data'),
      explicitDataDir: false,
      databaseUrl: undefined,
      poolSize: 20,
      databaseTimeoutMs: 2_000,
      maxFileBytes: 25 * 1024 ** 2,
      minFreeDiskMb: 512,
      logLevel: 'info',
      logFormat: 'auto',
      publicUrl: undefined,
      allowedHosts: [],
      mcpOrigins: [],
      webhookNetworks: Networks.parse('public'),
      pushHosts: PUSH_HOSTS,
      registration: 'open',
      registrationLimit: 1_000,
      limits: { failedCredentials: 1_000, writes: 0, heavyReads: 0, streams: 0 },
      metricsPort: undefined,
      metricsHost: '127.0.0.1',
      workers: 1,
      trustProxy: 0,
      drainMs: 0,
    })
  })

  it('are read from the environment', () => {
    const settings = readSettings({
      WORKERS: '4',
      PORT: '0',
      HOST: '::',
      DATA_DIR: 'somewhere/else',
      DATABASE_URL: 'postgresql://ada:secret@%2Frun%2Fpostgres:5433/spaces?sslmode=require',
      MIGRATION_DATABASE_URL: 'postgres://root@localhost/spaces',
      DATABASE_POOL: '500',
      DATABASE_TIMEOUT: '60',
      MIN_FREE_DISK_MB: '0',
      LOG_LEVEL: 'silent',
      LOG_FORMAT: 'text',
      PUBLIC_URL: 'https://Spaces.example.org/',
      ALLOWED_HOSTS: 'spaces.internal, Spaces.Example.net,[::2]',
      MCP_ORIGINS: 'https://chat.example.org, http://localhost:6274',
      REGISTRATION: 'closed',
      REGISTRATION_LIMIT: '0',
      FAILED_CREDENTIAL_LIMIT: '50',
      WRITE_LIMIT: '600',
      HEAVY_READ_LIMIT: '20',
      STREAM_LIMIT: '8',
      METRICS_PORT: '9100',
      METRICS_HOST: '::',
      TRUST_PROXY: '2',
      DRAIN_SECONDS: '15',
      WEBHOOK_NETWORKS: 'private, 10.1.0.0/16',
      PUSH_HOSTS: 'Push.example.org, *.example.com',
    })
    expect(settings).toEqual({
      port: 0,
      host: '::',
      dataDir: resolve('somewhere/else'),
      explicitDataDir: true,
      databaseUrl: 'postgresql://ada:secret@%2Frun%2Fpostgres:5433/spaces?sslmode=require',
      migrationDatabaseUrl: 'postgres://root@localhost/spaces',
      poolSize: 500,
      databaseTimeoutMs: 60_000,
      maxFileBytes: 25 * 1024 ** 2,
      minFreeDiskMb: 0,
      logLevel: 'silent',
      logFormat: 'text',
      publicUrl: 'https://spaces.example.org',
      allowedHosts: ['spaces.internal', 'spaces.example.net', '[::2]'],
      mcpOrigins: ['https://chat.example.org', 'http://localhost:6274'],
      webhookNetworks: Networks.parse('private,10.1.0.0/16'),
      pushHosts: [...PUSH_HOSTS, 'push.example.org', '*.example.com'],
      registration: 'closed',
      registrationLimit: 0,
      limits: { failedCredentials: 50, writes: 600, heavyReads: 20, streams: 8 },
      metricsPort: 9100,
      metricsHost: '::',
      workers: 4,
      trustProxy: 2,
      drainMs: 15_000,
    })
  })

  it('count as absent when they are empty, and unknown ones are ignored', () => {
    const empty = { PORT: '', HOST: '', DATA_DIR: '', DATABASE_URL: '', REGISTRATION: '', METRICS_PORT: '' }
    expect(readSettings({ ...empty, PATH: '/bin', PORTS: 'x' })).toEqual(readSettings({}))
  })

  it.each([
    ['PORT', ['x', '-1', '65536', '80.5', '1e3', ' 80']],
    ['DATABASE_URL', ['spaces', 'mysql://localhost/spaces', '/var/run']],
    ['DATABASE_POOL', ['4', '501', '0', 'many']],
    ['DATABASE_TIMEOUT', ['0', '61', '1.5', 'long']],
    ['LOG_LEVEL', ['loud', 'INFO']],
    ['LOG_FORMAT', ['pretty']],
    ['PUBLIC_URL', ['spaces.example.org', 'ftp://example.org', 'javascript:alert(1)', 'https://example.org/spaces']],
    ['PUBLIC_URL', ['https://example.org/?a=b', 'https://example.org/#a', 'https://ada@example.org', 'https://']],
    ['OIDC_ISSUER', ['login.example.org', 'ftp://login.example.org']],
    ['PUSH_HOSTS', ['https://push.example.org', 'push.example.org:443', '*', 'a.example,']],
    ['WEBHOOK_NETWORKS', ['internet', 'public,', '10.0.0.0/33', 'example.org']],
    ['MCP_ORIGINS', ['chat.example.org', 'https://chat.example.org/', 'https://a,,https://b', '*']],
    ['ALLOWED_HOSTS', ['spaces.internal:80', 'https://spaces.internal', 'a,,b', 'a b', 'a/b', '*']],
    ['REGISTRATION', ['true', 'Open']],
    ['METRICS_PORT', ['0', '65536', 'x']],
    ['TRUST_PROXY', ['true', '-1', '100']],
    ['SERVER_KEY', ['secret', '0'.repeat(63)]],
  ])('report an invalid %s in one line that does not repeat its value', (name, values) => {
    for (const value of values) {
      const mistakes = mistakesOf({ [name]: value })
      expect(`${value}: ${mistakes.length}`).toBe(`${value}: 1`)
      expect(mistakes[0]).toMatch(new RegExp(`^${name} must [^\n]+$`))
    }
  })

  it('limit DATABASE_POOL to the connections of the embedded PostgreSQL', () => {
    expect(mistakesOf({ DATABASE_POOL: '81' })).toEqual([
      expect.stringMatching(/^DATABASE_POOL must be at most 80 without/),
    ])
    expect(mistakesOf({ DATABASE_POOL: '80' })).toEqual([])
    expect(mistakesOf({ DATABASE_POOL: '81', DATABASE_URL: 'postgres://localhost/spaces' })).toEqual([])
  })

  it('accept MIGRATION_DATABASE_URL only together with DATABASE_URL', () => {
    const MIGRATION_DATABASE_URL = 'postgres://root@localhost/spaces'
    expect(mistakesOf({ MIGRATION_DATABASE_URL })).toEqual(['MIGRATION_DATABASE_URL requires DATABASE_URL'])
    const served = { DATABASE_URL: 'postgres://ada@localhost/spaces' }
    expect(mistakesOf({ ...served, MIGRATION_DATABASE_URL })).toEqual([])
    expect(mistakesOf({ ...served, MIGRATION_DATABASE_URL: 'mysql://localhost/spaces' })).toHaveLength(1)
  })

  it('never show a password in an error', () => {
    const [mistake] = mistakesOf({ DATABASE_URL: 'mysql://ada:hunter2@localhost/spaces' })
    expect(mistake).not.toContain('hunter2')
  })

  it('are all reported at once when several are wrong', () => {
    const mistakes = mistakesOf({ PORT: 'x', REGISTRATION: 'maybe', TRUST_PROXY: 'yes' })
    expect(mistakes.map((mistake) => mistake.split(' ', 1)[0])).toEqual(['PORT', 'TRUST_PROXY', 'REGISTRATION'])
  })
})
