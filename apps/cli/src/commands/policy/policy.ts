import type { Define } from '../../command.js'
import { set } from './set.js'
import { show } from './show.js'

export const define: Define = (policy) => {
  for (const verb of [show, set]) verb(policy)
}
