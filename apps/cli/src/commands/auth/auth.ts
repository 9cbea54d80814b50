import { nounWith } from '../../command.js'
import { token } from './token.js'

export const define = nounWith(token)
