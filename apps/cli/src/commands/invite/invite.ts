import type { Define } from '../../command.js'
import { create } from './create.js'
import { list } from './list.js'
import { redeem } from './redeem.js'
import { revoke } from './revoke.js'

export const define: Define = (invite) => {
  for (const verb of [create, list, revoke, redeem]) verb(invite)
}
