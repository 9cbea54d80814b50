import { nounWith } from '../../command.js'
import { deleteAccount } from './delete.js'
import { edit } from './edit.js'
import { rotateKey } from './rotate-key.js'

export const define = nounWith(edit, rotateKey, deleteAccount)
