import type { TokenRecord } from '@collab-spaces/db'
import type { CredentialLimits } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Token } from '../schemas/token.js'
import { presentLimits } from './credential.js'

/** Presents a token as a credential with these limits may see it. */
export const presentToken = (token: TokenRecord, viewer: CredentialLimits): z.infer<typeof Token> => ({
  pat_id: token.patId,
  name: token.name,
  token_prefix: token.tokenPrefix,
  created_at: token.createdAt.toISOString(),
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
  revoked_at: token.revokedAt?.toISOString() ?? null,
  ...presentLimits(token.limits, viewer),
})
