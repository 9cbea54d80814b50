import { nounWith } from '../../command.js'
import { discuss } from './discuss.js'
import { history } from './history.js'
import { count, list } from './list.js'
import { propose } from './propose.js'
import { approve, disapprove } from './review.js'
import { reject, resolve } from './settle.js'
import { show } from './show.js'
import { use } from './use.js'

export const define = nounWith(propose, list, show, approve, disapprove, discuss, resolve, reject, use, history, count)
