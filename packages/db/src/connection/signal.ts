import type { TenantId } from '@collab-spaces/domain'
import type { DecisionKey } from '../decision/key.js'

/** A part of a space that has changed, besides its events and acts. */
export type SpacePart =
  /** The space itself, and who takes part in it. */
  | 'status'
  | 'links'
  /** The work claims, and their progress. */
  | 'claims'
  /** The receipts of events for the actors that they address. */
  | 'receipts'

interface InSpace {
  readonly tenantId: TenantId
  readonly spaceId: string
}

interface OfActor {
  readonly tenantId: TenantId
  readonly actorId: string
}

/** What servers tell each other. */
export type ServerSignal =
  /** A space's log has grown to this position. */
  | ({ readonly kind: 'head'; readonly head: number } & InSpace)
  /** Something was done about a space itself: its policy or its owners have changed. */
  | ({ readonly kind: 'space' } & InSpace)
  /** Something has come into an actor's inbox, or was marked as done. */
  | ({ readonly kind: 'inbox' } & OfActor)
  | ({ readonly kind: 'changed'; readonly part: SpacePart } & InSpace)
  /** An actor has seen more of a space. */
  | ({ readonly kind: 'seen' } & InSpace & OfActor)
  /** An agent was stopped, or started again. */
  | ({ readonly kind: 'stop' } & OfActor)
  /** A decision has changed. */
  | ({ readonly kind: 'decision' } & DecisionKey)
  /** A webhook was made, changed or ended. */
  | { readonly kind: 'webhook'; readonly tenantId: TenantId; readonly webhookId: string }
  /** Credentials may have been revoked: look them up again. */
  | { readonly kind: 'revoked' }
  /** Quotas have been changed: read them again. */
  | { readonly kind: 'quotas' }
  /** Something of a space was erased: forget what was read of it before. */
  | ({ readonly kind: 'erased' } & InSpace)
  /** The operator has done what the security log tells. */
  | { readonly kind: 'audited' }
  /** The channel was down for a while: check everything. */
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
    case 'decision':
      return `decision/${signal.tenantId}/${signal.spaceId}/${signal.decisionId}`
    default:
      return null
  }
}
