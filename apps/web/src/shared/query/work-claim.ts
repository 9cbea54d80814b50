import type { WorkClaim } from '@collab-spaces/client'
import { useInterval, useRead } from './call'

const REFETCH_INTERVAL_MS = 10_000

/** Returns the work claims in a space. Every message reads them: one that arrives must not refetch them. */
function useWorkClaims(spaceId: string) {
  const everyMs = useInterval(REFETCH_INTERVAL_MS)
  return useRead(['work-claims', spaceId], (client, how) => client.claim.list.query({ space_id: spaceId }, how), {
    refetchInterval: everyMs,
    staleTime: everyMs,
  })
}

/** Returns the claims on keys. */
export const useKeyClaims = (spaceId: string): readonly WorkClaim[] =>
  (useWorkClaims(spaceId).data ?? []).filter(({ key }) => key !== null)

/** Returns the claim on an event or decision, if any. */
export function useWorkClaim(
  spaceId: string,
  { eventId, decisionId }: { readonly eventId?: string; readonly decisionId?: string },
): WorkClaim | undefined {
  const { data: claims } = useWorkClaims(spaceId)
  return claims?.find(({ event_id, decision_id }) =>
    eventId === undefined ? decision_id === decisionId : event_id === eventId,
  )
}
