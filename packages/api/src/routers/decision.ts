import type { ActRecord, NotifyingDecision } from '@collab-spaces/db'
import {
  asUuid,
  type DecisionAction,
  invalid,
  requireAcceptsEvents,
  requireCanSettle,
  requireChoice,
  requireUnsettled,
  unknown,
  type Viewer,
} from '@collab-spaces/domain'
import { actionDigest } from '@collab-spaces/merkle'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { idempotencyOf } from '../events/append.js'
import { presentDecision, presentUse } from '../presenters/decision.js'
import { unlessItWaits } from '../procedure/meta.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { DecisionAct } from '../schemas/act.js'
import {
  Decision,
  DecisionCounts,
  DecisionId,
  DecisionUse,
  GetDecision,
  ListAllDecisions,
  ListDecisions,
  type NewAction,
  ProposeDecision,
  ReviewDecision,
  SettleDecision,
  SettleRefused,
  UseDecision,
  UseRefused,
} from '../schemas/decision.js'
import { SpaceId } from '../schemas/space.js'
import type { Services } from '../services.js'

export const decisionRouter = router({
  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/decisions',
      tags: ['Decisions'],
      summary: 'List the decisions of a space, oldest first',
      returns: 'decisions, oldest first',
    })
    .input(ListDecisions)
    .output(z.array(Decision))
    .query(async ({ ctx: { caller, services }, input: { space_id, status, cursor, limit } }) => {
      const space = await requireSpace(services, caller, space_id)
      const after = cursor === undefined ? undefined : await findDecision(services, caller, space_id, cursor)
      const decisions = await services.database.decisions.list(space, status, { after, limit })
      return RenderedOutput.list(decisions, presentDecision)
    }),

  listAll: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'heavy',
      route: 'GET /api/decisions',
      tags: ['Decisions', 'Extensions'],
      summary: 'List the decisions of all spaces the caller has joined, newest first',
      description:
        'In `space_id`, else all spaces the caller has joined. `filter`: `waiting` (can still be resolved), ' +
        '`waiting_for_me` (and assigned to the caller) or `in_force` (resolved, not superseded; an action is neither ' +
        'denied nor expired).',
      returns: 'decisions, newest first',
      errors: [404],
    })
    .input(ListAllDecisions)
    .output(z.array(Decision))
    .query(async ({ ctx: { caller, services, slot }, input: { space_id, status, filter, cursor, limit } }) => {
      if (space_id !== undefined) await requireSpace(services, caller, space_id)
      const { decisionKeys, decisions } = services.database
      const keys = await decisionKeys(slot.signal, caller, {
        spaceIds: space_id === undefined ? 'joined' : [space_id],
        status: status ?? null,
        filter: filter ?? null,
        before: cursor ?? null,
        limit,
      })
      return RenderedOutput.list(await decisions.ofKeys(caller, keys), presentDecision)
    }),

  propose: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      body: 'text',
      route: 'POST /api/spaces/{space_id}/decisions',
      tags: ['Decisions'],
      summary: 'Propose a decision',
      description: '`proposed_by` is taken as sent. Unknown assignees or predecessors: 404. Not active: 409.',
      returns: 'decision',
      errors: [409],
      example: { proposed_by: 'Ada', text: 'Go to the sea' },
      headers: { 'Idempotency-Key': 'idempotency_key' },
    })
    .input(ProposeDecision)
    .output(Decision)
    .mutation(async ({ ctx: { caller, services }, input: { idempotency_key, claim, ...body } }) => {
      const decision = await services.database.decisions.propose(
        caller,
        body.space_id,
        {
          decisionId: uuidv7(),
          proposedBy: body.proposed_by,
          text: body.text,
          assignees: [...new Set(body.assignees)],
          supersedes: body.supersedes === undefined ? null : asUuid(body.supersedes),
          reviewAt: body.review_at ?? null,
          options: body.options?.map(({ description = null, ...option }) => ({ ...option, description })) ?? null,
          action: body.action === undefined ? null : actionOf(body.action),
          expiresAt: body.expires_at ?? null,
          idempotency: idempotencyOf({ operation: 'propose', key: idempotency_key, body }),
          claim,
        },
        (space) => requireAcceptsEvents(space.status),
      )
      announce(services, caller, decision)
      return presentDecision(decision)
    }),

  summary: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/decisions/summary',
      tags: ['Decisions'],
      summary: 'Count proposed, resolved and rejected decisions',
      returns: '`{proposed, resolved, rejected}`, counts',
    })
    .input(SpaceId)
    .output(DecisionCounts)
    .query(async ({ ctx: { caller, services }, input: { space_id } }) => {
      return services.database.decisions.count(await requireSpace(services, caller, space_id))
    }),

  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: unlessItWaits('row'),
      route: 'GET /api/spaces/{space_id}/decisions/{decision_id}',
      tags: ['Decisions'],
      summary: 'Get a decision',
      returns: 'decision',
    })
    .input(GetDecision)
    .output(Decision)
    .query(async ({ ctx, input: { space_id: spaceId, decision_id: decisionId, wait: seconds } }) => {
      const { services, caller } = ctx
      const { tenantId } = caller
      const decision = await services.longPolls.answer(ctx, {
        spaceId,
        seconds,
        look: () => findDecision(services, caller, spaceId, decisionId),
        isEmpty: ({ status, isExpired, supersededBy }) => status === 'proposed' && !isExpired && supersededBy === null,
        enter: (wait) =>
          services.longPolls.decisions.enter({ tenantId, spaceId, decisionId: asUuid(decisionId) }, wait),
      })
      return presentDecision(decision)
    }),

  review: procedure
    .meta({
      caller: 'actor',
      scope: 'settle',
      cost: 'change',
      route: 'POST /api/spaces/{space_id}/decisions/{decision_id}/reviews',
      tags: ['Decisions', 'Extensions'],
      summary: 'Approve or reject a proposed decision',
      description: "`verdict` is `approve` or `reject`. Each reviewer's last one counts. Settled: 409.",
      returns: 'decision',
      errors: [409],
      example: { verdict: 'approve', note: 'The sea is warm in June' },
    })
    .input(ReviewDecision)
    .output(Decision)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const { space_id, decision_id, verdict, note = null, claim } = input
      const review = { verdict, note }
      const { decisions } = services.database
      const decision = await decisions.review(caller, space_id, decision_id, review, claim, ({ status }) =>
        requireUnsettled(status),
      )
      announce(services, caller, decision)
      return presentDecision(decision)
    }),

  resolve: procedure
    .meta({
      caller: 'actor',
      scope: 'settle',
      cost: 'change',
      route: 'PUT /api/spaces/{space_id}/decisions/{decision_id}/resolve',
      tags: ['Decisions'],
      summary: 'Resolve or reject a decision, once',
      description: '`resolved_by` is taken as sent; `status` is `resolved` or `rejected`. In any status of the space.',
      returns: 'decision',
      errors: [409],
      example: { resolved_by: 'Ada', resolution: 'All prefer the sea', status: 'resolved' },
      errorBodies: { 409: SettleRefused },
    })
    .input(SettleDecision)
    .output(Decision)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const choice = { option: input.option ?? null, arguments: input.arguments ?? null }
      const decision = await services.database.decisions.settle(
        caller,
        input.space_id,
        input.decision_id,
        {
          status: input.status,
          resolvedBy: input.resolved_by,
          resolution: input.resolution,
          ...choice,
        },
        input.claim,
        (decision, rules, at) => {
          requireCanSettle(caller, decision, rules, input.status)
          requireChoice(decision, input.status, choice, at)
        },
      )
      const { tenantId } = caller
      services.longPolls.decisionChanged({ tenantId, ...decision })
      const { supersedes, status } = decision
      if (supersedes !== null && status === 'resolved') {
        services.longPolls.decisionChanged({ tenantId, ...decision, decisionId: supersedes })
      }
      return presentDecision(decision)
    }),

  use: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: 'POST /api/spaces/{space_id}/decisions/{decision_id}/use',
      tags: ['Decisions', 'Extensions'],
      summary: 'Use the action of a resolved decision, once',
      description:
        'By the proposer, its sponsor, or an actor in its `used_by`. [Exactly one use](#actions) ever succeeds.',
      returns: '`{decision, used_at, receipt_ready_after}`',
      errors: [409],
      example: { digest: 'the digest of an approved action' },
      errorBodies: { 409: UseRefused },
      headers: { 'Idempotency-Key': 'idempotency_key' },
    })
    .input(UseDecision)
    .output(DecisionUse)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const { space_id, decision_id, digest, idempotency_key: idempotencyKey, claim } = input
      const use = { digest, idempotencyKey, claim }
      const decision = await services.database.decisions.use(caller, space_id, decision_id, use)
      services.longPolls.decisionChanged({ tenantId: caller.tenantId, ...decision })
      return presentUse(decision, services.sealer !== null)
    }),

  acts: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/decisions/{decision_id}/acts',
      tags: ['Decisions', 'Extensions'],
      summary: 'List the acts about a decision, in order',
      returns: 'acts',
    })
    .input(DecisionId)
    .output(z.array(DecisionAct))
    .query(async ({ ctx: { caller, services }, input: { space_id, decision_id } }) => {
      const decision = await findDecision(services, caller, space_id, decision_id)
      const acts = await services.database.acts.ofDecision(decision, decision.decisionId)
      return RenderedOutput.texts<ActRecord, z.infer<typeof DecisionAct>>(acts, ({ wire }) => wire)
    }),
})

/** Signals a change to a decision, and the inboxes that have it anew. */
function announce({ longPolls }: Services, { tenantId }: Viewer, decision: NotifyingDecision): void {
  longPolls.decisionChanged({ ...decision, tenantId })
  for (const actorId of decision.notified) longPolls.inboxGrew({ tenantId, actorId })
}

/** 404 if there is no such decision. */
async function findDecision({ database }: Services, viewer: Viewer, spaceId: string, decisionId: string) {
  const decision = await database.decisions.find(viewer, spaceId, decisionId)
  if (!decision) throw unknown('Decision')
  return decision
}

/** Returns an action with its digest. 400 for another digest than the sender expects. */
function actionOf({ digest: expected, title, editable, used_by = [], ...sent }: NewAction): DecisionAction {
  const digest = actionDigest(sent)
  if (expected !== undefined && expected !== digest)
    throw invalid('action.digest', `is not that of the action, ${digest}`)
  return { ...sent, title: title ?? null, digest, isEditable: editable, usedBy: [...new Set(used_by)] }
}
