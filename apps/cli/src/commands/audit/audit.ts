import { nounWith } from '../../command.js'
import { exportAudit } from './export.js'
import { list } from './list.js'

export const define = nounWith(list, exportAudit)
