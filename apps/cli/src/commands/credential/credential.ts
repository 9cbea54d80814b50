import { nounWith } from '../../command.js'
import { list } from './list.js'
import { revoke } from './revoke.js'

export const define = nounWith(list, revoke)
