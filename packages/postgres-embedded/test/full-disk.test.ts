import { expect, it } from 'vitest'
import { untilReady } from '../src/ownership.js'
import type { Postmaster } from '../src/postmaster.js'
import type { PreparedData } from '../src/prepared-data.js'
import { scratch } from './harness.js'

/** A line of PostgreSQL that finds the disk full after it has recovered. It does not exit, but recovers again. */
const PANIC = 'PANIC:  could not write to log file "000000010000000000000002" at offset 8192: No space left on device'

it('a start fails at once while PostgreSQL recovers again and again on a full disk', async () => {
  const dataDir = await scratch()
  const data = { dataDir, connection: { host: dataDir, port: 5432 } } as PreparedData
  const postmaster = { child: { exitCode: null, signalCode: null }, reason: async () => PANIC } as Postmaster
  const start = untilReady(data, postmaster, () => {}, AbortSignal.timeout(30_000))
  await expect(start).rejects.toThrow(`The disk that holds ${dataDir} is full: free some space and start again`)
})
