import { z } from 'zod'
import { askedLimits, askedScopes } from './credential.js'
import { id } from './field.js'

/** What somebody lets a program do. */
export const GiveGrant = z.object({ actor_id: id('The actor'), ...askedLimits, scopes: askedScopes() })
