import { LIMITS, TOKEN_SCOPES } from '@collab-spaces/domain'
import { z } from 'zod'
import { list, moment, oneOf, optional, text, timestamp } from './field.js'

/** One to so many spaces. */
export function askedSpaces(most: number) {
  return optional(some(list(text(LIMITS.spaceId), most, 'space ids')))
}

/** One scope or more. */
export const askedScopes = () => some(list(oneOf(TOKEN_SCOPES), TOKEN_SCOPES.length, 'scopes'))

/** What a new credential can be limited to, in requests. */
export const askedLimits = {
  scopes: optional(askedScopes()).meta({
    description: 'What the credential allows. Default: all that the credential of the request allows. Extension',
  }),
  space_ids: askedSpaces(LIMITS.credentialSpaces).meta({
    description: 'The only spaces it gives access to. Extension',
  }),
  expires_at: optional(timestamp()).meta({ description: 'When it expires. Extension' }),
}

/** What the key of an agent can be limited to. */
export const askedLimitsOfAgent = {
  ...askedLimits,
  scopes: askedLimits.scopes.meta({
    description:
      'What the key of an agent allows. Default: what the tenant’s policy says, or `read`, `write` and `settle`, as far as ' +
      'the credential of the request allows it. Extension',
  }),
}

/** The same in answers. */
export const shownLimits = {
  scopes: z.array(z.enum(TOKEN_SCOPES)).nullable().meta({ description: 'null for all' }),
  space_ids: z.array(z.string()).nullable().meta({ description: 'null for all' }),
  expires_at: moment().nullable(),
}

function some<T extends z.ZodType>(entries: z.ZodArray<T>) {
  return entries.min(1, { error: 'must not be empty' })
}
