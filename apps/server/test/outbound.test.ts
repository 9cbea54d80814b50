import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** What the server is made of, without the database and the programs that start it. */
const SOURCES = [
  'apps/server/src',
  'packages/api/src',
  'packages/domain/src',
  'packages/fair/src',
  'packages/summarizer/src',
]

/** Modules by which a connection can be made, and the names in them that make none. */
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

/** Dependencies that connect by themselves. All others that the server has were looked at, and do not. */
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

/** Who may connect, and where to. Only the first leads to where a client says. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'apps/server/src/webhooks/guarded-request.ts': ['node:http', 'node:https'],
  'apps/server/src/webhooks/resolve.ts': ['node:dns'],
  // It only encrypts and signs.
  'apps/server/src/notifications/pusher.ts': ['web-push'],
  // It fetches by the function that it is given.
  'apps/server/src/oauth/provider.ts': ['oidc-provider'],
  'apps/server/src/oauth/records.ts': ['oidc-provider'],
  // To where the operator says.
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

/** The imports of values in a source, static and dynamic. */
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

/** The modules by which a source can connect to something. */
const connectingIn = (text: string): string[] =>
  importsIn(text).flatMap(({ module, names }) => {
    if (CONNECTING_DEPENDENCIES.includes(module)) return names?.length === 0 ? [] : [module]
    const quiet = CONNECTING[module.replace(/^(?=(?:https?|http2|net|tls|dgram|dns)(?:\/promises)?$)/, 'node:')]
    if (!quiet) return []
    return names?.every((name) => quiet.includes(name.replace(/ as .*/, ''))) ? [] : [module]
  })

describe('the sources', () => {
  it('connect to nothing but by the modules named here', () => {
    const found = Object.fromEntries(
      files
        .map(({ path, text }) => [path, [...new Set(connectingIn(text))].sort()])
        .filter(([, modules]) => modules?.length),
    )
    expect(found).toEqual(ALLOWED)
  })

  it('use no global that connects', () => {
    const using = files.filter(({ text }) =>
      /(?<![.\w'#])(?:fetch|WebSocket|EventSource)\(|globalThis\.fetch/.test(text),
    )
    expect(using.map(({ path }) => path)).toEqual([])
  })

  it('depend on nothing else that may connect by itself', () => {
    const dependencies = SOURCES.flatMap((source) => {
      const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, source, '../package.json'), 'utf8'))
      return Object.keys(dependencies)
    }).filter((name) => !name.startsWith('@collab-spaces/'))
    const known = [...CONNECTING_DEPENDENCIES, ...QUIET_DEPENDENCIES]
    expect(dependencies.filter((name) => !known.includes(name))).toEqual([])
  })

  it('hand mail to its transport in one place', () => {
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

describe('a client id that is an address', () => {
  // Loopback is allowed: it is refused for what it is.
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
    '%s is not connected to',
    async (host) => {
      expect(await authorize(h.url, host)).toBe(400)
      expect(connections).toBe(0)
    },
  )

  it.each(['localhost', 'programs.localhost'])(
    'and neither is %s, where it leads to none that is allowed',
    async (host) => {
      expect(await authorize(guarded.url, host)).toBe(400)
      expect(connections).toBe(0)
      // A name that may lead here is connected to.
      expect(await authorize(h.url, host)).toBe(400)
      expect(connections).toBeGreaterThan(0)
      connections = 0
    },
  )
})
