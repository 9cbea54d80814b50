import { expect, it } from 'vitest'
import { FileKeeper } from './keeper.js'

it('takes each step of the housekeeping although the one before fails, and reports each fault', async () => {
  const steps: string[] = []
  const failing = (step: string) => async () => {
    steps.push(step)
    throw new Error(step)
  }
  const files = {
    deleteUnattached: failing('unattached'),
    sweepChunks: failing('chunks'),
    sweepBucket: failing('bucket'),
  }
  const faults: unknown[] = []
  await new FileKeeper(files, (fault) => faults.push(fault)).sweep()
  expect(steps).toEqual(['unattached', 'chunks', 'bucket'])
  expect(faults).toEqual(steps.map((step) => new Error(step)))
})
