import type { AgentCodeRecord } from '@collab-spaces/db'
import type { CredentialLimits } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { AgentCode } from '../schemas/agent-code.js'
import { presentLimits } from './credential.js'

/** Presents a code as a credential with these limits may see it. */
export function presentAgentCode(code: AgentCodeRecord, viewer: CredentialLimits): z.infer<typeof AgentCode> {
  const { scopes, space_ids, expires_at } = presentLimits(code.limits, viewer)
  return {
    code_id: code.codeId,
    display_name: code.displayName,
    agent_profile: code.agentProfile,
    scopes,
    space_ids,
    key_expires_at: expires_at,
    created_at: code.createdAt.toISOString(),
    expires_at: code.expiresAt.toISOString(),
    revoked_at: code.revokedAt?.toISOString() ?? null,
    redeemed_at: code.redeemedAt?.toISOString() ?? null,
    agent_id: code.agentId,
  }
}
