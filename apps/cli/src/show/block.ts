import type { Block } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

export function listOfBlocks(blocks: readonly Block[], style: Style): Text {
  if (blocks.length === 0) return 'You have not blocked anyone.'
  return table(style, blocks, {
    member: ({ actor_id }) => actor_id,
    name: ({ name }) => name,
    blocked: ({ created_at }) => relativeTime(created_at),
  })
}
