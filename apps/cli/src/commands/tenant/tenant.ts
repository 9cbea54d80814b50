import type { Define } from '../../command.js'
import { create } from './create.js'
import { leave } from './leave.js'
import { members } from './members.js'
import { policy } from './policy.js'
import { promote } from './promote.js'
import { removeMember } from './remove-member.js'
import { show } from './show.js'

export const define: Define = (tenant) => {
  for (const verb of [create, show, members, policy, promote, removeMember, leave]) verb(tenant)
}
