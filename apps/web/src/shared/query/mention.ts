import type { RouterOutputs } from '@collab-spaces/client'
import { useDebounced, useRead } from './call'
import { mentionsKey } from './space-cache'

type Unclear = RouterOutputs['event']['findMentions']['unclear']

const NOTHING: Unclear = []

/** Returns the mentioned names that match no participant or several, as the server resolves them. */
export function useUnclearMentions(spaceId: string, text: string): Unclear {
  const settled = useDebounced(text)
  const { data } = useRead(
    [...mentionsKey(spaceId), settled],
    (client, how) => client.event.findMentions.mutate({ space_id: spaceId, text: settled }, how),
    { enabled: settled.includes('@'), gcTime: 0 },
  )
  return settled === text ? (data?.unclear ?? NOTHING) : NOTHING
}
