import type { Decision, DecisionAct, SpaceAct, Spoken } from '@collab-spaces/client'
import type { Names } from '../query/names'

type Known = Pick<Names, 'find' | 'nameOf' | 'kindOf'>

/**
 * The actor who did something about a decision, as the server has checked, and in whose name if that is somebody else:
 * that other identity is a claim, and may be no actor's at all.
 */
export function doneBy(actorId: string, claimedId: string | null, names: Known): Spoken {
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

type Acted = Pick<Decision, 'proposed_by' | 'posted_by' | 'resolved_by' | 'settled_by'>

/** The actor who settled a decision or, while it is open, proposed it. */
export function lastDoneBy({ proposed_by, posted_by, resolved_by, settled_by }: Acted, names: Known): Spoken {
  return settled_by === null ? doneBy(posted_by, proposed_by, names) : doneBy(settled_by, resolved_by, names)
}

/** In whose name something was done, as far as an act says so. */
export function claimedBy(act: DecisionAct | SpaceAct): string | null {
  if (act.kind === 'proposed') return act.proposed_by
  return act.kind === 'settled' ? act.resolved_by : null
}
