import type { MemberRecord, MovableSpace, SpaceMove as SpaceMoveRecord, TenantRecord } from '@collab-spaces/db'
import {
  accessOf,
  type TenantPolicy as Policy,
  STAY_REASONS,
  shownStop,
  shownTenantPolicy,
} from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Member, SpaceMove, Tenant } from '../schemas/tenant.js'
import type { TenantPolicy } from '../schemas/tenant-policy.js'

export const presentTenant = (tenant: TenantRecord): z.infer<typeof Tenant> => ({
  tenant_id: tenant.tenantId,
  name: tenant.name,
  schema_name: tenant.schemaName,
  // Only these two are visible: requests of actors in any other tenant are refused.
  status: tenant.status === 'active' ? 'active' : 'suspended',
  created_at: tenant.createdAt.toISOString(),
})

export const presentMember = (member: MemberRecord): z.infer<typeof Member> => ({
  actor_id: member.actorId,
  display_name: member.displayName,
  actor_type: member.actorType,
  sponsor_id: member.sponsorId,
  is_admin: member.isAdmin,
  access: accessOf(member),
  may_sponsor_agents: !member.isGuest || member.maySponsor,
  stopped: member.stopped && shownStop(member.stopped),
  created_at: member.createdAt.toISOString(),
  disabled: member.disabledAt && {
    disabled_at: member.disabledAt.toISOString(),
    disabled_by: member.disabledBy,
  },
})

const presentMovable = ({ spaceId, title, eventCount }: MovableSpace) => ({
  space_id: spaceId,
  title,
  event_count: eventCount,
})

export const presentSpaceMove = (move: SpaceMoveRecord): z.infer<typeof SpaceMove> => ({
  moves: move.moves.map(presentMovable),
  stays: move.stays.map((space) => ({
    ...presentMovable(space),
    reason: space.reason,
    detail: STAY_REASONS[space.reason],
  })),
  links_removed: move.linksRemoved,
  webhooks_disabled: move.webhooksDisabled,
})

export const presentTenantPolicy = (tenant_id: string, policy: Policy): z.infer<typeof TenantPolicy> =>
  Object.assign({ tenant_id }, shownTenantPolicy(policy))
