import { requireAcceptsEvents, requireUnsettled, unknown, writeError } from '@collab-spaces/domain'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { idempotencyOf } from '../events/idempotency.js'
import { presentDecision } from '../presenters/decision.js'
import { Rendered } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import {
  Decision,
  DecisionCounts,
  DecisionId,
  ListDecisions,
  ProposeDecision,
  SettleDecision,
} from '../schemas/decision.js'
import { SpaceId } from '../schemas/space.js'

export const decisionRouter = router({
  list: procedure
    .meta({
      caller: 'actor',
      openapi: {
        method: 'GET',
        path: '/api/spaces/{space_id}/decisions',
        tags: ['Decisions'],
        summary: 'List the decisions of a space, oldest first',
        errorResponses: [404],
      },
    })
    .input(ListDecisions)
    .output(z.array(Decision))
    .query(async ({ ctx: { caller, services }, input: { space_id, status } }) => {
      await requireSpace(services, caller.scope, space_id)
      const decisions = await services.database.decisions.list(caller.scope, space_id, status)
      return Rendered.list(decisions, presentDecision)
    }),

  propose: procedure
    .meta({
      caller: 'actor',
      body: 'text',
      openapi: {
        method: 'POST',
        path: '/api/spaces/{space_id}/decisions',
        tags: ['Decisions'],
        summary: 'Propose a decision',
        errorResponses: [404, 409],
      },
      headers: { 'Idempotency-Key': 'idempotency_key' },
    })
    .input(ProposeDecision)
    .output(Decision)
    .mutation(async ({ ctx: { caller, services }, input: { idempotency_key, ...body } }) => {
      const result = await services.database.decisions.propose(
        caller.scope,
        body.space_id,
        {
          decisionId: uuidv7(),
          proposedBy: body.proposed_by,
          text: body.text,
          createdAt: new Date(),
          postedBy: caller.actorId,
          idempotency: idempotencyOf({ operation: 'propose', key: idempotency_key, body }),
        },
        (space) => requireAcceptsEvents(space.status),
      )
      if (result.kind === 'refused') throw writeError(result.reason)
      return presentDecision(result.decision)
    }),

  summary: procedure
    .meta({
      caller: 'actor',
      openapi: {
        method: 'GET',
        path: '/api/spaces/{space_id}/decisions/summary',
        tags: ['Decisions'],
        summary: 'Count proposed, resolved and rejected decisions',
        errorResponses: [404],
      },
    })
    .input(SpaceId)
    .output(DecisionCounts)
    .query(async ({ ctx: { caller, services }, input: { space_id } }) => {
      await requireSpace(services, caller.scope, space_id)
      return services.database.decisions.count(caller.scope, space_id)
    }),

  get: procedure
    .meta({
      caller: 'actor',
      openapi: {
        method: 'GET',
        path: '/api/spaces/{space_id}/decisions/{decision_id}',
        tags: ['Decisions'],
        summary: 'Get a decision',
        errorResponses: [404],
      },
    })
    .input(DecisionId)
    .output(Decision)
    .query(async ({ ctx: { caller, services }, input: { space_id, decision_id } }) => {
      const decision = await services.database.decisions.find(caller.scope, space_id, decision_id)
      if (!decision) throw unknown('Decision')
      return presentDecision(decision)
    }),

  resolve: procedure
    .meta({
      caller: 'actor',
      openapi: {
        method: 'PUT',
        path: '/api/spaces/{space_id}/decisions/{decision_id}/resolve',
        tags: ['Decisions'],
        summary: 'Resolve or reject a decision, once',
        errorResponses: [404, 409],
      },
    })
    .input(SettleDecision)
    .output(Decision)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const decision = await services.database.decisions.settle(
        caller.scope,
        input.space_id,
        input.decision_id,
        {
          status: input.status,
          resolvedBy: input.resolved_by,
          resolution: input.resolution,
          resolvedAt: new Date(),
          settledBy: caller.actorId,
        },
        ({ status }) => requireUnsettled(status),
      )
      if (!decision) throw unknown('Decision')
      return presentDecision(decision)
    }),
})
