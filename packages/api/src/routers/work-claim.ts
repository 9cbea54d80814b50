import { soleWorkSubject, type WorkSubject } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentWorkClaim } from '../presenters/work-claim.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { Done } from '../schemas/actor.js'
import {
  ClaimRefused,
  HandOverWorkClaim,
  ListWorkClaims,
  ReleaseWorkClaim,
  RenewWorkClaim,
  SetProgress,
  TakeOverWorkClaim,
  TakeWorkClaim,
  WorkClaim,
} from '../schemas/work-claim.js'

const REFUSED = { 409: ClaimRefused }
const PATH = '/api/spaces/{space_id}/claims'

export const workClaimRouter = router({
  take: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: `POST ${PATH}`,
      tags: ['Claims', 'Extensions'],
      summary: 'Claim an event, a decision or a key',
      description: 'Of an event, a decision or a key.',
      returns: 'claim',
      errors: [409],
      example: { key: 'book the train', ttl_s: 600 },
      errorBodies: REFUSED,
    })
    .input(TakeWorkClaim)
    .output(WorkClaim)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, ttl_s, note = null, ...sent } }) => {
      const subject = soleWorkSubject(sent) as WorkSubject
      const claim = { subject, ttlSeconds: ttl_s, note }
      const space = await requireSpace(services, caller, space_id)
      return presentWorkClaim(await services.database.workClaims.take(caller, space, claim))
    }),

  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: `GET ${PATH}`,
      tags: ['Claims', 'Extensions'],
      summary: 'List the claims of a space, newest first',
      returns: 'claims that are held, newest first',
    })
    .input(ListWorkClaims)
    .output(z.array(WorkClaim))
    .query(async ({ ctx: { caller, services }, input: { space_id } }) => {
      const space = await requireSpace(services, caller, space_id)
      return (await services.database.workClaims.list(space)).map(presentWorkClaim)
    }),

  renew: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: `POST ${PATH}/{claim_id}/renew`,
      tags: ['Claims', 'Extensions'],
      summary: 'Renew a claim',
      description: 'By the holder.',
      returns: 'claim',
      errors: [409],
      idempotent: true,
      example: { ttl_s: 600 },
      errorBodies: REFUSED,
    })
    .input(RenewWorkClaim)
    .output(WorkClaim)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const space = await requireSpace(services, caller, input.space_id)
      return presentWorkClaim(await services.database.workClaims.renew(caller, space, namedBy(input), input.ttl_s))
    }),

  release: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: `DELETE ${PATH}/{claim_id}`,
      tags: ['Claims', 'Extensions'],
      summary: 'Release a claim',
      description: 'By the holder.',
      errors: [409],
      errorBodies: REFUSED,
    })
    .input(ReleaseWorkClaim)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const space = await requireSpace(services, caller, input.space_id)
      await services.database.workClaims.release(caller, space, namedBy(input))
      return { ok: true }
    }),

  handOver: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: `POST ${PATH}/{claim_id}/hand-over`,
      tags: ['Claims', 'Extensions'],
      summary: 'Hand a claim over to another actor',
      description: 'By the holder. `to` is an actor id.',
      returns: 'claim',
      errors: [409],
      example: { to: 'the actor_id of a participant' },
      errorBodies: REFUSED,
    })
    .input(HandOverWorkClaim)
    .output(WorkClaim)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const space = await requireSpace(services, caller, input.space_id)
      const claim = await services.database.workClaims.handOver(caller, space, namedBy(input), input.to, input.ttl_s)
      services.longPolls.inboxGrew({ tenantId: caller.tenantId, actorId: input.to })
      return presentWorkClaim(claim)
    }),

  takeOver: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: `POST ${PATH}/{claim_id}/take-over`,
      tags: ['Claims', 'Extensions'],
      summary: 'Take over a claim from its holder',
      description: 'For owners.',
      returns: 'claim',
      errors: [409],
      example: { ttl_s: 600 },
      errorBodies: REFUSED,
    })
    .input(TakeOverWorkClaim)
    .output(WorkClaim)
    .mutation(async ({ ctx: { caller, services }, input }) =>
      presentWorkClaim(
        await services.database.workClaims.takeOver(caller, input.space_id, namedBy(input), input.ttl_s),
      ),
    ),

  progress: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: 'PUT /api/spaces/{space_id}/progress',
      tags: ['Claims', 'Extensions'],
      summary: 'Report progress on a claim',
      description: 'By the holder. The `text` is shown with the claim, the last of each second.',
      errors: [409],
      idempotent: true,
      example: { claim_id: 'the claim_id of a claim', text: 'Two of three trains compared' },
      errorBodies: REFUSED,
    })
    .input(SetProgress)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, claim_id, text } }) => {
      const { tenantId, spaceId } = await requireSpace(services, caller, space_id)
      await services.progress.set({ tenantId, spaceId, claimId: claim_id, holderId: caller.actorId, text })
      return { ok: true }
    }),
})

const namedBy = ({ claim_id, fence }: { readonly claim_id: string; readonly fence?: number | undefined }) => ({
  claimId: claim_id,
  fence,
})
