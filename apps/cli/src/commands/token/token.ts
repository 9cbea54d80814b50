import type { Define } from '../../command.js'
import { create } from './create.js'
import { list } from './list.js'
import { revoke } from './revoke.js'

export const define: Define = (token) => {
  for (const verb of [create, list, revoke]) verb(token)
}
