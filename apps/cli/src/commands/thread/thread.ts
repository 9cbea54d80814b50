import { nounWith } from '../../command.js'
import { list } from './list.js'
import { show } from './show.js'
import { start } from './start.js'

export const define = nounWith(list, start, show)
