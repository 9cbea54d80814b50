import type { CredentialRecord } from '@collab-spaces/db'
import {
  type CredentialLimits,
  LIMITS,
  type MadeItem,
  NO_LIMITS,
  namedCredential,
  opensSpace,
} from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Credential, Ended } from '../schemas/credential.js'

/** Presents limits as a credential with the limits of `viewer` may see them. */
export const presentLimits = ({ scopes, spaceIds, expiresAt }: CredentialLimits, viewer = NO_LIMITS) => ({
  scopes: scopes && [...scopes],
  space_ids: spaceIds?.filter((spaceId) => opensSpace(viewer, spaceId)) ?? null,
  expires_at: expiresAt?.toISOString() ?? null,
})

/** Presents what ends with a credential, up to a limit. */
export const presentEnded = (made: readonly MadeItem[]): z.infer<typeof Ended> => ({
  count: made.length,
  items: made.slice(0, LIMITS.endedShown).map(({ kind, id, name, actorId }) => ({ kind, id, name, actor_id: actorId })),
})

/** Adds what ended to a response; adds nothing if nothing ended, so that the body is that of the reference. */
export const withEnded = <Body extends object>(body: Body, made: readonly MadeItem[]) =>
  made.length === 0 ? body : { ...body, ended: presentEnded(made) }

/** Presents a credential of an actor. */
export function presentCredential(
  credential: CredentialRecord,
  sponsorId: string | null,
  viewer: CredentialLimits,
): z.infer<typeof Credential> {
  const { actorId, credentialId, createdWith, ends, everything } = credential
  const [parent] = createdWith
  const maker = parent === undefined ? null : namedCredential(parent, sponsorId ?? actorId)
  return {
    actor_id: actorId,
    credential_id: credentialId,
    kind: credential.kind,
    name: credential.name,
    created_at: credential.createdAt.toISOString(),
    created_with: maker && { actor_id: maker.actorId, credential_id: maker.credentialId },
    last_used_at: credential.lastUsedAt?.toISOString() ?? null,
    revoked_at: credential.revokedAt?.toISOString() ?? null,
    ...presentLimits(credential.limits, viewer),
    ends: presentEnded(ends),
    everything: everything && presentEnded(everything),
  }
}
