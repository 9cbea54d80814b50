import { canRelease, isAdminOf, type Member, requireSameTenant, type TenantActor } from './actor.js'
import type { TokenScope } from './credential.js'
import { DomainError, forbidden } from './errors.js'

/** The state of a stopped agent, which may only read until it is started again. */
export interface Stop {
  readonly reason: string | null
  /** The actor who stopped it. */
  readonly stoppedBy: string
  readonly stoppedAt: Date
}

/** The reason with which agents arrive in a tenant whose human was invited. */
export const WAITING_TO_BE_ADMITTED = 'Waiting for an admin of the tenant to admit it'

export const shownStop = ({ reason, stoppedBy, stoppedAt }: Stop) => ({
  reason,
  stopped_by: stoppedBy,
  stopped_at: stoppedAt.toISOString(),
})

export function agentStopped(stop: Stop): DomainError {
  const detail = stop.reason === null ? 'The agent is stopped' : `The agent is stopped: ${stop.reason}`
  return new DomainError('forbidden', detail, { error: 'agent_stopped', ...shownStop(stop) })
}

/** A stopped agent may still read. */
export function requireNotStopped(stop: Stop | null, scope: TokenScope): void {
  if (stop !== null && scope !== 'read') throw agentStopped(stop)
}

/** An agent that was stopped between two requests is told soon. It is not told at once, as it may ask without a pause. */
const MAX_STOPPED_WAIT = 5

/** Returns how long a request may wait, in seconds. */
export const waitOf = (stop: Stop | null, seconds: number): number =>
  stop === null ? seconds : Math.min(seconds, MAX_STOPPED_WAIT)

/** Callers who can release an agent can stop and start it. */
export function requireCanStop(caller: Member, agent: TenantActor): void {
  requireSameTenant(caller, agent)
  if (!canRelease(caller, agent))
    throw forbidden('Only the sponsor of the agent or an admin of its tenant may stop or start it')
}

/**
 * Callers who can stop an agent can start it again. If an actor other than its sponsor stopped it, only an admin can; in
 * a tenant without admins, the sponsor can.
 */
export function requireCanStart(
  caller: Member,
  agent: TenantActor & { readonly stopped: Stop | null },
  admins: number,
): void {
  requireCanStop(caller, agent)
  const { stopped, sponsorId } = agent
  if (stopped === null || stopped.stoppedBy === sponsorId || isAdminOf(caller, agent) || admins === 0) return
  throw forbidden('An admin of the tenant stopped this agent: ask an admin to start it again')
}
