import { nounWith } from '../../command.js'
import { add } from './add.js'
import { list } from './list.js'
import { remove } from './remove.js'

export const define = nounWith(add, list, remove)
