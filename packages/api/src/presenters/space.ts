import type { CountedSpace, Listing, OwnedSpace, ParticipantRecord } from '@collab-spaces/db'
import type { z } from 'zod'
import { Rendered } from '../procedure/output.js'
import type { PrivateSpace, Space, SpaceStatus } from '../schemas/space.js'
import { presentParticipant } from './participant.js'

const presentState = (space: OwnedSpace) => ({
  space_id: space.spaceId,
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

export const presentSpace = (space: CountedSpace): z.infer<typeof Space> =>
  Object.assign(presentState(space), { participant_count: space.participantCount })

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
  participants: Listing<ParticipantRecord>,
): Rendered<z.infer<typeof SpaceStatus>> =>
  Rendered.withList(presentState(space), 'participants', participants, presentParticipant)
