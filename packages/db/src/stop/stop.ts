import type { Initiator, MadeItem, Stop, TenantId } from '@collab-spaces/domain'
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

/** Throws to refuse. Also receives the number of admins of its tenant that can act. */
type AllowStart = (agent: ActorRecord, admins: number) => void

/**
 * Stops and restarts agents. After the response to a stop, none of their writes is committed, including those in flight:
 * see `lockWriter`. Each method throws if its credential has ended.
 */
export const stopStore = ({ prisma }: StoreContext) => ({
  /**
   * 404 for an unknown actor. A repeated stop changes nothing, except that a stop by another actor replaces one by the
   * sponsor: then only an admin can restart the agent.
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
   * Stops all agents of a sponsor in batches: after a failure, some are stopped, and a retry stops the others. Returns
   * those that were running, by `created_at` ascending.
   */
  async stopAgentsOf(by: Bearer, stop: Stop): Promise<Listing<ActorRecord>> {
    const sponsorId = by.actorId
    // All are marked before the first wait, because their writes may take time.
    await someAtATime(prisma, sponsorId, async (tx, agentIds) => {
      const { tenantId } = await lockBearer(tx, by)
      await lockAgents(tx, agentIds)
      await mark(tx, by, tenantId, agentIds, stop)
    })
    await someAtATime(prisma, sponsorId, letWritersEnd)
    return agentsOf(prisma, sponsorId, { stoppedBy: stop.stoppedBy, stoppedAt: stop.stoppedAt })
  },

  /** 404 for an unknown actor. Idempotent. */
  start: (by: Bearer, agentId: string, allow: AllowStart): Promise<ActorRecord> =>
    prisma.$transaction(async (tx) => {
      const agent = await lockFor(tx, by, agentId)
      allow(agent, await countAdmins(tx, agent.tenantId))
      if (!agent.stopped) return agent
      await record(tx, by, agent.tenantId, 'agent.started', [agentId])
      const { tenantId } = agent
      await tx.membership.updateMany({ where: { tenantId, actorId: agentId }, data: { isStopped: false } })
      return actorRecord(await tx.actor.update({ where: { actorId: agentId }, data: stopColumns(null) }))
    }),
})

/** The number of agents stopped in a transaction. Each takes the server a few rows. */
const AT_A_TIME = 500

/** Processes all agents of a sponsor in batches, which bounds memory and the duration of a transaction. */
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

/** Notifies the sponsor, unless the sponsor is the actor of the stop. */
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
 * Marks the locked agents that were running, or that only their sponsor had stopped if another actor stops them now.
 * Returns their ids. From then on, all their requests are refused.
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
 * Stops the agents of a human who has just moved with them into a tenant, until a member of the tenant starts them.
 * Returns the number of stopped agents. They cannot have writes in flight there.
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

/** Whether a stop by an actor changes an agent, a row of `actors`. */
export const stoppable = (stoppedBy: string): Prisma.Sql =>
  Prisma.sql`(stopped_at IS NULL OR (stopped_by = sponsor_id AND sponsor_id <> ${stoppedBy}))`

async function lockAgents(tx: Transaction, agentIds: readonly string[]): Promise<void> {
  await tx.$queryRaw`
    SELECT FROM actors WHERE actor_id = ANY (${[...agentIds]}) ORDER BY actor_id FOR NO KEY UPDATE`
}

/** Runs after the commit of a transaction that ended credentials: the writes in flight of their agents must end, too. */
export async function letWritersOfEnd(prisma: PrismaClient, ended: readonly MadeItem[]): Promise<void> {
  const agentIds = ended.filter(({ kind }) => kind === 'agent').map(({ id }) => id)
  for (let i = 0; i < agentIds.length; i += AT_A_TIME) {
    const some = agentIds.slice(i, i + AT_A_TIME)
    await prisma.$transaction((tx) => letWritersEnd(tx, some), WITH_AGENTS)
  }
}

/**
 * Waits for the writes that marked agents had in flight at that moment; later writes are refused. It is a separate
 * transaction after the mark is committed: otherwise new writes could extend the wait without end.
 */
async function letWritersEnd(tx: Transaction, agentIds: readonly string[]): Promise<void> {
  // Locked, because they may have been restarted in the meantime.
  await lockAgents(tx, agentIds)
  await tx.$executeRaw`
    UPDATE memberships m SET is_stopped = a.stopped_at IS NOT NULL FROM actors a
    WHERE a.actor_id = m.actor_id AND a.tenant_id = m.tenant_id AND m.actor_id = ANY (${[...agentIds]})
      AND m.is_stopped <> (a.stopped_at IS NOT NULL)`
}
