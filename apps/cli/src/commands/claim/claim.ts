import type { Define } from '../../command.js'
import { handOver } from './hand-over.js'
import { list } from './list.js'
import { release } from './release.js'
import { renew } from './renew.js'
import { take } from './take.js'
import { takeOver } from './take-over.js'

export const define: Define = (claim) => {
  for (const verb of [take, list, renew, release, handOver, takeOver]) verb(claim)
}
