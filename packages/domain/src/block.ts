import { conflict, forbidden, invalid } from './errors.js'
import { LIMITS } from './limits.js'

export function requireCanBlock(callerId: string, actorId: string): void {
  if (actorId === callerId) throw invalid('actor_id', 'must be another actor')
}

/** `count` includes the block that is being added. */
export function requireBlockLeft(count: number): void {
  if (count > LIMITS.blocks) throw conflict(`You can block at most ${LIMITS.blocks} actors`)
}

/** Of several actors, it does not tell which one has blocked the caller. */
export const conversationRefused = () => forbidden('You cannot start a conversation with these actors')

export const additionRefused = () => forbidden('You cannot add this actor to a space')
