import type { Define } from '../../command.js'
import { list } from './list.js'
import { revoke } from './revoke.js'

export const define: Define = (credential) => {
  for (const verb of [list, revoke]) verb(credential)
}
