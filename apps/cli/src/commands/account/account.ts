import type { Define } from '../../command.js'
import { deleteAccount } from './delete.js'
import { edit } from './edit.js'
import { rotateKey } from './rotate-key.js'

export const define: Define = (account) => {
  for (const verb of [edit, rotateKey, deleteAccount]) verb(account)
}
