import type { BlockRecord } from '@collab-spaces/db'
import type { z } from 'zod'
import type { Block } from '../schemas/block.js'

export const presentBlock = ({ actorId, name, createdAt }: BlockRecord): z.infer<typeof Block> => ({
  actor_id: actorId,
  name,
  created_at: createdAt.toISOString(),
})
