import { z } from 'zod'
import { id, moment } from './field.js'

export const Block = z.object({ actor_id: z.string(), name: z.string(), created_at: moment() }).meta({ id: 'Block' })

export const BlockedId = z.object({ actor_id: id('The actor to block') })
