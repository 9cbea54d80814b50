import type {
  CountedSpace,
  LinkRecord,
  ListedSpace,
  Listing,
  OwnedSpace,
  ParticipantRecord,
  PersonalView,
  PolicyRecord,
} from '@collab-spaces/db'
import { shownPolicy } from '@collab-spaces/domain'
import type { z } from 'zod'
import { RenderedOutput } from '../procedure/output.js'
import type { Link } from '../schemas/link.js'
import type { Participant } from '../schemas/participant.js'
import type { Policy } from '../schemas/policy.js'
import type { PrivateSpace, Space, SpaceStatus } from '../schemas/space.js'

const presentState = (space: OwnedSpace) => ({
  space_id: space.spaceId,
  title: space.title,
  description: space.description,
  status: space.status,
  visibility: space.visibility,
  links: [...space.links],
  owners: [...space.owners],
  started_at: space.startedAt.toISOString(),
  ended_at: space.endedAt?.toISOString() ?? null,
  event_count: space.eventCount,
  last_event_at: space.lastEventAt?.toISOString() ?? null,
})

/** Presents a space without personal fields, such as for the operator. */
export const presentCountedSpace = (space: CountedSpace) =>
  Object.assign(presentState(space), { participant_count: space.participantCount })

const presentPersonal = (personal: PersonalView) => ({
  ...presentSeen(personal),
  preferences: { pinned: personal.preferences.pinned, notices: personal.preferences.notices },
})

export const presentSpace = (space: ListedSpace): z.infer<typeof Space> =>
  Object.assign(presentCountedSpace(space), presentPersonal(space), {
    partners: space.partners.map(({ actorId, name, isPresent }) => ({
      actor_id: actorId,
      name,
      is_present: isPresent,
    })),
  })

export const presentPrivateSpace = (space: CountedSpace): z.infer<typeof PrivateSpace> => ({
  space_id: space.spaceId,
  status: space.status,
  owners: [...space.owners],
  started_at: space.startedAt.toISOString(),
  participant_count: space.participantCount,
  event_count: space.eventCount,
})

export const presentSpaceStatus = (
  space: OwnedSpace,
  personal: PersonalView,
  participants: Listing<ParticipantRecord>,
): RenderedOutput<z.infer<typeof SpaceStatus>> =>
  RenderedOutput.withList(
    Object.assign(presentState(space), presentPersonal(personal)),
    'participants',
    participants,
    presentParticipant,
  )

export const presentParticipant = (participant: ParticipantRecord): z.infer<typeof Participant> => ({
  participant_id: participant.actorId,
  name: participant.name,
  participant_type: participant.participantType,
  joined_at: participant.joinedAt.toISOString(),
  agent_adapter: participant.agentAdapter,
  actor_id: participant.actorId,
  role: participant.role,
  is_stopped: participant.isStopped,
  is_present: participant.isPresent,
})

export const presentSeen = ({ seenEventId, unread }: Pick<PersonalView, 'seenEventId' | 'unread'>) => ({
  seen_event_id: seenEventId,
  unread_count: unread,
})

export const presentPolicy = (space_id: string, policy: PolicyRecord): z.infer<typeof Policy> => ({
  space_id,
  ...shownPolicy(policy),
  changed_by: policy.changedBy,
  changed_at: policy.changedAt?.toISOString() ?? null,
})

export const presentLink = (link: LinkRecord): z.infer<typeof Link> => ({
  link_id: link.linkId,
  space_id: link.spaceId,
  target_id: link.targetId,
  target_uri: link.targetUri,
  link_type: link.linkType,
  attributes: JSON.parse(link.attributes),
  created_by: link.createdBy,
  created_at: link.createdAt.toISOString(),
})
