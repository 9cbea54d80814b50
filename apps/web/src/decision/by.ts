import type { Spoken } from '@collab-spaces/client'
import type { Names } from '../query/names'

/**
 * Who did something about a decision, as the server has checked, and in whose name if that is somebody else: whatever
 * identity stands beside it is a claim, and may be no actor's at all.
 */
export function doneBy(
  actorId: string,
  claimedId: string | null,
  names: Pick<Names, 'find' | 'nameOf' | 'kindOf'>,
): Spoken {
  const poster = {
    posted_by: actorId,
    posted_by_name: names.nameOf(actorId),
    posted_by_type: names.kindOf(actorId),
  }
  const claimed = claimedId === null || claimedId === actorId ? null : claimedId
  return {
    ...poster,
    speaker_id: claimed ?? actorId,
    speaker_name: claimed === null ? poster.posted_by_name : (names.find(claimed)?.name ?? claimed),
    speaker_type: claimed === null ? poster.posted_by_type : (names.find(claimed)?.kind ?? poster.posted_by_type),
  }
}
