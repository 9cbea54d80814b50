import { randomBytes } from 'node:crypto'
import { expiryOf, inviteCode, prefixedId, requireRedeemable, unauthenticated, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentActor } from '../presenters/actor.js'
import { presentInvite } from '../presenters/invite.js'
import { hashOf } from '../procedure/caller.js'
import { adminProcedure, humanProcedure, returns, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { Actor, Done } from '../schemas/actor.js'
import { CreatedInvite, CreateInvite, Invite, InviteId, RedeemInvite } from '../schemas/invite.js'

export const inviteRouter = router({
  create: adminProcedure
    .meta({
      method: 'POST',
      path: '/api/invites',
      tag: 'Invites',
      summary: 'Invite somebody into the tenant; the code is shown this once',
      extension: true,
      errors: [404],
    })
    .input(CreateInvite)
    .output(returns(CreatedInvite))
    .mutation(async ({ ctx: { caller, services }, input: { email, default_space_id, expires_at } }) => {
      if (default_space_id !== undefined) await requireSpace(services, caller.scope, default_space_id)
      const code = inviteCode(randomBytes)
      const now = new Date()
      const invite = await services.database.invites.create(caller.scope, {
        inviteId: prefixedId('inv', randomBytes),
        codeHash: hashOf(code),
        email: email ?? null,
        defaultSpaceId: default_space_id ?? null,
        grantsAdmin: false,
        createdBy: caller.actorId,
        createdAt: now,
        expiresAt: expires_at ?? expiryOf(now),
      })
      return { ...presentInvite(invite), code }
    }),

  list: adminProcedure
    .meta({
      method: 'GET',
      path: '/api/invites',
      tag: 'Invites',
      summary: 'Invites of the tenant, in the order of creation',
      extension: true,
    })
    .output(returns(z.array(Invite)))
    .query(async ({ ctx: { caller, services } }) => {
      return (await services.database.invites.list(caller.scope)).map(presentInvite)
    }),

  revoke: adminProcedure
    .meta({
      method: 'DELETE',
      path: '/api/invites/{invite_id}',
      tag: 'Invites',
      summary: 'Revoke an invite',
      extension: true,
      errors: [404],
    })
    .input(InviteId)
    .output(returns(Done))
    .mutation(async ({ ctx: { caller, services }, input: { invite_id } }) => {
      if (!(await services.database.invites.revoke(caller.scope, invite_id, new Date()))) throw unknown('Invite')
      return { ok: true }
    }),

  redeem: humanProcedure
    .meta({
      method: 'POST',
      path: '/api/invites/redeem',
      tag: 'Invites',
      summary: 'Move into the tenant of an invite, with the agents one sponsors',
      extension: true,
      errors: [404],
    })
    .input(RedeemInvite)
    .output(returns(Actor))
    .mutation(async ({ ctx: { caller, services }, input: { code } }) => {
      const now = new Date()
      const actor = await services.database.invites.redeem(caller.actorId, hashOf(code), now, (invite) =>
        requireRedeemable(invite, now),
      )
      if (!actor) throw unauthenticated()
      // Streams of the scope that was left end.
      services.revocations.announce()
      return presentActor(actor)
    }),
})
