import { type DatabaseProxy, proxyTo, type TestDatabase } from '@collab-spaces/testing'
import { afterAll, beforeAll } from 'vitest'

/** Starts a proxy in front of a database for all tests of a file. Use within `describe` or at the top of a file. */
export function useDatabaseProxy(database: TestDatabase): DatabaseProxy {
  const proxy = {} as DatabaseProxy
  beforeAll(async () => {
    Object.assign(proxy, await proxyTo(database.connection))
  })
  afterAll(() => proxy.cut())
  return proxy
}
