import type { AgentConnection, Member } from './actor.js'
import { forbidden } from './errors.js'
import type { JsonObject } from './json.js'
import { DEFAULT_SCOPE } from './scope.js'
import { requireAdmin } from './tenant.js'

/** What the security log records: every act that changes who may act, and with what, or erases something for good. */
export const AUDIT_ACTIONS = [
  'actor.registered',
  'actor.key_rotated',
  'actor.disabled',
  'actor.enabled',
  'actor.deleted',
  'agent.connected',
  'agent.released',
  'agent.stopped',
  'agent.started',
  'agent_code.created',
  'agent_code.redeemed',
  'agent_code.revoked',
  'token.created',
  'token.revoked',
  'tenant.created',
  'tenant.suspended',
  'tenant.reactivated',
  'tenant.quotas_changed',
  'tenant.language_model_allowed',
  'tenant.language_model_forbidden',
  'tenant.policy_changed',
  'member.joined',
  'member.left',
  'member.removed',
  'admin.granted',
  'admin.withdrawn',
  'invite.created',
  'invite.redeemed',
  'invite.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.deleted',
  'event.redacted',
  'space.deleted',
  'space.policy_changed',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** What the log says of an act besides who did it to what: of a change, the values before and after it. No secrets. */
export type AuditDetails = JsonObject

/** Who acts, and from where. */
export interface Initiator {
  /** Null for the operator. */
  readonly actorId: string | null
  /** `api_key`, the id of a personal access token, or `operator`; null where no credential is needed. */
  readonly credentialId: string | null
  /** What requests are counted by; null for the machine itself. */
  address(): string | null
}

/** Whoever can run commands of the server program. */
export const OPERATOR: Initiator = { actorId: null, credentialId: 'operator', address: () => null }

/** What of an actor the security log watches. */
export interface Watched {
  readonly isAdmin: boolean
  readonly connection: AgentConnection | null
}

/** A change to an actor; what is undefined stays as it is. */
export interface WatchedChange {
  readonly keyHash?: Uint8Array | undefined
  readonly isAdmin?: boolean | undefined
  readonly connection?: AgentConnection | null | undefined
}

/** What the security log says of a change: nothing of what stays the same, such as a refreshed connection. */
export function auditedActions(actor: Watched, change: WatchedChange): AuditAction[] {
  const actions: AuditAction[] = []
  if (change.keyHash !== undefined) actions.push('actor.key_rotated')
  if (change.isAdmin !== undefined && change.isAdmin !== actor.isAdmin) {
    actions.push(change.isAdmin ? 'admin.granted' : 'admin.withdrawn')
  }
  if (change.connection === null && actor.connection !== null) actions.push('agent.released')
  if (change.connection && change.connection.installationId !== actor.connection?.installationId) {
    actions.push('agent.connected')
  }
  return actions
}

/** Admins read the log of their tenant. The shared scope usually has none. */
export function requireCanReadAudit(caller: Member): void {
  if (caller.scope === DEFAULT_SCOPE && !caller.isAdmin) {
    throw forbidden('The security log of the shared default scope is for the operator: operate audit list')
  }
  requireAdmin(caller)
}
