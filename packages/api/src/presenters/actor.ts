import type { ActorRecord, BlockRecord, ActorCard as Card, WorkClaimRecord } from '@collab-spaces/db'
import {
  type CredentialLimits,
  canReadPrivate,
  NO_LIMITS,
  opensSpace,
  shownLastSeen,
  shownStop,
  shownTenantId,
} from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Caller } from '../procedure/credential.js'
import type { Actor, ActorCard, ActorWithKey, Me } from '../schemas/actor.js'
import type { Block } from '../schemas/participant.js'
import { presentLimits } from './credential.js'
import { presentWorkClaim } from './work-claim.js'

/** Presents an actor in full, for itself or the operator, as a credential with these limits may see it. */
export const presentSelf = (actor: ActorRecord, limits: CredentialLimits = NO_LIMITS): z.infer<typeof Actor> => ({
  actor_id: actor.actorId,
  display_name: actor.displayName,
  actor_type: actor.actorType,
  email: actor.email,
  default_space_id:
    actor.defaultSpaceId !== null && opensSpace(limits, actor.defaultSpaceId) ? actor.defaultSpaceId : null,
  sponsor_id: actor.sponsorId,
  tenant_id: shownTenantId(actor.tenantId),
  agent_profile: actor.agentProfile,
  title: actor.title,
  time_zone: actor.timeZone,
  picture: actor.picture,
  metadata: actor.metadata === null ? null : JSON.parse(actor.metadata),
  created_at: actor.createdAt.toISOString(),
  connection: actor.connection && {
    installation_id: actor.connection.installationId,
    agent_adapter: actor.agentAdapter,
    connected_at: actor.connection.connectedAt.toISOString(),
  },
  stopped: actor.stopped && shownStop(actor.stopped),
})

/** Presents an actor for a caller. Private fields are null unless the caller is the actor or its sponsor. */
export function presentActor(actor: ActorRecord, caller: Caller): z.infer<typeof Actor> {
  const own = presentSelf(actor, caller.limits)
  return canReadPrivate(caller, actor)
    ? own
    : { ...own, email: null, default_space_id: null, agent_profile: null, metadata: null }
}

/** Presents the caller with the limits of its credential. */
export const presentMe = (actor: ActorRecord, limits: CredentialLimits): z.infer<typeof Me> =>
  Object.assign(presentSelf(actor, limits), presentLimits(limits))

/** Presents an actor with its new key and the limits of the key. */
export const presentActorWithKey = (
  actor: ActorRecord,
  apiKey: string,
  limits: CredentialLimits,
): z.infer<typeof ActorWithKey> => ({
  ...presentSelf(actor, limits),
  ...presentLimits(limits),
  api_key: apiKey,
})

export const presentActorCard = (
  actor: Card,
  claims: readonly WorkClaimRecord[],
  caller: Caller,
): z.infer<typeof ActorCard> => ({
  actor_id: actor.actorId,
  display_name: actor.displayName,
  actor_type: actor.actorType,
  sponsor_id: actor.sponsorId,
  sponsor_name: actor.sponsorName,
  agent_profile: canReadPrivate(caller, actor) ? actor.agentProfile : null,
  title: actor.title,
  time_zone: actor.timeZone,
  picture: actor.picture,
  is_admin: actor.isAdmin,
  is_disabled: actor.isDisabled,
  agent_adapter: actor.agentAdapter,
  connected_at: actor.connectedAt?.toISOString() ?? null,
  created_at: actor.createdAt.toISOString(),
  stopped: actor.stopped && shownStop(actor.stopped),
  last_seen_at: shownLastSeen(caller, actor, actor.lastSeenAt)?.toISOString() ?? null,
  is_present: actor.isPresent,
  common_spaces: [...actor.commonSpaces],
  claims: claims.map(presentWorkClaim),
})

export const presentBlock = ({ actorId, name, createdAt }: BlockRecord): z.infer<typeof Block> => ({
  actor_id: actorId,
  name,
  created_at: createdAt.toISOString(),
})
