import type { RouterOutputs } from '@collab-spaces/client'
import { useRead } from './call'
import { useSettled } from './settled'

type Unclear = RouterOutputs['event']['findMentions']['unclear']

const NOTHING: Unclear = []

/** The names that a text calls with an @ and that fit nobody in the space, or several: by the rule that a write goes by. */
export function useUnclearMentions(spaceId: string, text: string): Unclear {
  const settled = useSettled(text)
  const { data } = useRead(
    ['mentions', spaceId, settled],
    (client, how) => client.event.findMentions.mutate({ space_id: spaceId, text: settled }, how),
    { enabled: settled.includes('@'), gcTime: 0 },
  )
  return settled === text ? (data?.unclear ?? NOTHING) : NOTHING
}
