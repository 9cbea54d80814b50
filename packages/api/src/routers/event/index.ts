import { router } from '../../procedure/trpc.js'
import { reads } from './read.js'
import { streams } from './stream.js'
import { writes } from './write.js'

/** Events are read, written and followed. */
export const eventRouter = router({ ...reads, ...writes, ...streams })
