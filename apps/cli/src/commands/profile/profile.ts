import type { Define } from '../../command.js'
import { allow } from './allow.js'
import { list } from './list.js'
import { remove } from './remove.js'
import { use } from './use.js'

export const define: Define = (profile) => {
  for (const verb of [list, use, allow, remove]) verb(profile)
}
