import type { Initiator, Made, Stop, TenantId } from '@collab-spaces/domain'
import { countAdmins } from '../access/admins.js'
import { type AgentPlace, agentsOf, placesOf, WITH_AGENTS } from '../access/agents-of.js'
import { lockBearer, lockFor } from '../access/lock.js'
import { type ActorRecord, type AllowActor, actorRecord } from '../access/record.js'
import { stopColumns } from '../access/stop-columns.js'
import { record } from '../audit/audit.js'
import type { Listing } from '../connection/listing.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'
import { Prisma, type PrismaClient } from '../generated/client.js'
import { type NewNotice, raiseNotices } from '../notice/notice.js'

/** Throws to refuse. Also told how many admins of its tenant can act. */
type AllowStart = (agent: ActorRecord, admins: number) => void

/**
 * Stops agents, and starts them again. When a stop is answered, nothing that they write is committed any more, whatever
 * was on its way: see `lockWriter`. Each throws if the credential that it is asked for with has ended.
 */
export const stopStore = ({ prisma }: StoreContext) => ({
  /**
   * 404 if there is no such actor. Stopping again changes nothing, unless its sponsor stopped it and another actor does
   * now: an admin, then, has to start it.
   */
  async stop(by: Bearer, agentId: string, stop: Stop, allow: AllowActor): Promise<ActorRecord> {
    const agent = await prisma.$transaction(async (tx) => {
      const agent = await lockFor(tx, by, agentId)
      allow(agent)
      const [stopped] = await mark(tx, by, agent.tenantId, [agentId], stop)
      if (stopped === undefined) return agent
      await raiseNotices(tx, noticesOf(agent, stop))
      return { ...agent, stopped: stop }
    })
    await prisma.$transaction((tx) => letWritersEnd(tx, [agentId]))
    return agent
  },

  /**
   * All agents of a sponsor, some at a time: if it fails on the way, some are stopped, and asking again stops the others.
   * Returns those that were running, by `created_at` ascending.
   */
  async stopAgentsOf(by: Bearer, stop: Stop): Promise<Listing<ActorRecord>> {
    const sponsorId = by.actorId
    // All are marked before any is waited for: what they write may take its time.
    await someAtATime(prisma, sponsorId, async (tx, agentIds) => {
      const { tenantId } = await lockBearer(tx, by)
      await lockAgents(tx, agentIds)
      await mark(tx, by, tenantId, agentIds, stop)
    })
    await someAtATime(prisma, sponsorId, letWritersEnd)
    return agentsOf(prisma, sponsorId, { stoppedBy: stop.stoppedBy, stoppedAt: stop.stoppedAt })
  },

  /** 404 if there is no such actor. Starting again changes nothing. */
  start: (by: Bearer, agentId: string, allow: AllowStart): Promise<ActorRecord> =>
    prisma.$transaction(async (tx) => {
      const agent = await lockFor(tx, by, agentId)
      allow(agent, await countAdmins(tx, agent.tenantId))
      if (!agent.stopped) return agent
      await record(tx, by, agent.tenantId, 'agent.started', [agentId])
      // In all scopes: it may have moved since.
      await tx.membership.updateMany({ where: { actorId: agentId }, data: { isStopped: false } })
      return actorRecord(await tx.actor.update({ where: { actorId: agentId }, data: stopColumns(null) }))
    }),
})

/** Agents that are stopped in a transaction. Each takes the server a few rows. */
const AT_A_TIME = 500

/** Does something with all agents of a sponsor, some at a time, which memory and the time of a transaction suffice for. */
async function someAtATime(
  prisma: PrismaClient,
  sponsorId: string,
  work: (tx: Transaction, agentIds: readonly string[]) => Promise<void>,
): Promise<void> {
  let after: AgentPlace | null = null
  do {
    after = await prisma.$transaction(async (tx) => {
      const agents = await placesOf(tx, sponsorId, after, AT_A_TIME)
      const agentIds = agents.map(({ actorId }) => actorId)
      await work(tx, agentIds)
      return agents[AT_A_TIME - 1] ?? null
    }, WITH_AGENTS)
  } while (after)
}

/** Its sponsor is told, unless it was the sponsor who did it. */
function noticesOf({ tenantId, actorId, displayName, sponsorId }: ActorRecord, stop: Stop): NewNotice[] {
  if (sponsorId === null || sponsorId === stop.stoppedBy) return []
  const details = { agent_id: actorId, display_name: displayName, stopped_by: stop.stoppedBy, reason: stop.reason }
  return [
    {
      tenantId,
      actorId: sponsorId,
      kind: 'agent_stopped',
      subject: actorId,
      sourceId: stop.stoppedBy,
      spaceId: null,
      details,
    },
  ]
}

/**
 * Marks those of some agents, which are locked, that were running, or that only their sponsor had stopped if now an actor
 * else does. Returns their ids. From then on every request of theirs is refused.
 */
export async function mark(
  tx: Transaction,
  by: Initiator,
  tenantId: TenantId,
  agentIds: readonly string[],
  { stoppedAt, stoppedBy, reason }: Stop,
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ actorId: string }[]>`
    UPDATE actors SET stopped_at = ${stoppedAt}, stopped_by = ${stoppedBy}, stop_reason = ${reason}
    WHERE actor_id = ANY (${[...agentIds]}) AND deleted_at IS NULL AND ${stoppable(stoppedBy)}
    RETURNING actor_id AS "actorId"`
  const stopped = rows.map((row) => row.actorId)
  await record(tx, by, tenantId, 'agent.stopped', stopped)
  return stopped
}

/**
 * Has the agents of a human, who has just moved with them into a tenant, wait there until a member of the tenant starts
 * them. Returns how many do. Nothing that they write can be on its way there.
 */
export async function stopNewcomers(
  tx: Transaction,
  by: Initiator,
  human: Pick<ActorRecord, 'actorId'>,
  tenantId: TenantId,
  { stoppedAt, stoppedBy, reason }: Stop,
): Promise<number> {
  const rows = await tx.$queryRaw<{ actorId: string }[]>`
    UPDATE actors SET stopped_at = ${stoppedAt}, stopped_by = ${stoppedBy}, stop_reason = ${reason}
    WHERE sponsor_id = ${human.actorId} AND deleted_at IS NULL
    RETURNING actor_id AS "actorId"`
  const agentIds = rows.map(({ actorId }) => actorId)
  await tx.$executeRaw`
    UPDATE memberships SET is_stopped = true WHERE tenant_id = ${tenantId}::uuid AND actor_id = ANY (${agentIds})`
  await record(tx, by, tenantId, 'agent.stopped', agentIds)
  return agentIds.length
}

/** Whether a stop by an actor changes anything about an agent, a row of `actors`. */
export const stoppable = (stoppedBy: string): Prisma.Sql =>
  Prisma.sql`(stopped_at IS NULL OR (stopped_by = sponsor_id AND sponsor_id <> ${stoppedBy}))`

async function lockAgents(tx: Transaction, agentIds: readonly string[]): Promise<void> {
  await tx.$queryRaw`
    SELECT FROM actors WHERE actor_id = ANY (${[...agentIds]}) ORDER BY actor_id FOR NO KEY UPDATE`
}

/** For what has ended in a transaction which is committed: what the agents among it were writing has to end, too. */
export async function letWritersOfEnd(prisma: PrismaClient, ended: readonly Made[]): Promise<void> {
  const agentIds = ended.filter(({ kind }) => kind === 'agent').map(({ id }) => id)
  for (let i = 0; i < agentIds.length; i += AT_A_TIME) {
    const some = agentIds.slice(i, i + AT_A_TIME)
    await prisma.$transaction((tx) => letWritersEnd(tx, some), WITH_AGENTS)
  }
}

/**
 * Waits for what agents that are marked were writing at that moment, and has refused what they only begin to write. It
 * is a transaction of its own, after the mark is there for all to see: as long as more came in, it might never end.
 */
async function letWritersEnd(tx: Transaction, agentIds: readonly string[]): Promise<void> {
  // Locked, as they may have been started again in the meantime.
  await lockAgents(tx, agentIds)
  await tx.$executeRaw`
    UPDATE memberships m SET is_stopped = a.stopped_at IS NOT NULL FROM actors a
    WHERE a.actor_id = m.actor_id AND a.tenant_id = m.tenant_id AND m.actor_id = ANY (${[...agentIds]})
      AND m.is_stopped <> (a.stopped_at IS NOT NULL)`
}
