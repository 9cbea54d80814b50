import { ACCESSES, LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { email, flag, id, list, moment, oneOf, optional, text, timestamp } from './field.js'

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
  url: z.string().meta({ format: 'uri', description: 'The address of the page that redeems the code' }),
  sent: z.boolean().meta({ description: 'Whether the mail server accepted the invitation' }),
}).meta({ id: 'CreatedInvite' })

/** The options of one invite and of a batch. */
export const InviteOptions = z.object({
  default_space_id: optional(z.string({ error: 'must be a string' })),
  access: optional(oneOf(ACCESSES)).meta({
    description:
      'With `named`, the redeemer becomes a guest, who sees only the spaces it is added to. `all` by default',
  }),
  expires_at: optional(timestamp()).meta({ description: 'Default: in 7 days' }),
  send: flag().meta({ description: 'Send the link by e-mail' }),
})

export const CreateInvite = InviteOptions.extend({
  email: optional(email()).meta({
    description: 'Only an account with this address, in any case of letters, can redeem it',
  }),
})

export const CreateInvites = InviteOptions.extend({
  emails: list(email(), LIMITS.inviteBatch, 'e-mail addresses')
    .min(1, { error: 'must not be empty' })
    .superRefine((emails, context) => {
      const seen = new Set<string>()
      for (const [index, email] of emails.entries()) {
        const folded = email.toLowerCase()
        if (seen.has(folded)) context.addIssue({ code: 'custom', path: [index], message: 'is there twice' })
        seen.add(folded)
      }
    })
    .meta({ description: 'Only an account with the address, in any case of letters, can redeem its invite' }),
})

export const InviteId = z.object({ invite_id: id('The invite') })

/** No real code is this long. */
export const inviteCode = () => text(200)

export const RedeemInvite = z.object({ code: inviteCode() })
