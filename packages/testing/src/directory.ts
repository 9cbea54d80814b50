import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/**
 * Provides an empty directory for all tests of a file, below the temporary directory or a given parent. It is removed
 * with its content after the last test.
 */
export function useDirectory(parent = tmpdir()): { readonly path: string } {
  let made: string | undefined
  beforeAll(async () => {
    made = await realpath(await mkdtemp(join(parent, 'spaces-')))
  })
  afterAll(async () => {
    if (made !== undefined) await rm(made, { recursive: true, force: true })
  })
  return {
    get path() {
      if (made === undefined) throw new Error('The directory exists only during tests')
      return made
    },
  }
}
