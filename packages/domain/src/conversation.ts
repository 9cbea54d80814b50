import { invalid } from './errors.js'
import { LIMITS } from './limits.js'

/** The pattern of the ids of conversations, for PostgreSQL as well. */
export const CONVERSATION_PATTERN = '^conversation-[0-9a-f]{32}$'
const CONVERSATION = new RegExp(CONVERSATION_PATTERN)

/**
 * Whether a space is a conversation, by its id, which is made of who it is between. No other space has such an id: whoever
 * asks for one learns nothing about who talks with whom.
 */
export const isConversation = (spaceId: string): boolean => CONVERSATION.test(spaceId)

/** The id of the conversation between some actors, from a hash of who they are. */
export const conversationId = (hash: string): string => `conversation-${hash.slice(0, 32)}`

/** The participants of a conversation: its starter and the others, sorted. 400 for too few or too many. */
export function partnersOf(starter: string, actorIds: readonly string[]): string[] {
  const partners = [...new Set([starter, ...actorIds])].sort()
  if (partners.length < 2) throw invalid('actor_ids', 'must name somebody else')
  if (partners.length > LIMITS.conversation) {
    throw invalid(
      'actor_ids',
      `a conversation is between at most ${LIMITS.conversation}; create a private space instead`,
    )
  }
  return partners
}
