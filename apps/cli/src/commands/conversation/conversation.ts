import { nounWith } from '../../command.js'
import { start } from './start.js'

export const define = nounWith(start)
