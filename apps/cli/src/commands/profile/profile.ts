import { nounWith } from '../../command.js'
import { allow } from './allow.js'
import { list } from './list.js'
import { remove } from './remove.js'
import { use } from './use.js'

export const define = nounWith(list, use, allow, remove)
