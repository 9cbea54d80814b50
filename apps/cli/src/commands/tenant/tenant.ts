import type { Define } from '../../command.js'
import { create } from './create.js'
import { removeMember } from './remove-member.js'
import { show } from './show.js'

export const define: Define = (tenant) => {
  for (const verb of [create, show, removeMember]) verb(tenant)
}
