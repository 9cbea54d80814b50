import type { Define } from '../../command.js'
import { list } from './list.js'
import { remove } from './remove.js'
import { use } from './use.js'

export const define: Define = (profile) => {
  for (const verb of [list, use, remove]) verb(profile)
}
