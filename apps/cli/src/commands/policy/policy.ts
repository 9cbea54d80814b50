import { nounWith } from '../../command.js'
import { history } from './history.js'
import { set } from './set.js'
import { show } from './show.js'

export const define = nounWith(show, set, history)
