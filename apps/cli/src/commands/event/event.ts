import { nounWith } from '../../command.js'
import { show } from './show.js'

export const define = nounWith(show)
