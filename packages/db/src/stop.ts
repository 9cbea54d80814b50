import { agentStopped, type Scope, type Stop } from '@collab-spaces/domain'
import { lockBearer, lockFor } from './actor-lock.js'
import { type ActorRecord, actorRecord } from './actor-record.js'
import { record } from './audit.js'
import type { Bearer, Principal } from './credential.js'
import type { Prisma, PrismaClient } from './generated/client.js'
import { stopColumns } from './stop-columns.js'

/** Whoever is about to write something. */
export type Writer = Pick<Principal, 'actorId' | 'actorType' | 'scope'>

/** Throws to refuse. */
type Allow = (agent: ActorRecord) => void

/**
 * Stops agents, and starts them again. When a stop is answered, nothing that they write is committed any more, whatever
 * was on its way: see `lockWriter`. Each throws if the credential that it is asked for with has ended.
 */
export interface StopStore {
  /** Null when there is no such actor. Stopping again changes nothing. */
  stop(by: Bearer, agentId: string, stop: Stop, allow: Allow): Promise<ActorRecord | null>
  /** All agents of a sponsor. Returns those that were running. */
  stopAgentsOf(sponsor: Bearer, stop: Stop): Promise<ActorRecord[]>
  /** Null when there is no such actor. Starting again changes nothing. */
  start(by: Bearer, agentId: string, allow: Allow): Promise<ActorRecord | null>
}

export function stopStore(prisma: PrismaClient): StopStore {
  return {
    async stop(by, agentId, stop, allow) {
      const agent = await prisma.$transaction(async (tx) => {
        const agent = await lockFor(tx, by, agentId)
        if (!agent) return null
        allow(agent)
        const [stopped = agent] = await mark(tx, by, agent.scope, [agentId], stop)
        return stopped
      })
      if (agent) await awaitWriters(prisma, [agentId])
      return agent
    },

    async stopAgentsOf(by, stop) {
      const { all, stopped } = await prisma.$transaction(async (tx) => {
        const { actorId, scope } = await lockBearer(tx, by)
        const agents = await tx.actor.findMany({
          where: { sponsorId: actorId, deletedAt: null },
          select: { actorId: true },
          orderBy: { actorId: 'asc' },
        })
        const all = agents.map((agent) => agent.actorId)
        await lockAgents(tx, all)
        return { all, stopped: await mark(tx, by, scope, all, stop) }
      })
      await awaitWriters(prisma, all)
      return stopped
    },

    async start(by, agentId, allow) {
      return prisma.$transaction(async (tx) => {
        const agent = await lockFor(tx, by, agentId)
        if (!agent) return null
        allow(agent)
        if (!agent.stopped) return agent
        await record(tx, by, agent.scope, 'agent.started', [agentId])
        // In all scopes: it may have moved since.
        await tx.membership.updateMany({ where: { actorId: agentId }, data: { isStopped: false } })
        return actorRecord(await tx.actor.update({ where: { actorId: agentId }, data: stopColumns(null) }))
      })
    },
  }
}

/** Marks those of some agents, which are locked, that were running. From then on every request of theirs is refused. */
async function mark(
  tx: Prisma.TransactionClient,
  by: Bearer,
  scope: Scope,
  agentIds: readonly string[],
  stop: Stop,
): Promise<ActorRecord[]> {
  const rows = await tx.actor.updateManyAndReturn({
    where: { actorId: { in: [...agentIds] }, deletedAt: null, stoppedAt: null },
    data: stopColumns(stop),
  })
  const stopped = rows.map((row) => row.actorId)
  await record(tx, by, scope, 'agent.stopped', stopped)
  return rows.map(actorRecord)
}

async function lockAgents(tx: Prisma.TransactionClient, agentIds: readonly string[]): Promise<void> {
  await tx.$queryRaw`
    SELECT FROM actors WHERE actor_id = ANY (${[...agentIds]}) ORDER BY actor_id FOR NO KEY UPDATE`
}

/**
 * Waits for what agents that are marked were writing at that moment, and has refused what they only begin to write. It
 * is a step of its own, after the mark is there for all to see: as long as more came in, it might never end.
 */
async function awaitWriters(prisma: PrismaClient, agentIds: readonly string[]): Promise<void> {
  await prisma.$transaction(async (tx) => {
    // Locked, as they may have been started again in the meantime.
    await lockAgents(tx, agentIds)
    await tx.$executeRaw`
      UPDATE memberships m SET is_stopped = a.stopped_at IS NOT NULL FROM actors a
      WHERE a.actor_id = m.actor_id AND a.tenant_id = m.tenant_id AND m.actor_id = ANY (${[...agentIds]})
        AND m.is_stopped <> (a.stopped_at IS NOT NULL)`
  })
}

/**
 * To be called first in a transaction that writes: throws if the writer has been stopped, and otherwise holds off the
 * answer to a stop until the end of the transaction. Only agents are stopped, so it costs others nothing. The log does
 * the same in its own statement.
 */
export async function lockWriter(tx: Prisma.TransactionClient, { actorId, actorType, scope }: Writer): Promise<void> {
  if (actorType !== 'agent') return
  const [membership] = await tx.$queryRaw<{ isStopped: boolean }[]>`
    SELECT is_stopped AS "isStopped" FROM memberships
    WHERE tenant_id = ${scope}::uuid AND actor_id = ${actorId} FOR SHARE`
  if (!membership?.isStopped) return
  const row = await tx.actor.findUnique({ where: { actorId } })
  const stop = row && actorRecord(row).stopped
  if (stop) throw agentStopped(stop)
}

/** Writes as somebody; in a transaction if that is an agent. */
export function writeAs<T>(
  prisma: PrismaClient,
  writer: Writer,
  write: (client: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  if (writer.actorType !== 'agent') return write(prisma)
  return prisma.$transaction(async (tx) => {
    await lockWriter(tx, writer)
    return write(tx)
  })
}
