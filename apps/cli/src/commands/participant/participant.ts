import type { Define } from '../../command.js'
import { add } from './add.js'
import { remove } from './remove.js'

export const define: Define = (participant) => {
  for (const verb of [add, remove]) verb(participant)
}
