import type { InviteRecord } from '@collab-spaces/db'
import { accessOf, type CredentialLimits, NO_LIMITS, opensSpace } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { CreatedInvite, Invite } from '../schemas/invite.js'

/** Presents an invite as a credential with these limits may see it. */
export const presentInvite = (invite: InviteRecord, limits: CredentialLimits = NO_LIMITS): z.infer<typeof Invite> => ({
  invite_id: invite.inviteId,
  email: invite.email,
  default_space_id:
    invite.defaultSpaceId !== null && opensSpace(limits, invite.defaultSpaceId) ? invite.defaultSpaceId : null,
  access: accessOf({ isGuest: invite.makesGuest }),
  created_by: invite.createdBy,
  created_at: invite.createdAt.toISOString(),
  expires_at: invite.expiresAt.toISOString(),
  revoked_at: invite.revokedAt?.toISOString() ?? null,
  redeemed_at: invite.redeemedAt?.toISOString() ?? null,
})

export const presentCreatedInvite = (
  invite: InviteRecord,
  issued: Pick<z.infer<typeof CreatedInvite>, 'code' | 'url' | 'sent'>,
): z.infer<typeof CreatedInvite> => ({ ...presentInvite(invite), ...issued })
