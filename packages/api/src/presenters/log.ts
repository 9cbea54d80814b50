import type { TreeRecord } from '@collab-spaces/db'
import { parseCheckpoint } from '@collab-spaces/merkle'
import type { z } from 'zod'
import type { Checkpoint } from '../schemas/log.js'

export function presentCheckpoint({ epoch, checkpoint, signedBy, sealedAt }: TreeRecord): z.infer<typeof Checkpoint> {
  const says = parseCheckpoint(checkpoint)
  if (!says) throw new Error('a stored checkpoint is none')
  return {
    origin: says.origin,
    epoch,
    size: says.size,
    root: says.root.toString('base64'),
    checkpoint,
    key: signedBy,
    sealed_at: sealedAt?.toISOString() ?? null,
  }
}
