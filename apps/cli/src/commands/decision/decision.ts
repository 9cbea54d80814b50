import type { Define } from '../../command.js'
import { count } from './count.js'
import { list } from './list.js'
import { propose } from './propose.js'
import { reject, resolve } from './settle.js'
import { show } from './show.js'

export const define: Define = (decision) => {
  for (const verb of [propose, list, show, resolve, reject, count]) verb(decision)
}
