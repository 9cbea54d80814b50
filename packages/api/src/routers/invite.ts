import { type AllowInvite, databaseClock } from '@collab-spaces/db'
import { requireLocallyRedeemable } from '@collab-spaces/domain'
import { z } from 'zod'
import { inviteMembers } from '../invites.js'
import { presentActor } from '../presenters/actor.js'
import { presentInvite } from '../presenters/invite.js'
import { hashOf } from '../procedure/credential.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { Actor, Done } from '../schemas/actor.js'
import { CreatedInvite, CreateInvite, CreateInvites, Invite, InviteId, RedeemInvite } from '../schemas/invite.js'

export const inviteRouter = router({
  create: procedure
    .meta({
      caller: 'admin',
      scope: 'account',
      cost: 'change',
      route: 'POST /api/invites',
      tags: ['Invites', 'Extensions'],
      summary: 'Create an invite to the tenant; the code is shown only once',
      description:
        'Only the account with that `email`, in any case of letters, can redeem it. A private `default_space_id` is ' +
        'for its owners only, a conversation never; `access` is `all` by default, `named` for a guest; `expires_at` ' +
        'is by default in 7 days, at most 90. `url` redeems the code in the page. With `send`, the server also ' +
        'sends it by e-mail, to at most 20 addresses a day; `sent` is false if its mail server did not accept it.',
      returns: 'invite with `code`, `url` and `sent`',
      errors: [404, 409],
      example: { email: 'bob@example.org' },
    })
    .input(CreateInvite)
    .output(CreatedInvite)
    .mutation(async ({ ctx: { caller, services, slot }, input: { email = null, ...options } }) => {
      const [created] = await inviteMembers(services, slot, caller, [email], options)
      return created as NonNullable<typeof created>
    }),

  createBatch: procedure
    .meta({
      caller: 'admin',
      scope: 'account',
      cost: 'bulk',
      route: 'POST /api/invites/batch',
      tags: ['Invites', 'Extensions'],
      summary: 'Create an invite for each of up to 100 e-mail addresses, all or none',
      description: 'With the options of a single one.',
      returns: 'invites, each with `code`, `url` and `sent`',
      errors: [404, 409],
      example: { emails: ['bob@example.org', 'carol@example.org'] },
    })
    .input(CreateInvites)
    .output(z.array(CreatedInvite))
    .mutation(({ ctx: { caller, services, slot }, input: { emails, ...options } }) =>
      inviteMembers(services, slot, caller, emails, options),
    ),

  list: procedure
    .meta({
      caller: 'admin',
      scope: 'account',
      cost: 'row',
      route: 'GET /api/invites',
      tags: ['Invites', 'Extensions'],
      summary: 'List the invites of the tenant, oldest first',
      returns: 'invites',
    })
    .output(z.array(Invite))
    .query(async ({ ctx: { caller, services } }) => {
      const invites = await services.database.invites.list(caller.tenantId)
      return RenderedOutput.list(invites, (invite) => presentInvite(invite, caller.limits))
    }),

  revoke: procedure
    .meta({
      caller: 'admin',
      scope: 'account',
      cost: 'change',
      route: 'DELETE /api/invites/{invite_id}',
      tags: ['Invites', 'Extensions'],
      summary: 'Revoke an invite',
      idempotent: true,
    })
    .input(InviteId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { invite_id } }) => {
      await services.database.invites.revoke(caller.tenantId, caller, invite_id, databaseClock.now())
      return { ok: true }
    }),

  redeem: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'POST /api/invites/redeem',
      tags: ['Invites', 'Extensions'],
      summary: 'Redeem an invite: move into its tenant, with the agents the caller sponsors',
      description:
        'Moves the caller into the tenant, sets `default_space_id` and joins it; if it is private and the maker no ' +
        'owner of it now, `default_space_id` is null. Its agents arrive stopped, until an admin, who gets a notice, ' +
        "starts them. Used, expired, revoked, unknown, or another's `email`: 404. The last admin of a tenant with " +
        'other members: 409.',
      returns: 'actor',
      errors: [404, 409],
      example: { code: 'the code of an invite' },
    })
    .input(RedeemInvite)
    .output(Actor)
    .mutation(async ({ ctx: { caller, services }, input: { code } }) => {
      const now = databaseClock.now()
      const allow: AllowInvite = (invite, email) => requireLocallyRedeemable(invite, email, now)
      const actor = await services.database.invites.redeem(caller, hashOf(code), now, allow, services.quotas.of)
      // This ends the streams in the previous scope.
      services.revocations.announce()
      return presentActor(actor, caller)
    }),
})
