import type { Define } from '../../command.js'
import { show } from './show.js'

export const define: Define = (event) => {
  for (const verb of [show]) verb(event)
}
