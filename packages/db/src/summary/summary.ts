import type { ReadableSpace } from '@collab-spaces/domain'
import type { StoreContext } from '../connection/store-context.js'
import type { Summary } from '../generated/client.js'
import type { FoundSpan } from '../log/page.js'

/** A summary. The time window belongs to each request and is not stored. */
export type SummaryRecord = Omit<Summary, 'tenantId' | 'spaceId' | 'sourceHash'>

/** The maximum number of summaries kept for a space. Windows that end now have a new source after each event. */
const KEPT = 100

export const summaryStore = ({ prisma }: StoreContext) => ({
  /** The newest summary of the same source. */
  find: ({ tenantId, spaceId }: ReadableSpace, sourceHash: Buffer): Promise<SummaryRecord | null> =>
    prisma.summary.findFirst({
      where: { tenantId, spaceId, sourceHash: new Uint8Array(sourceHash) },
      orderBy: [{ createdAt: 'desc' }, { summaryId: 'desc' }],
    }),

  /**
   * Stores a summary in place of earlier ones of the same source, and of the oldest ones of the space. Null, without a
   * write, if events of the space were redacted or revised since these counts were read.
   */
  async save(
    { tenantId, spaceId }: ReadableSpace,
    sourceHash: Buffer,
    summary: SummaryRecord,
    { redactions, revisions }: Pick<FoundSpan, 'redactions' | 'revisions'>,
  ): Promise<SummaryRecord | null> {
    const data = { ...summary, tenantId, spaceId, sourceHash: new Uint8Array(sourceHash) }
    return prisma.$transaction(async (tx) => {
      // Locked, so that a redaction is either visible here or finds this summary to delete.
      const [space] = await tx.$queryRaw<Pick<FoundSpan, 'redactions' | 'revisions'>[]>`
        SELECT redactions, revisions FROM spaces WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} FOR SHARE`
      if (space?.redactions !== redactions || space.revisions !== revisions) return null
      await tx.summary.deleteMany({ where: { tenantId, spaceId, sourceHash: data.sourceHash } })
      const row = await tx.summary.create({ data })
      await tx.$executeRaw`
        DELETE FROM summaries WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} AND summary_id IN (
          SELECT summary_id FROM summaries WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId}
          ORDER BY created_at DESC, summary_id DESC OFFSET ${KEPT}
        )`
      return row
    })
  },
})
