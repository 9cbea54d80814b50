import { nounWith } from '../../command.js'
import { block } from './block.js'
import { blocked } from './blocked.js'
import { start } from './start.js'
import { unblock } from './unblock.js'

export const define = nounWith(start, block, unblock, blocked)
