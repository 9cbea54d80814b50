import { LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { askedLimits, shownLimits } from './credential.js'
import { flag, id, moment, name } from './field.js'

export const Token = z
  .object({
    pat_id: z.string(),
    name: z.string(),
    token_prefix: z.string(),
    created_at: moment(),
    last_used_at: moment().nullable(),
    revoked_at: moment().nullable(),
    ...shownLimits,
  })
  .meta({ id: 'PersonalAccessToken' })

export const CreatedToken = Token.extend({
  token: z.string().meta({ description: 'Plaintext, shown only once' }),
}).meta({ id: 'CreatedPersonalAccessToken' })

export const CreateToken = z.object({ name: name(LIMITS.tokenName), ...askedLimits })

export const ListTokens = z.object({ include_revoked: flag() })

export const TokenId = z.object({ pat_id: id('The token') })
