import type { TenantId } from '@collab-spaces/domain'
import type { DecisionKey } from '../decision/key.js'

/** A changed part of a space other than its events and acts. */
export type SpacePart =
  /** The space and its participants. */
  | 'status'
  | 'links'
  /** The work claims, and their progress. */
  | 'claims'
  /** The receipts of events. */
  | 'receipts'

interface InSpace {
  readonly tenantId: TenantId
  readonly spaceId: string
}

interface OfActor {
  readonly tenantId: TenantId
  readonly actorId: string
}

/** A signal between the servers of an installation. */
export type ServerSignal =
  /** The log of a space has a new head. */
  | ({ readonly kind: 'head'; readonly head: number } & InSpace)
  /** A space has new acts other than about decisions. */
  | ({ readonly kind: 'space' } & InSpace)
  /** The inbox of an actor has changed. */
  | ({ readonly kind: 'inbox' } & OfActor)
  | ({ readonly kind: 'changed'; readonly part: SpacePart } & InSpace)
  /** The read cursor of an actor in a space has moved. */
  | ({ readonly kind: 'seen' } & InSpace & OfActor)
  /** An agent was stopped or started. */
  | ({ readonly kind: 'stop' } & OfActor)
  /** A person came or went. */
  | ({ readonly kind: 'presence' } & OfActor)
  /** A decision has changed. */
  | ({ readonly kind: 'decision' } & DecisionKey)
  /** The reactions to an event have changed. */
  | ({ readonly kind: 'reaction'; readonly eventId: string } & InSpace)
  /** A webhook was created, changed or removed. */
  | { readonly kind: 'webhook'; readonly tenantId: TenantId; readonly webhookId: string }
  /** Credentials may have been revoked: check them again. */
  | { readonly kind: 'revoked' }
  /** Quotas have changed: read them again. */
  | { readonly kind: 'quotas' }
  /** Content of a space was erased: drop cached reads. */
  | ({ readonly kind: 'erased' } & InSpace)
  /** The operator has done an act of the security log. */
  | { readonly kind: 'audited' }
  /** The channel is interrupted: signals may be lost, and the database may be failing over. */
  | { readonly kind: 'interrupted' }
  /** The channel was interrupted: check everything. */
  | { readonly kind: 'resumed' }

/** The subject of a signal; null for one about everything. */
export function subjectOf(signal: ServerSignal): string | null {
  switch (signal.kind) {
    case 'head':
      return `head/${signal.tenantId}/${signal.spaceId}`
    case 'space':
      return `space/${signal.tenantId}/${signal.spaceId}`
    case 'inbox':
      return `inbox/${signal.tenantId}/${signal.actorId}`
    case 'changed':
      return `changed/${signal.tenantId}/${signal.spaceId}/${signal.part}`
    case 'seen':
      return `seen/${signal.tenantId}/${signal.spaceId}/${signal.actorId}`
    case 'stop':
      return `stop/${signal.tenantId}/${signal.actorId}`
    case 'presence':
      return `presence/${signal.tenantId}/${signal.actorId}`
    case 'reaction':
      return `reaction/${signal.tenantId}/${signal.spaceId}/${signal.eventId}`
    case 'decision':
      return `decision/${signal.tenantId}/${signal.spaceId}/${signal.decisionId}`
    default:
      return null
  }
}
