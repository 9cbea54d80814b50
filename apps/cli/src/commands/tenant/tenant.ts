import type { Define } from '../../command.js'
import { create } from './create.js'
import { show } from './show.js'

export const define: Define = (tenant) => {
  for (const verb of [create, show]) verb(tenant)
}
