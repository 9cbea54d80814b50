import type { Ended } from '@collab-spaces/client'
import { Cell } from '../cell'

interface Issued {
  readonly secret: string
  /** The things that have ended with the key before, if that was asked for. */
  readonly ended: Ended | null
}

/** The key that was just issued, until its owner has put it away. */
export const newKey = new Cell<Issued | null>(null)
