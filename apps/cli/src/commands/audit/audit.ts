import type { Define } from '../../command.js'
import { list } from './list.js'

export const define: Define = (audit) => list(audit)
