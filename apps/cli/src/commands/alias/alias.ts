import type { Define } from '../../command.js'
import { deleteAlias } from './delete.js'
import { list } from './list.js'
import { set } from './set.js'

export const define: Define = (alias) => {
  for (const verb of [set, list, deleteAlias]) verb(alias)
}
