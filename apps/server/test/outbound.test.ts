import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** The sources of the server, without the database and the start files. */
const SOURCES = [
  'apps/server/src',
  'packages/api/src',
  'packages/domain/src',
  'packages/fair/src',
  'packages/summarizer/src',
]

/** Modules that can open connections, with their exports that open none. */
const CONNECTING: Readonly<Record<string, readonly string[]>> = {
  'node:http': ['STATUS_CODES', 'Server', 'IncomingMessage', 'ServerResponse', 'createServer'],
  'node:https': ['createServer'],
  'node:http2': [],
  'node:net': ['BlockList', 'isIP', 'isIPv4', 'isIPv6'],
  'node:tls': [],
  'node:dgram': [],
  'node:dns': [],
  'node:dns/promises': [],
}

/** Dependencies that open connections. A review found that the others open none. */
const CONNECTING_DEPENDENCIES = [
  ...[
    '@ai-sdk/anthropic',
    '@ai-sdk/openai-compatible',
    'ai',
    'nodemailer',
    'oidc-provider',
    'openid-client',
    'web-push',
  ],
  ...['pg', 'undici', 'ws'],
]
const QUIET_DEPENDENCIES = [
  // Only its signatures are used.
  'aws4fetch',
  ...['@modelcontextprotocol/server', '@simplewebauthn/server', '@trpc/server', 'commander', 'express'],
  ...['fastest-levenshtein', 'helmet', 'ipaddr.js', 'pino', 'pino-pretty', 'prom-client', 'swagger-ui-dist'],
  ...['trpc-to-openapi', 'uuid', 'zod', 'zod-openapi'],
]

/** Files that may open connections. Only the first connects to an address that a client chose. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'apps/server/src/webhooks/guarded-request.ts': ['node:http', 'node:https'],
  'apps/server/src/webhooks/resolve.ts': ['node:dns'],
  // It only encrypts and signs.
  'apps/server/src/notifications/pusher.ts': ['web-push'],
  // It fetches with the function that it receives.
  'apps/server/src/oauth/provider.ts': ['oidc-provider'],
  'apps/server/src/oauth/records.ts': ['oidc-provider'],
  // These connect to addresses that the operator chose.
  'apps/server/src/bucket.ts': ['node:http', 'node:https'],
  'apps/server/src/notifications/mailer.ts': ['nodemailer'],
  'apps/server/src/sign-in/provider.ts': ['openid-client'],
  'apps/server/src/summary/language-model.ts': ['@ai-sdk/anthropic', '@ai-sdk/openai-compatible', 'ai'],
}

const files = SOURCES.flatMap((source) =>
  readdirSync(join(ROOT, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|\.d)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
).map((path) => ({ path: relative(ROOT, path), text: withoutComments(readFileSync(path, 'utf8')) }))

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

interface Import {
  readonly module: string
  /** Null for all of the module. */
  readonly names: readonly string[] | null
}

/** Returns the imports of values in a source, static and dynamic. */
function importsIn(text: string): Import[] {
  const named = [...text.matchAll(/^import (?!type )([^'"]+?) from '([^']+)'/gm)].map(
    ([, clause = '', module = '']) => {
      const [, inBraces] = /^\{([^}]*)\}$/.exec(clause.trim()) ?? []
      const names = inBraces?.split(',').map((name) => name.trim())
      return { module, names: names?.filter((name) => name !== '' && !name.startsWith('type ')) ?? null }
    },
  )
  const whole = [...text.matchAll(/^import '([^']+)'|\b(?:import|require)\('([^']+)'\)|^export .* from '([^']+)'/gm)]
  return [
    ...named,
    ...whole.map(([, bare, dynamic, passed]) => ({ module: bare ?? dynamic ?? passed ?? '', names: null })),
  ]
}

/** Returns the modules by which a source can open connections. */
const connectingIn = (text: string): string[] =>
  importsIn(text).flatMap(({ module, names }) => {
    if (CONNECTING_DEPENDENCIES.includes(module)) return names?.length === 0 ? [] : [module]
    const quiet = CONNECTING[module.replace(/^(?=(?:https?|http2|net|tls|dgram|dns)(?:\/promises)?$)/, 'node:')]
    if (!quiet) return []
    return names?.every((name) => quiet.includes(name.replace(/ as .*/, ''))) ? [] : [module]
  })

describe('the sources', () => {
  it('open connections only in the listed files, by the listed modules', () => {
    const found = Object.fromEntries(
      files
        .map(({ path, text }) => [path, [...new Set(connectingIn(text))].sort()])
        .filter(([, modules]) => modules?.length),
    )
    expect(found).toEqual(ALLOWED)
  })

  it('use no global that opens connections', () => {
    const using = files.filter(({ text }) =>
      /(?<![.\w'#])(?:fetch|WebSocket|EventSource)\(|globalThis\.fetch/.test(text),
    )
    expect(using.map(({ path }) => path)).toEqual([])
  })

  it('have no dependency that was not reviewed', () => {
    const dependencies = SOURCES.flatMap((source) => {
      const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, source, '../package.json'), 'utf8'))
      return Object.keys(dependencies)
    }).filter((name) => !name.startsWith('@collab-spaces/'))
    const known = [...CONNECTING_DEPENDENCIES, ...QUIET_DEPENDENCIES]
    expect(dependencies.filter((name) => !known.includes(name))).toEqual([])
  })

  it('pass mail to the transport in one place', () => {
    const naming = (pattern: RegExp) =>
      files
        .filter(({ text }) => pattern.test(text))
        .map(({ path }) => path)
        .sort()
    expect(naming(/\btransport\.send\(|\.sendMail\(/)).toEqual([
      'apps/server/src/notifications/mailer.ts',
      'packages/api/src/mailer.ts',
    ])
    expect(naming(/\bSmtpMailer\b/)).toEqual(['apps/server/src/notifications/mailer.ts', 'apps/server/src/serve.ts'])
    expect(naming(/\bas VerifiedAddress\b/)).toEqual([])
  })
})

describe('a client id that is a URL', () => {
  // Loopback is allowed, so that only the form of the host is refused.
  const h = useServer()
  const guarded = useServer({ WEBHOOK_NETWORKS: 'public' })
  let connections = 0
  const inside = createServer((socket) => {
    connections++
    socket.destroy()
  })
  beforeAll(() => new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve)))
  afterAll(() => inside.close())

  const authorize = async (url: string, host: string) => {
    const { port } = inside.address() as AddressInfo
    const clientId = encodeURIComponent(`https://${host}:${port}/client.json`)
    return (await fetch(`${url}/oauth/authorize?client_id=${clientId}&response_type=code`)).status
  }

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]'])(
    'is refused without a connection to %s',
    async (host) => {
      expect(await authorize(h.url, host)).toBe(400)
      expect(connections).toBe(0)
    },
  )

  it.each(['localhost', 'programs.localhost'])(
    'is refused without a connection to %s if its addresses are not allowed',
    async (host) => {
      expect(await authorize(guarded.url, host)).toBe(400)
      expect(connections).toBe(0)
      // The other server, which allows loopback, connects.
      expect(await authorize(h.url, host)).toBe(400)
      expect(connections).toBeGreaterThan(0)
      connections = 0
    },
  )
})
