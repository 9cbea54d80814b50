import { nounWith } from '../../command.js'
import { create } from './create.js'
import { list } from './list.js'
import { revoke } from './revoke.js'

export const define = nounWith(create, list, revoke)
