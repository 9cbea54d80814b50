import { useMemo } from 'react'
import { useCanManageSpace, useHasScope, useMemberRights } from '../../shared/query/permission'
import { useSpace } from '../../shared/query/space'
import { isConversation } from '../../shared/query/space-name'
import { useMembers } from '../../shared/query/tenant'
import type { MentionCandidate } from './mentions'

/** Returns the participants of a space, and the other members of its tenant. */
export function useMentionCandidates(spaceId: string): readonly MentionCandidate[] {
  const { data: space } = useSpace(spaceId)
  const { data: members } = useMembers()
  return useMemo(() => {
    const participants = space?.participants ?? []
    const inside = new Set(participants.map(({ actor_id }) => actor_id))
    const others = (space ? (members ?? []) : []).filter(({ actor_id, disabled }) => !inside.has(actor_id) && !disabled)
    const outsiders = others.map(({ actor_id, display_name, actor_type, stopped }) => ({
      participant_id: actor_id,
      actor_id,
      name: display_name,
      participant_type: actor_type,
      is_stopped: stopped !== null,
      isOutside: true,
    }))
    return [...participants, ...outsiders]
  }, [space, members])
}

/** Returns whether this account may add participants to a space. */
export function useCanAddTo(spaceId: string): boolean {
  const { data: space } = useSpace(spaceId)
  const canManage = useCanManageSpace(space)
  const { canAddParticipants } = useMemberRights()
  const hasScope = useHasScope('manage')
  return canManage && canAddParticipants && hasScope && !isConversation(spaceId)
}
