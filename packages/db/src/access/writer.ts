import { agentStopped, type Viewer } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'
import type { Principal } from '../credential/credential.js'
import type { PrismaClient } from '../generated/client.js'
import { actorRecord } from './record.js'

/** An actor that writes. */
export type Writer = Viewer & Pick<Principal, 'actorType'>

/**
 * Throws if the writer is stopped; otherwise delays a stop until the end of the transaction. Call it first in a transaction
 * that writes. Only agents can be stopped, so it costs humans nothing. The append repeats this rule in its own statement.
 */
export async function lockWriter(tx: Transaction, { actorId, actorType, tenantId }: Writer): Promise<void> {
  if (actorType !== 'agent') return
  const [membership] = await tx.$queryRaw<{ isStopped: boolean }[]>`
    SELECT is_stopped AS "isStopped" FROM memberships
    WHERE tenant_id = ${tenantId}::uuid AND actor_id = ${actorId} FOR SHARE`
  if (!membership?.isStopped) return
  const row = await tx.actor.findUnique({ where: { actorId } })
  const stop = row && actorRecord(row).stopped
  if (stop) throw agentStopped(stop)
}

/** Runs the writes of an actor in a transaction. */
export const writeAs = <T>(prisma: PrismaClient, writer: Writer, write: (tx: Transaction) => Promise<T>): Promise<T> =>
  prisma.$transaction(async (tx) => {
    await lockWriter(tx, writer)
    return write(tx)
  })
