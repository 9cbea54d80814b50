import { nounWith } from '../../command.js'
import { handOver } from './hand-over.js'
import { list } from './list.js'
import { release } from './release.js'
import { renew } from './renew.js'
import { take } from './take.js'
import { takeOver } from './take-over.js'

export const define = nounWith(take, list, renew, release, handOver, takeOver)
