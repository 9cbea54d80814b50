import type { Define } from '../../command.js'
import { add } from './add.js'
import { list } from './list.js'
import { remove } from './remove.js'

export const define: Define = (link) => {
  for (const verb of [add, list, remove]) verb(link)
}
