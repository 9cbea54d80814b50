import { notInSpace, type ReadableSpace, type TenantId, type Viewer } from '@collab-spaces/domain'
import { readable, writable } from '../access/view.js'
import { lockWriter, type Writer, writeAs } from '../access/writer.js'
import { columnsOf } from '../connection/columns.js'
import type { Transaction } from '../connection/store-context.js'
import { Prisma, type PrismaClient, type Space } from '../generated/client.js'
import { ownersNow } from './owner.js'
import { type OwnedSpace, type SpaceRecord, spaceRecord } from './record.js'

const COLUMNS = columnsOf(Prisma.SpaceScalarFieldEnum)

/**
 * Locks a space until the end of the transaction, for an actor that participates in it or may join it: its status and
 * participants stay, and no event is written. Null if the viewer does not see it; 403 if the viewer only sees it.
 */
export async function lockSpace(tx: Transaction, viewer: Viewer, spaceId: string): Promise<SpaceRecord | null> {
  const space = await lockSeen(tx, viewer, spaceId)
  if (space && !space.mayWrite) throw notInSpace()
  return space && spaceRecord(space)
}

/** Like `lockSpace`, for any viewer of the space, which suffices for acts of its owners. */
export async function lockToGovern(tx: Transaction, viewer: Viewer, spaceId: string): Promise<OwnedSpace | null> {
  const space = await lockSeen(tx, viewer, spaceId)
  return space && { ...spaceRecord(space), owners: await ownersNow(tx, viewer.tenantId, spaceId) }
}

async function lockSeen(
  tx: Transaction,
  viewer: Viewer,
  spaceId: string,
): Promise<(Space & { readonly mayWrite: boolean }) | null> {
  const { tenantId, isGuest } = viewer
  const [space] = await tx.$queryRaw<Space[]>`
    SELECT ${COLUMNS} FROM spaces s
    WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} AND ${readable(viewer, spaceId)}
    FOR NO KEY UPDATE`
  if (!space) return null
  if (space.visibility === 'open' && !isGuest) return { ...space, mayWrite: true }
  // Checked under the lock, because the statement may have waited for a removal, which holds the same lock.
  const [now] = await tx.$queryRaw<{ mayRead: boolean; mayWrite: boolean }[]>`
    SELECT ${readable(viewer, spaceId)} AS "mayRead", ${writable(viewer, spaceId)} AS "mayWrite" FROM spaces s
    WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId}`
  return now?.mayRead ? { ...space, mayWrite: now.mayWrite } : null
}

/** Locks a space for an action of the server or the operator. */
export async function lockAsSystem(tx: Transaction, tenantId: TenantId, spaceId: string): Promise<SpaceRecord | null> {
  const [row] = await tx.$queryRaw<Space[]>`
    SELECT ${COLUMNS} FROM spaces WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} FOR NO KEY UPDATE`
  return row ? spaceRecord(row) : null
}

/**
 * Writes as an actor in a space, under the lock of the space if participants can be removed from it. Null if the writer
 * can no longer access such a space.
 */
export async function writeIn<T>(
  prisma: PrismaClient,
  writer: Writer,
  { spaceId, visibility }: SpaceRecord & ReadableSpace,
  write: (client: Transaction) => Promise<T>,
): Promise<T | null> {
  if (visibility === 'open' && !writer.isGuest) return writeAs(prisma, writer, write)
  return prisma.$transaction(async (tx) => {
    await lockWriter(tx, writer)
    return (await lockSpace(tx, writer, spaceId)) && write(tx)
  })
}
