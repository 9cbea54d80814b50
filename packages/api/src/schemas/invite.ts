import { ACCESSES } from '@collab-spaces/domain'
import { z } from 'zod'
import { email, id, moment, oneOf, optional, text, timestamp } from './field.js'

export const Invite = z
  .object({
    invite_id: z.string(),
    email: z.string().nullable(),
    default_space_id: z.string().nullable(),
    access: z.enum(ACCESSES),
    created_by: z.string().nullable(),
    created_at: moment(),
    expires_at: moment(),
    revoked_at: moment().nullable(),
    redeemed_at: moment().nullable(),
  })
  .meta({ id: 'Invite' })

export const CreatedInvite = Invite.extend({
  code: z.string().meta({ description: 'Plaintext, shown only once' }),
}).meta({ id: 'CreatedInvite' })

export const CreateInvite = z.object({
  email: optional(email()).meta({
    description: 'Only an account with this address, in any case of letters, can redeem it',
  }),
  default_space_id: optional(z.string({ error: 'must be a string' })),
  access: optional(oneOf(ACCESSES)).meta({
    description:
      'With `named`, the redeemer becomes a guest, who sees only the spaces it is added to. `all` by default',
  }),
  expires_at: optional(timestamp()).meta({ description: 'Default: in 7 days' }),
})

export const InviteId = z.object({ invite_id: id('The invite') })

/** No real code is this long. */
export const inviteCode = () => text(200)

export const RedeemInvite = z.object({ code: inviteCode() })
