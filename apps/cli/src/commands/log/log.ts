import type { Define } from '../../command.js'
import { exportLog } from './export.js'
import { receipt } from './receipt.js'
import { verify } from './verify.js'

export const define: Define = (log) => {
  for (const verb of [exportLog, receipt, verify]) verb(log)
}
