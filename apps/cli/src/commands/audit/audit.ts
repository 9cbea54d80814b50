import type { Define } from '../../command.js'
import { exportAudit } from './export.js'
import { list } from './list.js'

export const define: Define = (audit) => {
  for (const verb of [list, exportAudit]) verb(audit)
}
