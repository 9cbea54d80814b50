import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/**
 * An empty directory for all tests of a file, from the first of them on, and below the temporary one unless they need
 * another parent. What they leave in it ends with them.
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
      if (made === undefined) throw new Error('There is a directory from the first test on')
      return made
    },
  }
}
