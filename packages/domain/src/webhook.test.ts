import { describe, expect, it } from 'vitest'
import { DomainError } from './errors.js'
import {
  echoesChallenge,
  isAllowedHost,
  nextAttempt,
  retryAfterMs,
  signingGenerations,
  typesOf,
  webhookHosts,
  webhookUrl,
  withoutSecrets,
} from './webhook.js'

const NOW = new Date('2026-03-01T12:00:00Z')
const SECOND = 1_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('the webhook hosts of a tenant', () => {
  const hosts = webhookHosts([
    ' Hooks.Example.ORG. ',
    '*.example.com',
    '*.Example.com',
    '[::1]',
    '127.0.0.1',
    'bücher.example',
  ])

  it('are normalized as in URLs, each once', () => {
    expect(hosts).toEqual(['hooks.example.org', '*.example.com', '[::1]', '127.0.0.1', 'xn--bcher-kva.example'])
  })

  it.each([
    '',
    '*',
    '*.',
    'a.example:443',
    'https://a.example',
    'a.example/x',
    'a@b.example',
    '*.*.example',
    'a.*.example',
    '[1]',
  ])('reject %j', (host) => {
    expect(() => webhookHosts(['a.example', host])).toThrow(/^webhook_hosts\.1: must be a host/)
  })

  it.each([
    ['https://hooks.example.org/x', true],
    ['https://HOOKS.example.org.:8443/x', true],
    ['https://a.example.com', true],
    ['https://a.b.example.com', true],
    ['https://bücher.example', true],
    ['http://[::1]:3000', true],
    ['https://example.com', false],
    ['https://notexample.com', false],
    ['https://example.com.evil.example', false],
    ['https://a.hooks.example.org', false],
    ['https://127.0.0.2', false],
  ])('allow %s: %s', (url, isAllowed) => {
    expect(isAllowedHost(hosts, new URL(url))).toBe(isAllowed)
    expect(isAllowedHost(null, new URL(url))).toBe(true)
    expect(isAllowedHost([], new URL(url))).toBe(false)
  })
})

describe('a webhook challenge', () => {
  it.each([
    ['abc', true],
    [' abc\n', true],
    ['"abc"', true],
    ['{"challenge":"abc"}', true],
    ['{ "ok": true, "challenge": "abc" }', true],
    ['', false],
    ['abcd', false],
    ['null', false],
    ['["abc"]', false],
    ['{"challenge":"ABC"}', false],
    ['{"data":{"challenge":"abc"}}', false],
    ['{"challenge":"abc"', false],
  ])('is echoed by %j: %s', (answer, isEchoed) => {
    expect(echoesChallenge(answer, 'abc')).toBe(isEchoed)
  })
})

describe('the next attempt of a delivery', () => {
  const after = (failures: number, random = 0.5, retryAfterMs: number | null = null) =>
    (nextAttempt({ failures, failingSince: NOW, retryAfterMs }, NOW, random)?.getTime() ?? Number.NaN) - NOW.getTime()

  it('is in 5 seconds, then after twice the delay each time, up to a day', () => {
    expect([1, 2, 3, 10].map((failures) => after(failures))).toEqual([5, 10, 20, 2_560].map((s) => s * SECOND))
    expect(after(20)).toBe(DAY)
    expect(after(2_000, 0.999)).toBe(DAY)
  })

  it('has a jitter of a quarter', () => {
    expect(after(1, 0)).toBe(3.75 * SECOND)
    expect(after(1, 0.999)).toBeCloseTo(6.25 * SECOND, -2)
  })

  it('respects Retry-After, up to a day', () => {
    expect(after(1, 0.5, HOUR)).toBe(HOUR)
    expect(after(5, 0.5, SECOND)).toBe(80 * SECOND)
    expect(after(1, 0.5, 9 * DAY)).toBe(DAY)
  })

  it('is null after three days', () => {
    const at = (hours: number) =>
      nextAttempt({ failures: 30, failingSince: NOW, retryAfterMs: null }, new Date(NOW.getTime() + hours * HOUR), 0.5)
    expect(at(47)).toEqual(new Date(NOW.getTime() + 71 * HOUR))
    expect(at(71)).toEqual(new Date(NOW.getTime() + 72 * HOUR))
    expect(at(72)).toBeNull()
  })
})

describe('Retry-After', () => {
  it.each([
    [undefined, null],
    ['120', 120_000],
    ['0', 0],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-1.5x', null],
  ])('%s is parsed as %s ms', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms)
  })
})

describe('the replaced secret of a webhook', () => {
  it('signs for one more day', () => {
    const since = (ms: number) => signingGenerations({ generation: 3, rotatedAt: new Date(NOW.getTime() - ms) }, NOW)
    expect(signingGenerations({ generation: 1, rotatedAt: null }, NOW)).toEqual([1])
    expect(since(0)).toEqual([3, 2])
    expect(since(DAY - 1)).toEqual([3, 2])
    expect(since(DAY)).toEqual([3])
  })
})

describe('the URL of a webhook', () => {
  it.each([
    'https://example.org/hook?key=1',
    'https://10.0.0.1:8443/',
    'http://127.0.0.1:3000/hook',
    'http://127.9.9.9/',
    'http://[::1]:3000/',
    'http://localhost:3000/',
    'http://hooks.localhost/',
  ])('may be %s', (url) => {
    expect(webhookUrl(url).href).toBe(url)
  })

  it.each([
    'http://example.org/',
    'http://localhost.example.org/',
    'http://127.0.0.1.example.org/',
    'http://10.0.0.1/',
    'ftp://example.org/',
    'javascript:alert(1)',
    'https://',
    'example.org',
    'https://user@example.org/',
    'https://:secret@example.org/',
    'https://example.org/#fragment',
  ])('is rejected: %s', (url) => {
    expect(() => webhookUrl(url)).toThrow(DomainError)
  })

  it('is shown to other members without parts that may be secret', () => {
    expect(withoutSecrets('https://example.org:8443/T0/B1?key=secret')).toBe('https://example.org:8443/…')
  })
})

describe('the types of a webhook', () => {
  it('depend on whether it is for a space or an inbox', () => {
    expect(typesOf(true, undefined)).toEqual(['events.appended', 'decision.changed'])
    expect(typesOf(false, undefined)).toEqual(['attention.raised'])
    expect(typesOf(true, ['decision.changed', 'decision.changed'])).toEqual(['decision.changed'])
    expect(() => typesOf(true, ['attention.raised'])).toThrow('types: a webhook for a space has only')
    expect(() => typesOf(false, ['events.appended'])).toThrow('types: a webhook for an inbox has only')
  })
})
