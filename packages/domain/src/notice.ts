/** Something that an actor is told of and that no event says. */
export const NOTICE_KINDS = [
  'loop_guard',
  'decision_assigned',
  'review_due',
  'webhook_disabled',
  'agent_webhook',
  'agents_waiting',
  'credential_revoked',
  'agent_stopped',
  'claim_handed_over',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]
