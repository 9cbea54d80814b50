import { type CredentialLimits, NO_LIMITS, reaches } from '@collab-spaces/domain'

/** Limits as a credential with the limits of `viewer` may see them. */
export const presentLimits = ({ scopes, spaceIds, expiresAt }: CredentialLimits, viewer = NO_LIMITS) => ({
  scopes: scopes && [...scopes],
  space_ids: spaceIds?.filter((spaceId) => reaches(viewer, spaceId)) ?? null,
  expires_at: expiresAt?.toISOString() ?? null,
})
