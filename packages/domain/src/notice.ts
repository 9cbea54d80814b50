import { type CredentialHolder, refusalOf } from './credential.js'
import type { DomainError } from './errors.js'

/**
 * What a notice is about, by its kind. A `security` notice tells the owner of an account what another actor, or an agent
 * of the owner, did to its credentials, agents or webhooks. It is mailed at once.
 */
const NOTICE_CLASSES = {
  loop_guard: 'work',
  decision_assigned: 'work',
  review_due: 'work',
  webhook_disabled: 'work',
  agent_webhook: 'security',
  agents_waiting: 'security',
  credential_revoked: 'security',
  agent_stopped: 'security',
  claim_handed_over: 'work',
} as const satisfies Readonly<Record<string, 'security' | 'work'>>

export type NoticeKind = keyof typeof NOTICE_CLASSES
export const NOTICE_KINDS = Object.keys(NOTICE_CLASSES) as NoticeKind[]

export const isSecurityNotice = (kind: NoticeKind): boolean => NOTICE_CLASSES[kind] === 'security'

export const SECURITY_NOTICE_KINDS: readonly NoticeKind[] = NOTICE_KINDS.filter(isSecurityNotice)

/** The interval between two alerts on a channel; the later one covers all notices since. */
export const ALERT_INTERVAL_MS = 60_000

/** The part of a notice that decides who may dismiss it. */
interface DismissableNotice {
  readonly kind: NoticeKind
  readonly spaceId: string | null
}

/**
 * Returns why a credential may not dismiss a notice, or null if it may. A notice about the account, and not about one
 * space, takes a credential for the whole account. An agent dismisses its own notices with `write`.
 */
export function dismissalRefusal(caller: CredentialHolder, { kind, spaceId }: DismissableNotice): DomainError | null {
  return isSecurityNotice(kind) || spaceId === null ? refusalOf(caller, 'account', 'write') : null
}
