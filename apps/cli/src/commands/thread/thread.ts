import type { Define } from '../../command.js'
import { list } from './list.js'
import { show } from './show.js'
import { start } from './start.js'

export const define: Define = (thread) => {
  for (const verb of [list, start, show]) verb(thread)
}
