import { isUuid, type Scope } from '@collab-spaces/domain'
import type { PrismaClient, Thread } from './generated/client.js'
import { lockSpace, type SpaceRecord } from './space.js'

export interface ThreadRecord {
  readonly threadId: string
  readonly spaceId: string
  readonly parentEventId: string
  readonly subject: string
  readonly createdAt: Date
}

export interface NewThread {
  readonly threadId: string
  readonly parentEventId: string
  readonly subject: string
  readonly postedBy: string
  readonly createdAt: Date
}

export interface ThreadStore {
  /**
   * Starts a thread on an event, or finds the existing one, whatever the status of the space. `allow` may refuse a new
   * one by throwing.
   */
  start(
    scope: Scope,
    spaceId: string,
    thread: NewThread,
    allow: (space: SpaceRecord) => void,
  ): Promise<ThreadRecord | 'unknown_space' | 'unknown_event'>
  /** By its own id, or by the id of the event it is anchored on. */
  find(scope: Scope, spaceId: string, threadOrEventId: string): Promise<ThreadRecord | null>
}

export function threadStore(prisma: PrismaClient): ThreadStore {
  return {
    async start(scope, spaceId, thread, allow) {
      return prisma.$transaction(async (tx) => {
        const space = await lockSpace(tx, scope, spaceId)
        if (!space) return 'unknown_space'
        const { parentEventId } = thread
        if (!isUuid(parentEventId)) return 'unknown_event'
        const anchor = { tenantId: scope, spaceId, parentEventId }
        const existing = await tx.thread.findUnique({ where: { tenantId_spaceId_parentEventId: anchor } })
        if (existing) return threadRecord(existing)

        const event = await tx.event.count({ where: { tenantId: scope, spaceId, eventId: parentEventId } })
        if (event === 0) return 'unknown_event'
        allow(space)
        return threadRecord(await tx.thread.create({ data: { ...thread, tenantId: scope, spaceId } }))
      })
    },

    async find(scope, spaceId, threadOrEventId) {
      if (!isUuid(threadOrEventId)) return null
      const row = await prisma.thread.findFirst({
        where: { tenantId: scope, spaceId, OR: [{ threadId: threadOrEventId }, { parentEventId: threadOrEventId }] },
      })
      return row && threadRecord(row)
    },
  }
}

const threadRecord = ({ threadId, spaceId, parentEventId, subject, createdAt }: Thread): ThreadRecord => ({
  threadId,
  spaceId,
  parentEventId,
  subject,
  createdAt,
})
