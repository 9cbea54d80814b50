import { LIMITS, TOKEN_SCOPES } from '@collab-spaces/domain'
import { z } from 'zod'
import { list, moment, oneOf, optional, text, timestamp } from './field.js'

/** One to so many spaces. */
export function askedSpaces(most: number) {
  return optional(some(list(text(LIMITS.spaceId), most, 'space ids')))
}

/** What a new credential can be limited to, in requests. */
export const askedLimits = {
  scopes: optional(some(list(oneOf(TOKEN_SCOPES), TOKEN_SCOPES.length, 'scopes'))).meta({
    description: 'What the credential allows. Default: all that the credential of the request allows. Extension',
  }),
  space_ids: askedSpaces(LIMITS.credentialSpaces).meta({
    description: 'The only spaces it gives access to. Extension',
  }),
  expires_at: optional(timestamp()).meta({ description: 'When it expires. Extension' }),
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
