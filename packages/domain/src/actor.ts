import { conflict, type DomainError, forbidden, invalid, unknown } from './errors.js'
import { DEFAULT_TENANT, type TenantId } from './tenant-id.js'

export const ACTOR_TYPES = ['human', 'agent'] as const
export type ActorType = (typeof ACTOR_TYPES)[number]

/** The fields of an actor that rules depend on. */
export interface ActorRef {
  readonly actorId: string
  readonly actorType: ActorType
  readonly sponsorId: string | null
}

/** The installation an agent is connected to. */
export interface AgentConnection {
  readonly installationId: string
  readonly connectedAt: Date
}

export interface Connectable extends ActorRef {
  readonly displayName: string
  readonly connection: AgentConnection | null
}

/** An agent with the installation that it is connected to; null while it is available. */
interface InstalledAgent extends Pick<Connectable, 'actorId' | 'displayName'> {
  readonly installationId: string | null
}

export type TenantActor = ActorRef & { readonly tenantId: TenantId }

/** The fields of a caller that rules of a tenant depend on. */
export interface Member extends TenantActor {
  readonly isAdmin: boolean
}

/** The human behind an actor: itself, or its sponsor. */
export const humanOf = ({ actorId, sponsorId }: Pick<ActorRef, 'actorId' | 'sponsorId'>): string => sponsorId ?? actorId

const isSelf = (caller: ActorRef, actor: ActorRef) => caller.actorId === actor.actorId
const isSponsor = (caller: ActorRef, actor: ActorRef) => actor.sponsorId === caller.actorId

/** PATCH and DELETE: a human for itself, or the sponsor of an agent. */
export const canManage = (caller: ActorRef, actor: ActorRef) =>
  isSponsor(caller, actor) || (isSelf(caller, actor) && actor.actorType === 'human')

/** Keys and connections: the actor itself, or its sponsor. */
export const canOperate = (caller: ActorRef, actor: ActorRef) => isSelf(caller, actor) || isSponsor(caller, actor)

/** E-mail address, profile and metadata: the actor itself, or its sponsor. */
export const canReadPrivate = canOperate

const MINUTE_MS = 60_000

/**
 * Returns the time an actor was last active as a caller may know it: to the minute, and in the shared tenant, where
 * registration may be open, only for actors of the same human.
 */
export function shownLastSeen(
  caller: Pick<TenantActor, 'tenantId' | 'actorId' | 'sponsorId'>,
  actor: Pick<ActorRef, 'actorId' | 'sponsorId'>,
  lastSeenAt: Date | null,
): Date | null {
  if (lastSeenAt === null) return null
  if (caller.tenantId === DEFAULT_TENANT && humanOf(caller) !== humanOf(actor)) return null
  return new Date(Math.floor(lastSeenAt.getTime() / MINUTE_MS) * MINUTE_MS)
}

/** An admin of the tenant that an actor is in. */
export const isAdminOf = (caller: Member, actor: TenantActor) => caller.isAdmin && caller.tenantId === actor.tenantId

export const canRelease = (caller: Member, agent: TenantActor) =>
  agent.actorType === 'agent' && (isSponsor(caller, agent) || isAdminOf(caller, agent))

/**
 * Members of its tenant may see the card of an actor. In the shared tenant, and for guests, this also requires a space
 * in common or the same human behind both.
 */
export function canMeet(
  caller: TenantActor & { readonly isGuest: boolean },
  actor: TenantActor & { readonly commonSpaces: readonly string[] },
): boolean {
  if (caller.tenantId !== actor.tenantId) return false
  const isNear = actor.commonSpaces.length > 0 || humanOf(caller) === humanOf(actor)
  return isNear || (caller.tenantId !== DEFAULT_TENANT && !caller.isGuest)
}

/** 404 for an actor whose card the caller may not see, as for one that never existed. */
export function requireCanMeet(...[caller, actor]: Parameters<typeof canMeet>): void {
  if (!canMeet(caller, actor)) throw unknown('Actor')
}

export function requireCanManage(caller: ActorRef, actor: ActorRef): void {
  if (!canManage(caller, actor)) throw forbidden('Only the human or the sponsor of the agent may do this')
}

export function requireCanOperate(caller: ActorRef, actor: ActorRef): void {
  if (!canOperate(caller, actor)) throw forbidden('Only the actor or its sponsor may do this')
}

/** Answers 404 for an actor of another tenant, as for one that never existed. */
export function requireSameTenant(caller: TenantActor, actor: TenantActor): void {
  if (caller.tenantId !== actor.tenantId) throw unknown('Actor')
}

export function requireCanConnect(caller: TenantActor, actor: TenantActor): void {
  requireSameTenant(caller, actor)
  requireCanOperate(caller, actor)
}

export function requireCanRelease(caller: Member, agent: TenantActor): void {
  if (!canRelease(caller, agent))
    throw forbidden('Only the sponsor of the agent or an admin of its tenant may release it')
}

/** The credentials of an actor are seen and revoked by the actor, its sponsor, and admins of its tenant. */
export function requireCanRevoke(caller: Member, actor: TenantActor): void {
  requireSameTenant(caller, actor)
  if (canOperate(caller, actor) || isAdminOf(caller, actor)) return
  throw forbidden('Only the actor, its sponsor or an admin of its tenant may do this')
}

export function requireHuman(caller: ActorRef): void {
  if (caller.actorType !== 'human') throw forbidden('Only a human actor may do this')
}

export type Registration = 'open' | 'closed'

export function requireOpenRegistration(registration: Registration): void {
  if (registration === 'closed') throw forbidden('Registration is closed on this server')
}

/** A page of another origin must not register with a server that only this browser can reach. */
export function requireOwnPage(isForeignPage: boolean): void {
  if (isForeignPage) throw forbidden('A page of another origin can register only with an invite')
}

const ROTATE_ADVICE = 'Release it first, or repeat the request to rotate its key with the header X-Force-Rotate: true.'
const INSTALLATION_ADVICE = 'Send the header X-Installation-Id of that installation, or release the agent first.'

/** The reference defines the body of this 409: `error`, `message` and `agent_id` besides `detail`. */
export function agentConnected(
  agent: Pick<Connectable, 'actorId' | 'displayName'>,
  advice = ROTATE_ADVICE,
): DomainError {
  const message = `Agent "${agent.displayName}" is connected to another installation. ${advice}`
  return conflict(message, { error: 'agent_connected', message, agent_id: agent.actorId })
}

/** Only one installation works through an agent's inbox, so that no work is done twice. */
export function requireInstallation(agent: InstalledAgent, installationId: string | undefined): void {
  if (agent.installationId === null || agent.installationId === installationId) return
  throw agentConnected(agent, INSTALLATION_ADVICE)
}

/** Available → connected; the same installation again → refreshed; another one → 409. */
export function connect(agent: Connectable, installationId: string, now: Date): AgentConnection {
  if (agent.actorType !== 'agent') throw invalid('actor_id', 'must be an agent')
  if (agent.connection && agent.connection.installationId !== installationId) throw agentConnected(agent)
  return { installationId, connectedAt: now }
}

/**
 * The agent's connection after its key is rotated. The key of a connected agent can only be rotated from the same
 * installation or by force. By force, the agent moves to the caller's installation if the caller names one.
 */
export function rotate(
  agent: Connectable,
  request: { readonly installationId: string | undefined; readonly force: boolean },
  now: Date,
): AgentConnection | null {
  const { connection } = agent
  if (!connection || connection.installationId === request.installationId) return connection
  if (!request.force) throw agentConnected(agent)
  return request.installationId === undefined
    ? connection
    : { installationId: request.installationId, connectedAt: now }
}

/** Connected → available; an available agent stays so. */
export const release = (agent: Connectable): 'released' | 'already_released' =>
  agent.connection ? 'released' : 'already_released'
