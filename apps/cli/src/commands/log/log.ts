import { nounWith } from '../../command.js'
import { exportLog } from './export.js'
import { receipt } from './receipt.js'
import { verify } from './verify.js'

export const define = nounWith(exportLog, receipt, verify)
