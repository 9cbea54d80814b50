import type { Define } from '../../command.js'
import { connect } from './connect.js'
import { deleteAgent } from './delete.js'
import { edit } from './edit.js'
import { list } from './list.js'
import { register } from './register.js'
import { release } from './release.js'
import { rotateKey } from './rotate-key.js'

export const define: Define = (agent) => {
  for (const verb of [list, register, edit, connect, release, rotateKey, deleteAgent]) verb(agent)
}
