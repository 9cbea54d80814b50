import { z } from 'zod'
import { askedLimits, askedScopes } from './credential.js'
import { id } from './field.js'

/** A grant: the rights that somebody gives a program. */
export const GiveGrant = z.object({ actor_id: id('The actor'), ...askedLimits, scopes: askedScopes() })
