import type { Scope } from '@collab-spaces/domain'

/** A space's log has grown to this position. */
interface HeadHint {
  readonly kind: 'head'
  readonly scope: Scope
  readonly spaceId: string
  readonly head: number
}

/** Something has come into an actor's inbox, or was marked as done. */
interface InboxHint {
  readonly kind: 'inbox'
  readonly scope: Scope
  readonly actorId: string
}

/** A webhook was made, changed or ended. */
interface WebhookHint {
  readonly kind: 'webhook'
  readonly scope: Scope
  readonly webhookId: string
}

/** A decision has changed. */
interface DecisionHint {
  readonly kind: 'decision'
  readonly scope: Scope
  readonly spaceId: string
  readonly decisionId: string
}

/** Something was done about a space itself: its policy or its owners have changed. */
interface SpaceHint {
  readonly kind: 'space'
  readonly scope: Scope
  readonly spaceId: string
}

/** A part of a space that has changed, besides its events and acts. */
export type SpacePart =
  /** The space itself, and who takes part in it. */
  | 'status'
  | 'links'
  /** The work claims, and their progress. */
  | 'claims'
  /** The receipts of events for the actors that they address. */
  | 'receipts'

interface ChangedHint {
  readonly kind: 'changed'
  readonly scope: Scope
  readonly spaceId: string
  readonly part: SpacePart
}

/** An actor has seen more of a space. */
interface SeenHint {
  readonly kind: 'seen'
  readonly scope: Scope
  readonly spaceId: string
  readonly actorId: string
}

/** An agent was stopped, or started again. */
interface StopHint {
  readonly kind: 'stop'
  readonly scope: Scope
  readonly actorId: string
}

export type Hint =
  | HeadHint
  | SpaceHint
  | InboxHint
  | ChangedHint
  | SeenHint
  | StopHint
  | DecisionHint
  | WebhookHint
  /** Credentials may have been revoked: look them up again. */
  | { readonly kind: 'revoked' }
  /** Quotas have been changed: read them again. */
  | { readonly kind: 'quotas' }
  /** Something of a space was erased: forget what was read of it before. */
  | { readonly kind: 'erased'; readonly scope: Scope; readonly spaceId: string }
  /** The operator has done what the security log tells. */
  | { readonly kind: 'audited' }
  /** The channel was down for a while: check everything. */
  | { readonly kind: 'resumed' }

/** The subject of a hint; null for one about everything. */
export function subjectOf(hint: Hint): string | null {
  switch (hint.kind) {
    case 'head':
      return `head/${hint.scope}/${hint.spaceId}`
    case 'space':
      return `space/${hint.scope}/${hint.spaceId}`
    case 'inbox':
      return `inbox/${hint.scope}/${hint.actorId}`
    case 'changed':
      return `changed/${hint.scope}/${hint.spaceId}/${hint.part}`
    case 'seen':
      return `seen/${hint.scope}/${hint.spaceId}/${hint.actorId}`
    case 'stop':
      return `stop/${hint.scope}/${hint.actorId}`
    case 'decision':
      return `decision/${hint.scope}/${hint.spaceId}/${hint.decisionId}`
    default:
      return null
  }
}
