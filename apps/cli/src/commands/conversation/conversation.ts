import type { Define } from '../../command.js'
import { start } from './start.js'

export const define: Define = (conversation) => {
  start(conversation)
}
