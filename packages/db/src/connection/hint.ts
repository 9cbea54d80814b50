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
export type Hint =
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

/** The subject of a hint; null for one about everything. */
export function subjectOf(hint: Hint): string | null {
  switch (hint.kind) {
    case 'head':
      return `head/${hint.tenantId}/${hint.spaceId}`
    case 'space':
      return `space/${hint.tenantId}/${hint.spaceId}`
    case 'inbox':
      return `inbox/${hint.tenantId}/${hint.actorId}`
    case 'changed':
      return `changed/${hint.tenantId}/${hint.spaceId}/${hint.part}`
    case 'seen':
      return `seen/${hint.tenantId}/${hint.spaceId}/${hint.actorId}`
    case 'stop':
      return `stop/${hint.tenantId}/${hint.actorId}`
    case 'decision':
      return `decision/${hint.tenantId}/${hint.spaceId}/${hint.decisionId}`
    default:
      return null
  }
}
