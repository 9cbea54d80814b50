import type { CountedSpace, ListedSpace, Listing, OwnedSpace, ParticipantRecord, PersonalView } from '@collab-spaces/db'
import type { z } from 'zod'
import { Rendered } from '../procedure/output.js'
import type { PrivateSpace, Space, SpaceStatus } from '../schemas/space.js'
import { presentParticipant } from './participant.js'
import { presentSeen } from './seen.js'

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
    partners: space.partners.map(({ actorId, name }) => ({ actor_id: actorId, name })),
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
): Rendered<z.infer<typeof SpaceStatus>> =>
  Rendered.withList(
    Object.assign(presentState(space), presentPersonal(personal)),
    'participants',
    participants,
    presentParticipant,
  )
