import type { ActorRecord } from '@collab-spaces/db'
import { shownTenantId } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Actor, ActorWithKey } from '../schemas/actor.js'

export const presentActor = (actor: ActorRecord): z.infer<typeof Actor> => ({
  actor_id: actor.actorId,
  display_name: actor.displayName,
  actor_type: actor.actorType,
  email: actor.email,
  default_space_id: actor.defaultSpaceId,
  sponsor_id: actor.sponsorId,
  tenant_id: shownTenantId(actor.scope),
  agent_profile: actor.agentProfile,
  metadata: actor.metadata === null ? null : JSON.parse(actor.metadata),
  created_at: actor.createdAt.toISOString(),
})

export const presentActorWithKey = (actor: ActorRecord, apiKey: string): z.infer<typeof ActorWithKey> => ({
  ...presentActor(actor),
  api_key: apiKey,
})
