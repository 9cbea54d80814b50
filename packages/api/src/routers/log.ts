import type { SpaceTree, TreeKey } from '@collab-spaces/db'
import { invalid, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentCheckpoint } from '../presenters/log.js'
import type { Caller } from '../procedure/credential.js'
import { procedure, router } from '../procedure/trpc.js'
import { consistencyOf, exportOf, openTree, receiptOf } from '../proofs.js'
import { requireSpace } from '../require-space.js'
import { Checkpoint, Consistency, ExportLog, GetCheckpoint, GetConsistency, GetProof, Receipt } from '../schemas/log.js'
import type { Services } from '../services.js'

export const logRouter = router({
  checkpoint: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/log/checkpoint',
      tags: ['Log', 'Extensions'],
      summary: 'Get the newest checkpoint of a space',
      returns: '`origin`, `epoch`, `size`, `root`, `key`, `sealed_at`, and `checkpoint`: the same as a signed note',
      errors: [409],
    })
    .input(GetCheckpoint)
    .output(Checkpoint)
    .query(async ({ ctx: { caller, services }, input: { space_id, tree } }) =>
      presentCheckpoint((await openReadableTree(services, caller, space_id, tree)).tree),
    ),

  proof: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'page',
      route: 'GET /api/spaces/{space_id}/log/proof',
      tags: ['Log', 'Extensions'],
      summary: 'Get the receipt of an event or a decision',
      description: 'Of an event or a decision.',
      returns: 'a receipt: the event, or all acts about the decision, with their proofs',
      errors: [409],
    })
    .input(GetProof)
    .output(Receipt)
    .query(async ({ ctx: { caller, services }, input: { space_id, event_id, decision_id } }) => {
      if ((event_id === undefined) === (decision_id === undefined)) {
        throw invalid(decision_id === undefined ? 'event_id' : 'decision_id', 'give one of event_id, decision_id')
      }
      await requireSpace(services, caller, space_id)
      if (event_id !== undefined) {
        const event = await services.database.events.find(caller, space_id, event_id)
        if (!event) throw unknown('Event')
        const tree = await openReadableTree(services, caller, space_id, 'events')
        return receiptOf(tree, 'event', event.eventId, [event.position])
      }
      const decision = await services.database.decisions.find(caller, space_id, decision_id as string)
      if (!decision) throw unknown('Decision')
      const tree = await openReadableTree(services, caller, space_id, 'decisions')
      const positions = await services.database.trees.positionsOfDecision(tree.tree.key, decision.decisionId)
      return receiptOf(tree, 'decision', decision.decisionId, positions)
    }),

  consistency: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'page',
      route: 'GET /api/spaces/{space_id}/log/consistency',
      tags: ['Log', 'Extensions'],
      summary: 'Get the proof that a checkpoint extends an earlier one',
      description: '`from` and `to` are sizes; `to` is by default the newest.',
      returns: '`from`, `to`, `proof`',
      errors: [409],
    })
    .input(GetConsistency)
    .output(Consistency)
    .query(async ({ ctx: { caller, services }, input: { space_id, tree, from, to } }) =>
      consistencyOf(await openReadableTree(services, caller, space_id, tree), from, to),
    ),

  export: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'heavy',
      lines: true,
      route: 'GET /api/spaces/{space_id}/log/export',
      tags: ['Log', 'Extensions'],
      summary: 'Export the history of a space with its proofs',
      description: '`after` is a position.',
      returns: 'lines of JSON (`application/x-ndjson`)',
      errors: [409],
    })
    .input(ExportLog)
    .output(z.string())
    .query(async ({ ctx: { caller, services }, input: { space_id, tree, after } }) =>
      exportOf(await openReadableTree(services, caller, space_id, tree), after),
    ),
})

async function openReadableTree(services: Services, caller: Caller, spaceId: string, tree: SpaceTree = 'events') {
  const { tenantId } = await requireSpace(services, caller, spaceId)
  const key: TreeKey = { tenantId, spaceId, tree }
  return openTree(services, key)
}
