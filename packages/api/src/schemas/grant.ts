import { z } from 'zod'
import { askedLimits, requestedScopes } from './credential.js'
import { id } from './field.js'

/** A grant: the rights that a human gives a program. */
export const GiveGrant = z.object({ actor_id: id('The actor'), ...askedLimits, scopes: requestedScopes() })
