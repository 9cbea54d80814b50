import type { Define } from '../../command.js'
import { show } from './show.js'
import { start } from './start.js'

export const define: Define = (thread) => {
  for (const verb of [start, show]) verb(thread)
}
