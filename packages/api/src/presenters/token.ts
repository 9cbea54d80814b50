import type { TokenRecord } from '@collab-spaces/db'
import type { z } from 'zod'
import type { Token } from '../schemas/token.js'

export const presentToken = (token: TokenRecord): z.infer<typeof Token> => ({
  pat_id: token.patId,
  name: token.name,
  token_prefix: token.tokenPrefix,
  created_at: token.createdAt.toISOString(),
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
  revoked_at: token.revokedAt?.toISOString() ?? null,
})
