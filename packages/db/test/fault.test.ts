import { describe, expect, it } from 'vitest'
import { isConflict, isUnavailable } from '../src/connection/fault.js'

const withCode = (code: string) => Object.assign(new Error('It failed'), { code })

describe('an unavailable database', () => {
  it.each([
    '08006',
    '57P01',
    '57P03',
    '53300',
    '25006',
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EAGAIN',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETDOWN',
    'ERR_STREAM_DESTROYED',
    'P1017',
  ])('is recognized by the code %s', (code) => {
    expect(isUnavailable(withCode(code))).toBe(true)
    expect(isUnavailable(new Error('wrapped', { cause: withCode(code) }))).toBe(true)
  })

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client was closed and is not queryable',
    'Received unexpected commandComplete message from backend.',
  ])('is recognized by a message of the driver without a code: %s', (message) => {
    expect(isUnavailable(new Error(message))).toBe(true)
  })

  it('is recognized by the code in the metadata of a Prisma error', () => {
    const error = Object.assign(new Error('It failed'), {
      code: 'P2010',
      meta: { driverAdapterError: new Error('driver', { cause: { originalCode: '57P02' } }) },
    })
    expect(isUnavailable(error)).toBe(true)
  })

  it.each(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'])(
    'is recognized by the kind of a Prisma error of a raw query: %s',
    (kind) => {
      const driverAdapterError = Object.assign(new Error('driver'), { cause: { kind } })
      const error = Object.assign(new Error('Raw query failed'), { code: 'P2010', meta: { driverAdapterError } })
      expect(isUnavailable(error)).toBe(true)
    },
  )
})

it.each(['23505', '42P01', '22021', 'P2002', 'ERR_INVALID_ARG_TYPE'])('%s is a server fault', (code) => {
  expect(isUnavailable(withCode(code))).toBe(false)
})

it('a deadlock is recognized in a statement of Prisma, and in a raw one', () => {
  const driverAdapterError = Object.assign(new Error('driver'), { cause: { originalCode: '40P01' } })
  for (const code of ['P2010', 'P2034'])
    expect(isConflict(Object.assign(new Error('It failed'), { code, meta: { driverAdapterError } }))).toBe(true)
})
