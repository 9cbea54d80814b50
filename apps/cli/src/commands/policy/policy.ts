import type { Define } from '../../command.js'
import { history } from './history.js'
import { set } from './set.js'
import { show } from './show.js'

export const define: Define = (policy) => {
  for (const verb of [show, set, history]) verb(policy)
}
