import { LIMITS, MADE_KINDS, TOKEN_KINDS, TOKEN_SCOPES } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, list, moment, oneOf, optional, text, timestamp } from './field.js'

/** One to so many spaces. */
export function askedSpaces(most: number) {
  return optional(some(list(text(LIMITS.spaceId), most, 'space ids')))
}

/** One scope or more. */
export const requestedScopes = () => some(list(oneOf(TOKEN_SCOPES), TOKEN_SCOPES.length, 'scopes'))

/** The limits of a new credential, in requests. */
export const askedLimits = {
  scopes: optional(requestedScopes()).meta({
    description: 'What the credential allows. Default: all that the credential of the request allows. Extension',
  }),
  space_ids: askedSpaces(LIMITS.credentialSpaces).meta({
    description: 'The only spaces it gives access to. Extension',
  }),
  expires_at: optional(timestamp()).meta({ description: 'When it expires. Extension' }),
}

/** The limits of an agent's key. */
export const askedLimitsOfAgent = {
  ...askedLimits,
  scopes: askedLimits.scopes.meta({
    description:
      'What the key of an agent allows. Default: what the tenant’s policy says, or `read`, `write` and `settle`, as far as ' +
      'the credential of the request allows it. Extension',
  }),
}

/** The limits of a credential in answers. */
export const shownLimits = {
  scopes: z.array(z.enum(TOKEN_SCOPES)).nullable().meta({ description: 'null for all' }),
  space_ids: z.array(z.string()).nullable().meta({ description: 'null for all' }),
  expires_at: moment().nullable(),
}

const Made = z
  .object({
    kind: z.enum(MADE_KINDS),
    id: z.string(),
    name: z.string().nullable().meta({
      description:
        'Of an invite the address, of a webhook the host it leads to; the e-mail address of an identity or a notification channel for its owner only',
    }),
    actor_id: z.string().meta({ description: 'Whose it is; of an agent, its sponsor' }),
  })
  .meta({ id: 'Made' })

/** Everything that ends with a credential, or has ended with it. */
export const Ended = z
  .object({
    count: z.int(),
    items: z.array(Made).meta({ description: `The oldest ${LIMITS.endedShown}` }),
  })
  .meta({ id: 'Ended' })

/** The same in an answer. */
export const ended = Ended.optional().meta({
  description:
    'What was made with it and ended: tokens, keys, codes and invites are revoked, agents stopped, webhooks disabled. ' +
    'Absent if nothing ended. Extension',
})

/** A credential of an actor, without its secret. */
export const Credential = z
  .object({
    actor_id: z.string(),
    credential_id: z.string().meta({ description: '`api_key`, or the id of a token, session or grant' }),
    kind: z.enum(['api_key', ...TOKEN_KINDS, 'passkey', 'identity']).meta({
      description: '`session`: of a signed-in human; `grant`: given to a program',
    }),
    name: z.string().nullable(),
    created_at: moment(),
    created_with: z
      .object({ actor_id: z.string(), credential_id: z.string() })
      .nullable()
      .meta({ description: 'The credential that it was made with; null if there was none' }),
    last_used_at: moment().nullable().meta({ description: 'Of a token; not recorded of the key' }),
    revoked_at: moment().nullable(),
    ...shownLimits,
    ends: Ended.meta({ description: 'What ends if it is revoked' }),
    everything: Ended.nullable().meta({
      description: 'Of the key, what ends if it is rotated with `revoke_tokens`; null of a token',
    }),
  })
  .meta({ id: 'Credential' })

export const CredentialId = z.object({ actor_id: id('The actor'), credential_id: id('The credential') })

export const Revoked = z.object({ ok: z.literal(true), ended }).meta({ id: 'Revoked' })

function some<T extends z.ZodType>(entries: z.ZodArray<T>) {
  return entries.min(1, { error: 'must not be empty' })
}

/** A grant: the rights that a human gives a program. */
export const GiveGrant = z.object({ actor_id: id('The actor'), ...askedLimits, scopes: requestedScopes() })
