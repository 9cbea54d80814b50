import { nounWith } from '../../command.js'
import { deleteAlias } from './delete.js'
import { list } from './list.js'
import { set } from './set.js'

export const define = nounWith(set, list, deleteAlias)
