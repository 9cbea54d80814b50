import { LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { askedLimitsOfAgent, askedSpaces, shownLimits } from './credential.js'
import { id, installationId, integer, moment, optional, text, trimmedName } from './field.js'
import { inviteCode } from './invite.js'

const { scopes, space_ids } = shownLimits

export const AgentCode = z
  .object({
    code_id: z.string(),
    display_name: z.string(),
    agent_profile: z.string().nullable(),
    scopes,
    space_ids,
    key_expires_at: moment().nullable(),
    created_at: moment(),
    expires_at: moment(),
    revoked_at: moment().nullable(),
    redeemed_at: moment().nullable(),
    agent_id: z.string().nullable().meta({ description: 'The agent, once there is one' }),
  })
  .meta({ id: 'AgentCode' })

export const CreatedAgentCode = AgentCode.extend({
  code: z.string().meta({ description: 'Plaintext, shown only once' }),
}).meta({ id: 'CreatedAgentCode' })

export const CreateAgentCode = z.object({
  display_name: trimmedName(LIMITS.displayName),
  agent_profile: optional(text(LIMITS.agentProfile, 0)),
  scopes: askedLimitsOfAgent.scopes,
  space_ids: askedSpaces(LIMITS.codeSpaces).meta({
    description: 'The spaces that the agent joins, and the only ones its key gives access to',
  }),
  key_expires_at: askedLimitsOfAgent.expires_at.meta({ description: 'When the key expires' }),
  expires_in_s: integer({ min: 60, max: 86_400, default: 900 }),
})

export const AgentCodeId = z.object({ code_id: id('The code') })

export const RedeemAgentCode = z.object({
  code: inviteCode(),
  installation_id: installationId(),
  agent_adapter: optional(text(LIMITS.agentAdapter)),
})
