import type { AgentConnection, Member } from './actor.js'
import { forbidden } from './errors.js'
import type { JsonObject } from './json.js'
import type { SpaceStatus, Visibility } from './space.js'
import { requireAdmin } from './tenant.js'
import { DEFAULT_TENANT } from './tenant-id.js'

/**
 * The acts that the security log records: every act that changes who may act, with what and under which name, sends what was
 * written somewhere else, or erases it for good. The last ones, from `credentials.failed` on, are of the installation, not of a tenant.
 */
export const AUDIT_ACTIONS = [
  'actor.registered',
  'actor.renamed',
  'actor.key_rotated',
  'actor.key_revoked',
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
  'session.created',
  'session.ended',
  'grant.created',
  'grant.revoked',
  'passkey.added',
  'passkey.removed',
  'identity.bound',
  'identity.removed',
  'notification_channel.added',
  'notification_channel.verified',
  'notification_channel.removed',
  'tenant.created',
  'tenant.suspended',
  'tenant.reactivated',
  'tenant.quotas_changed',
  'tenant.language_model_allowed',
  'tenant.language_model_forbidden',
  'tenant.policy_changed',
  'tenant.exported',
  'tenant.moving',
  'tenant.move_cancelled',
  'tenant.arrived',
  'member.joined',
  'member.left',
  'member.removed',
  'member.access_changed',
  'admin.granted',
  'admin.withdrawn',
  'invite.created',
  'invite.redeemed',
  'invite.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.replayed',
  'webhook.deleted',
  'incoming_webhook.created',
  'incoming_webhook.changed',
  'incoming_webhook.secret_rotated',
  'incoming_webhook.deleted',
  'event.redacted',
  'events.redacted',
  'decision.redacted',
  'thread.redacted',
  'link.redacted',
  'claim.redacted',
  'space.redacted',
  'space.deleted',
  'erasures.scrubbed',
  'space.policy_changed',
  'space.owners_changed',
  'space.visibility_changed',
  'space.participant_added',
  'space.participant_removed',
  'space.archived',
  'space.unarchived',
  'space.left',
  'space.arrived',
  'credentials.failed',
  'sign_in.refused',
  'server_key.forgotten',
  'backup.made',
  'tenant.moved',
  'tenant.deleted',
  'log.new_epoch',
  'log.adopted',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** The details of an act in the log: of a change, the values before and after it. No secrets. */
export type AuditDetails = JsonObject

/** The initiator of an act: the actor, its credential and its address. */
export interface Initiator {
  /** Null for the operator. */
  readonly actorId: string | null
  /** `api_key`, the id of a personal access token, or `operator`; null where no credential is needed. */
  readonly credentialId: string | null
  /** The address that requests are counted by; null for the machine itself. */
  address(): string | null
}

/** The operator, who can run commands of the server program. */
export const OPERATOR: Initiator = { actorId: null, credentialId: 'operator', address: () => null }

/** The fields of an actor that the security log watches. */
export interface WatchedFields {
  readonly displayName: string
  readonly isAdmin: boolean
  readonly connection: AgentConnection | null
}

/** A change to an actor; what is undefined stays as it is. */
export interface WatchedChange {
  readonly displayName?: string | undefined
  readonly keyHash?: Uint8Array | undefined
  readonly isAdmin?: boolean | undefined
  readonly connection?: AgentConnection | null | undefined
}

/** An act, and its details. */
export type AuditedAct = readonly [action: AuditAction, details: AuditDetails | null]

/** The details of a change in the security log: nothing of what stays the same, such as a refreshed connection. */
export function auditedActs(actor: WatchedFields, change: WatchedChange): AuditedAct[] {
  const acts: AuditedAct[] = []
  if (change.displayName !== undefined && change.displayName !== actor.displayName) {
    const details = { before: { display_name: actor.displayName }, after: { display_name: change.displayName } }
    acts.push(['actor.renamed', details])
  }
  if (change.keyHash !== undefined) acts.push(['actor.key_rotated', null])
  if (change.isAdmin !== undefined && change.isAdmin !== actor.isAdmin) {
    acts.push([change.isAdmin ? 'admin.granted' : 'admin.withdrawn', null])
  }
  if (change.connection === null && actor.connection !== null) acts.push(['agent.released', null])
  if (change.connection && change.connection.installationId !== actor.connection?.installationId) {
    acts.push(['agent.connected', null])
  }
  return acts
}

/** A URL as the log keeps it: what stands in its query, and before its host, may be a secret. */
export function auditedUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** The fields of a space that the security log watches. */
export interface WatchedSpace {
  readonly status: SpaceStatus
  readonly visibility: Visibility
  /** Ids of actors, sorted. */
  readonly owners: readonly string[]
}

/** The details of a change to a space in the security log; an undefined field stays as it is. */
export function auditedSpaceActions(space: WatchedSpace, change: Partial<WatchedSpace>): AuditAction[] {
  const actions: AuditAction[] = []
  if (change.owners && String(change.owners) !== String(space.owners)) actions.push('space.owners_changed')
  if ((change.visibility ?? space.visibility) !== space.visibility) actions.push('space.visibility_changed')
  const { status = space.status } = change
  if (status !== space.status && status === 'archived') actions.push('space.archived')
  if (status !== space.status && space.status === 'archived') actions.push('space.unarchived')
  return actions
}

/** Admins read the log of their tenant. The shared tenant usually has none. */
export function requireCanReadAudit(caller: Member): void {
  if (caller.tenantId === DEFAULT_TENANT && !caller.isAdmin) {
    throw forbidden('The security log of the shared default tenant is for the operator: operate audit list')
  }
  requireAdmin(caller)
}
