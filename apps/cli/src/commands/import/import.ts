import { SERVICES } from '../../archive/service.js'
import type { Define } from '../../command.js'
import { importArchive } from './archive.js'
import { defineHistory } from './history.js'

export const define: Define = (command) => {
  defineHistory(command)
  defineHistory(
    command.command('space').description('Import an exported history into a space, also into one named as a command'),
  )
  for (const service of SERVICES) importArchive(command, service)
}
