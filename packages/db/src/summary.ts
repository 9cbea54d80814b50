import type { Scope } from '@collab-spaces/domain'
import type { PrismaClient, Summary } from './generated/client.js'

/** A summary. The time window belongs to each request and is not stored. */
export interface SummaryRecord {
  readonly summaryId: string
  readonly text: string
  readonly eventCount: number
  readonly model: string
  readonly createdAt: Date
}

export interface SummaryStore {
  /** The newest summary of the same source. */
  find(scope: Scope, spaceId: string, sourceHash: Buffer): Promise<SummaryRecord | null>
  save(scope: Scope, spaceId: string, sourceHash: Buffer, summary: SummaryRecord): Promise<SummaryRecord>
}

export function summaryStore(prisma: PrismaClient): SummaryStore {
  return {
    async find(scope, spaceId, sourceHash) {
      const row = await prisma.summary.findFirst({
        where: { tenantId: scope, spaceId, sourceHash: new Uint8Array(sourceHash) },
        orderBy: [{ createdAt: 'desc' }, { summaryId: 'desc' }],
      })
      return row && summaryRecord(row)
    },

    async save(scope, spaceId, sourceHash, summary) {
      const data = { ...summary, tenantId: scope, spaceId, sourceHash: new Uint8Array(sourceHash) }
      return summaryRecord(await prisma.summary.create({ data }))
    },
  }
}

const summaryRecord = ({ summaryId, text, eventCount, model, createdAt }: Summary): SummaryRecord => ({
  summaryId,
  text,
  eventCount,
  model,
  createdAt,
})
