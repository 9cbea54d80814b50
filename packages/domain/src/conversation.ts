import { invalid } from './errors.js'
import { LIMITS } from './limits.js'

/** The pattern of the ids of conversations, for PostgreSQL as well. */
export const CONVERSATION_PATTERN = '^conversation-[0-9a-f]{32}$'
const CONVERSATION = new RegExp(CONVERSATION_PATTERN)

/**
 * Returns whether a space ID is that of a conversation. The ID is a hash of its participants, so that it reveals nothing about
 * them; no other space can have such an ID.
 */
export const isConversation = (spaceId: string): boolean => CONVERSATION.test(spaceId)

/** Returns the ID of a conversation, from a hash of its participants. */
export const conversationId = (hash: string): string => `conversation-${hash.slice(0, 32)}`

/** Returns the participants of a conversation, its starter included, sorted. 400 for too few or too many. */
export function partnersOf(starter: string, actorIds: readonly string[]): string[] {
  const partners = [...new Set([starter, ...actorIds])].sort()
  if (partners.length < 2) throw invalid('actor_ids', 'must name another actor')
  if (partners.length > LIMITS.conversation) {
    throw invalid(
      'actor_ids',
      `a conversation is between at most ${LIMITS.conversation}; create a private space instead`,
    )
  }
  return partners
}
