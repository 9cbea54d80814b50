import type { EndedItems } from '@collab-spaces/client'
import { Cell } from '../cell'

interface IssuedKey {
  readonly secret: string
  /** What has ended with the previous key, if that was requested. */
  readonly ended: EndedItems | null
}

/** The key just issued, until its owner confirms that it is saved. */
export const newKey = new Cell<IssuedKey | null>(null)
