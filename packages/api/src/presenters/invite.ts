import type { InviteRecord } from '@collab-spaces/db'
import type { z } from 'zod'
import type { Invite } from '../schemas/invite.js'

export const presentInvite = (invite: InviteRecord): z.infer<typeof Invite> => ({
  invite_id: invite.inviteId,
  email: invite.email,
  default_space_id: invite.defaultSpaceId,
  created_by: invite.createdBy,
  created_at: invite.createdAt.toISOString(),
  expires_at: invite.expiresAt.toISOString(),
  revoked_at: invite.revokedAt?.toISOString() ?? null,
  redeemed_at: invite.redeemedAt?.toISOString() ?? null,
})
