import type { ParticipantRecord } from '@collab-spaces/db'
import type { z } from 'zod'
import type { Participant } from '../schemas/participant.js'

export const presentParticipant = (participant: ParticipantRecord): z.infer<typeof Participant> => ({
  participant_id: participant.actorId,
  name: participant.name,
  participant_type: participant.participantType,
  joined_at: participant.joinedAt.toISOString(),
  agent_adapter: participant.agentAdapter,
  actor_id: participant.actorId,
  role: participant.role,
  is_stopped: participant.isStopped,
})
