import { type CredentialHolder, refusalOf } from './credential.js'
import type { DomainError } from './errors.js'

/**
 * The category of each kind of notice. A `security` notice tells an actor what another actor, or one of its own agents, did
 * to its credentials, agents or webhooks. It is e-mailed immediately.
 */
const NOTICE_CATEGORIES = {
  loop_guard: 'work',
  decision_assigned: 'work',
  decision_proposed: 'work',
  decision_expired: 'work',
  review_due: 'work',
  webhook_disabled: 'work',
  agent_webhook: 'security',
  agents_waiting: 'security',
  credential_revoked: 'security',
  agent_stopped: 'security',
  claim_handed_over: 'work',
  space_added: 'work',
} as const satisfies Readonly<Record<string, 'security' | 'work'>>

export type NoticeKind = keyof typeof NOTICE_CATEGORIES
export const NOTICE_KINDS = Object.keys(NOTICE_CATEGORIES) as NoticeKind[]

export const isSecurityNotice = (kind: NoticeKind): boolean => NOTICE_CATEGORIES[kind] === 'security'

export const SECURITY_NOTICE_KINDS: readonly NoticeKind[] = NOTICE_KINDS.filter(isSecurityNotice)

/** The minimum interval between two alerts on a channel. An alert covers all notices since the previous one. */
export const ALERT_INTERVAL_MS = 60_000

/** The part of a notice that decides who may dismiss it. */
interface DismissableNotice {
  readonly kind: NoticeKind
  readonly spaceId: string | null
}

/**
 * Returns why a credential may not dismiss a notice, or null if it may. A notice about the account, and not about one
 * space, requires the scope `account`; an agent needs only `write` for its own notices.
 */
export function dismissalRefusal(caller: CredentialHolder, { kind, spaceId }: DismissableNotice): DomainError | null {
  return isSecurityNotice(kind) || spaceId === null ? refusalOf(caller, 'account', 'write') : null
}
