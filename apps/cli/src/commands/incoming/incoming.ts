import { nounWith } from '../../command.js'
import { create } from './create.js'
import { remove } from './delete.js'
import { list } from './list.js'
import { rotateSecret } from './secret.js'
import { show } from './show.js'
import { update } from './update.js'

export const define = nounWith(create, list, show, update, rotateSecret, remove)
