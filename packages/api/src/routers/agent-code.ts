import { randomBytes } from 'node:crypto'
import { databaseClock } from '@collab-spaces/db'
import {
  agentCode,
  apiKey,
  codeExpiry,
  limitsOfAgent,
  prefixedId,
  redemptionOf,
  type ShownAgentCode,
} from '@collab-spaces/domain'
import { z } from 'zod'
import { keyMaker } from '../grant.js'
import { presentActorWithKey } from '../presenters/actor.js'
import { presentAgentCode } from '../presenters/agent-code.js'
import { hashOf } from '../procedure/credential.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireAdmitting } from '../require-space.js'
import { ActorWithKey, Done } from '../schemas/actor.js'
import { AgentCode, AgentCodeId, CreateAgentCode, CreatedAgentCode, RedeemAgentCode } from '../schemas/agent-code.js'
import { countingFailures } from '../sign-in/session.js'

export const agentCodeRouter = router({
  create: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'POST /api/agent-codes',
      tags: ['Agent codes', 'Extensions'],
      summary: 'Create a one-time code for an agent; it is shown only once',
      description:
        '`scopes`, `space_ids` and `key_expires_at` limit the key. The agent joins up to 20 `space_ids`: private ' +
        'ones by owners only, conversations never. `expires_in_s` is 60 to 86,400.',
      returns: 'agent code with `code`',
      errors: [404, 409],
      example: { display_name: 'Scout', scopes: ['read', 'write'], space_ids: ['plans'] },
    })
    .input(CreateAgentCode)
    .output(CreatedAgentCode)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const { display_name, agent_profile, scopes, space_ids, key_expires_at: expires_at, expires_in_s } = input
      await requireAdmitting(services, caller, space_ids ?? [], caller)
      const maker = await keyMaker(services, caller)
      const code = agentCode(randomBytes)
      const now = databaseClock.now()
      const record = await services.database.agentCodes.create(caller, {
        codeId: prefixedId('cod', randomBytes),
        codeHash: hashOf(code),
        displayName: display_name,
        agentProfile: agent_profile ?? null,
        spaceIds: [...new Set(space_ids)],
        limits: limitsOfAgent({ scopes, space_ids, expires_at }, maker, now, 'key_expires_at'),
        createdAt: now,
        expiresAt: codeExpiry(expires_in_s, now),
      })
      return { ...presentAgentCode(record, caller.limits), code }
    }),

  list: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'row',
      route: 'GET /api/agent-codes',
      tags: ['Agent codes', 'Extensions'],
      summary: "List the caller's agent codes, newest first",
      returns: 'agent codes, newest first',
    })
    .output(z.array(AgentCode))
    .query(async ({ ctx: { caller, services } }) => {
      const codes = await services.database.agentCodes.list(caller.tenantId, caller.actorId)
      return RenderedOutput.list(codes, (code) => presentAgentCode(code, caller.limits))
    }),

  revoke: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'DELETE /api/agent-codes/{code_id}',
      tags: ['Agent codes', 'Extensions'],
      summary: 'Revoke an agent code',
      description: 'Its agent stays.',
    })
    .input(AgentCodeId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { code_id } }) => {
      await services.database.agentCodes.revoke(caller, code_id, databaseClock.now())
      return { ok: true }
    }),

  redeem: procedure
    .meta({
      caller: 'none',
      scope: 'write',
      cost: 'change',
      body: 'stranger',
      route: 'POST /api/agent-codes/redeem',
      tags: ['Agent codes', 'Extensions'],
      summary: 'Redeem an agent code',
      description:
        'Creates the agent, connects it, and has it join its spaces that are not archived. A private space of which ' +
        'its sponsor is no owner now: 409.',
      returns: 'actor with `api_key` and its limits',
      errors: [404, 409],
      // The same installation gets another key, in place of the one that was lost.
      idempotent: true,
      example: { code: 'the code of an agent', installation_id: 'laptop-1' },
    })
    .input(RedeemAgentCode)
    .output(ActorWithKey)
    .mutation(async ({ ctx, input: { code, installation_id: installationId, agent_adapter } }) => {
      const { services, address } = ctx
      const key = apiKey(randomBytes)
      const now = databaseClock.now()
      const redemption = {
        installationId,
        agentAdapter: agent_adapter ?? null,
        agentId: prefixedId('agt', randomBytes),
        keyHash: hashOf(key),
        now,
        address,
      }
      const judge = (shown: ShownAgentCode | null) => redemptionOf(shown, installationId, now)
      const redeem = () => services.database.agentCodes.redeem(hashOf(code), redemption, judge, services.quotas.of)
      // Codes that are none count like credentials that are not valid.
      const { agent, limits } = await countingFailures(ctx, redeem, ['unknown'])
      services.revocations.announce()
      return presentActorWithKey(agent, key, limits)
    }),
})
