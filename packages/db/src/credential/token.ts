import { type CredentialLimits, type TenantId, TOKEN_ACTS, type TokenKind } from '@collab-spaces/domain'
import { limitColumns, limitsIn } from '../access/limits.js'
import { lineageOf } from '../access/lineage.js'
import { lockBearer } from '../access/lock.js'
import { record } from '../audit/audit.js'
import { type Listing, listing } from '../connection/listing.js'
import type { StoreContext } from '../connection/store-context.js'
import type { Token } from '../generated/client.js'
import { type QuotaOf, requireRoom } from '../quota/quota.js'
import type { Bearer } from './credential.js'

export interface TokenRecord {
  readonly patId: string
  readonly name: string
  readonly kind: TokenKind
  readonly tokenPrefix: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
  readonly limits: CredentialLimits
}

export interface NewToken
  extends Pick<TokenRecord, 'patId' | 'name' | 'kind' | 'tokenPrefix' | 'createdAt' | 'limits'> {
  readonly tokenHash: Buffer
}

/** The rows of a list read at once. */
const PAGE_SIZE = 500

/** The rows after a cursor, in the order of lists. */
const behind = (row: TokenRecord) => ({
  OR: [{ createdAt: { lt: row.createdAt } }, { createdAt: row.createdAt, patId: { lt: row.patId } }],
})

export const tokenStore = ({ prisma }: StoreContext) => ({
  /** Creates a token for the bearer of a credential. Throws if the credential has ended, and beyond the quota of tokens. */
  create: (bearer: Bearer, { tokenHash, limits, ...token }: NewToken, quotaOf: QuotaOf): Promise<TokenRecord> =>
    prisma.$transaction(async (tx) => {
      const human = await lockBearer(tx, bearer)
      const { actorId, tenantId } = human
      await record(tx, bearer, tenantId, TOKEN_ACTS[token.kind].created, [token.patId])
      const row = await tx.token.create({
        data: {
          ...token,
          ...limitColumns(limits, tenantId),
          actorId,
          tokenHash: new Uint8Array(tokenHash),
          createdWith: await lineageOf(tx, bearer),
        },
      })
      await requireRoom(tx, human, 'tokens', quotaOf)
      return tokenRecord(row, tenantId)
    }),

  /** The personal access tokens, newest first. */
  list: (tenantId: TenantId, actorId: string, includeRevoked: boolean): Promise<Listing<TokenRecord>> =>
    listing(PAGE_SIZE, async (after: TokenRecord | null, take) => {
      const rows = await prisma.token.findMany({
        where: {
          actorId,
          kind: 'token' satisfies TokenKind,
          ...(!includeRevoked && { revokedAt: null }),
          ...(after && behind(after)),
        },
        orderBy: [{ createdAt: 'desc' }, { patId: 'desc' }],
        take,
      })
      return rows.map((row) => tokenRecord(row, tenantId))
    }),
})

const tokenRecord = ({ tokenHash: _, ...row }: Token, tenantId: TenantId): TokenRecord => ({
  ...row,
  kind: row.kind as TokenKind,
  limits: limitsIn(row, tenantId),
})
