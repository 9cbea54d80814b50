import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { databaseClock } from '@collab-spaces/db'
import { limitsOf, personalAccessToken, prefixedId, tokenPrefix, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentToken } from '../presenters/token.js'
import { hashOf } from '../procedure/credential.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpaces } from '../require-space.js'
import { revokeCredential } from '../revocation.js'
import { Revoked } from '../schemas/credential.js'
import { CreatedToken, CreateToken, ListTokens, Token, TokenId } from '../schemas/token.js'

export const tokenRouter = router({
  create: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'POST /api/personal-access-tokens',
      tags: ['Personal access tokens'],
      summary: 'Create a token; it is shown only once',
      description: 'More than 100 valid ones, unless the operator says otherwise: 403.',
      returns: 'token with `token`',
      errors: [404],
      example: { name: 'laptop' },
    })
    .input(CreateToken)
    .output(CreatedToken)
    .mutation(async ({ ctx: { caller, services }, input: { name, ...asked } }) => {
      await requireSpaces(services, caller, asked.space_ids)
      const token = personalAccessToken(randomBytes, crc32)
      const now = databaseClock.now()
      const fields = {
        patId: prefixedId('pat', randomBytes),
        name,
        kind: 'token' as const,
        tokenHash: hashOf(token),
        tokenPrefix: tokenPrefix(token),
        createdAt: now,
        limits: limitsOf(asked, caller.limits, now),
      }
      const record = await services.database.tokens.create(caller, fields, services.quotas.of)
      return { ...presentToken(record, caller.limits), token }
    }),

  list: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'row',
      route: 'GET /api/personal-access-tokens',
      tags: ['Personal access tokens'],
      summary: "List the caller's tokens, newest first",
      returns: "the caller's tokens, newest first",
    })
    .input(ListTokens)
    .output(z.array(Token))
    .query(async ({ ctx: { caller, services }, input: { include_revoked } }) => {
      const tokens = await services.database.tokens.list(caller.tenantId, caller.actorId, include_revoked)
      return RenderedOutput.list(tokens, (token) => presentToken(token, caller.limits))
    }),

  revoke: procedure
    .meta({
      caller: 'human',
      scope: 'account',
      cost: 'change',
      route: 'DELETE /api/personal-access-tokens/{pat_id}',
      tags: ['Personal access tokens'],
      summary: 'Revoke a token, and what it made',
      description:
        "Revokes it and [what it made](#credentials). Repeating it changes nothing. Another human's: 404. The answer has " +
        '[`ended`](#credentials), too.',
      idempotent: true,
    })
    .input(TokenId)
    .output(Revoked)
    .mutation(({ ctx: { caller, services }, input: { pat_id } }) => {
      if (!pat_id.startsWith('pat_')) throw unknown('Token')
      return revokeCredential(services, caller, caller.actorId, pat_id)
    }),
})
