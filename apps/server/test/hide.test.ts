import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { hideCredentials, loggedError } from '../src/http/hide.js'

const KEY = `svc_${'7'.repeat(64)}`

describe('a path in the log', () => {
  it.each([
    ['/api/spaces/plans/status', '/api/spaces/plans/status'],
    ['/api/spaces/caf%C3%A9%20', '/api/spaces/caf%C3%A9%20'],
    ['/api/spaces/%E0%A4%A', '/api/spaces/%E0%A4%A'],
    [`/api/spaces/${KEY}/status`, '/api/spaces/svc_…/status'],
    [`/api/spaces/${KEY.toUpperCase()}`, '/api/spaces/SVC_…'],
    [`/api/spaces/${KEY.replace('_', '%5F')}`, '/api/spaces/svc_…'],
    [`/api/spaces/${KEY.replace('s', '%73')}`, '/api/spaces/svc_…'],
    [`/api/spaces/${KEY.replace('_', '%25255f')}`, '/api/spaces/svc_…'],
    [`/%E0%A4%A/${KEY.replace('7', '%37')}`, '/%E0%A4%A/svc_…'],
    ['/api/spaces/svc_ticket_ab-c_d-e/status', '/api/spaces/svc_…/status'],
    ['/api/agent-codes/agt_code_0123abcd', '/api/agent-codes/agt_code_…'],
    ['/api/webhooks/whsec_ab%2Fcd+ef=', '/api/webhooks/whsec_…'],
    ['/hooks/agt_0123ab/whsec_ab-c_d', '/hooks/agt_0123ab/…'],
    ['/hooks/agt_0123ab/%77hsec_ab-c_d', '/hooks/agt_0123ab/…'],
    [`/inv%5Fcode%5F${'7'.repeat(64)}`, '/inv_code_…'],
  ])('is written without credentials: %s', (path, shown) => {
    expect(hideCredentials(path)).toBe(shown)
  })
})

describe('an error in the log', () => {
  /** Returns the log line of an error. */
  function logged(error: Error): string {
    const lines: string[] = []
    const log = pino({ serializers: { err: loggedError } }, { write: (line) => lines.push(line) })
    log.error({ err: error }, 'failed')
    return lines.join('')
  }

  const url = `http://localhost/api/spaces?token=${KEY}`

  it('keeps its type, its message and its stack', () => {
    const line = JSON.parse(logged(new TypeError('Is it "well"? No.')))
    expect(line.err).toMatchObject({ type: 'TypeError', message: 'Is it "well"? No.' })
    expect(line.err.stack).toContain('hide.test.ts')
  })

  it.each([
    ['message', () => new Error(`Failed to parse ${url}`)],
    ['cause', () => new Error('Failed', { cause: new Error(`No such page: '${url}'`) })],
    ['fields', () => Object.assign(new Error('Failed'), { input: url, request: { headers: [url, { referer: url }] } })],
    [
      'circular fields',
      () => {
        const error = Object.assign(new Error('Failed'), { url, itself: {} })
        error.itself = { error: { ...error, itself: error } }
        return error
      },
    ],
    ['several errors', () => new AggregateError([new Error(url), new Error(url)], url)],
    [
      'error for an invalid URL',
      () => {
        try {
          return new URL(`//?token=${KEY}`) as never
        } catch (error) {
          return error as Error
        }
      },
    ],
  ])('has no query and no credential in its %s', (_, make) => {
    const text = logged(make())
    expect(text).toContain('"type":"')
    expect(text).not.toContain('token=')
    expect(text).not.toContain('7'.repeat(10))
  })
})
