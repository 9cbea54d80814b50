import type {
  AssignedDecisions,
  AttentionReasons,
  InboxItem,
  InboxPage,
  NoticeRecord,
  WorkClaimRecord,
} from '@collab-spaces/db'
import {
  ATTENTION_KINDS,
  type AttentionKind,
  type CredentialHolder,
  dismissalRefusal,
  type Stop,
  shownStop,
  workSubjectOf,
} from '@collab-spaces/domain'
import type { z } from 'zod'
import { RenderedOutput } from '../procedure/output.js'
import type { Inbox, Notice } from '../schemas/inbox.js'
import { presentDecision } from './decision.js'
import { presentWorkClaim } from './work-claim.js'

type InboxValue = z.infer<typeof Inbox>

/** The inbox of an actor. */
export interface InboxRecord extends AssignedDecisions {
  readonly page: InboxPage
  readonly notices: readonly NoticeRecord[]
  /** The claims on its events. */
  readonly claims: readonly WorkClaimRecord[]
  /** When the next snoozed item comes back; null for never. */
  readonly nextSnooze: Date | null
  /** Null unless the actor is a stopped agent. */
  readonly stopped: Stop | null
  /** Whether it lists what is snoozed. */
  readonly snoozed: boolean
}

/** Renders an inbox as text, as its events are stored as JSON. */
export function presentInbox(
  { page, decisions, decisionCount, notices, claims, nextSnooze, stopped, snoozed }: InboxRecord,
  reader: CredentialHolder,
): RenderedOutput<InboxValue> {
  const dismissable = notices.filter((notice) => dismissalRefusal(reader, notice) === null)
  const rest: Omit<InboxValue, 'items'> = {
    counts: { unread: page.unread, decisions: decisionCount, notices: notices.length },
    decisions: decisions.map(presentDecision),
    notices: notices.map(presentNotice),
    more: page.more,
    done: {
      through: snoozed ? [] : throughOf(page.items),
      notices: dismissable.map(({ noticeId }) => noticeId),
    },
    next_snooze_at: nextSnooze?.toISOString() ?? null,
    ...(snoozed && { snoozed_until: returnTimes(page.items, notices) }),
    stopped: stopped && shownStop(stopped),
  }
  const items = page.items.map((item) => renderItem(item, claims)).join(',')
  return RenderedOutput.json<InboxValue>(`{"items":[${items}],${JSON.stringify(rest).slice(1)}`)
}

/** Returns when each snoozed entry comes back, by its ID. A decision comes back with its notice. */
function returnTimes(items: readonly InboxItem[], notices: readonly NoticeRecord[]): InboxValue['snoozed_until'] {
  const times = items.map(({ eventId, snoozedUntil }) => [eventId, snoozedUntil] as const)
  for (const { noticeId, kind, details, snoozedUntil } of notices) {
    times.push([noticeId, snoozedUntil])
    if (kind === 'decision_assigned') times.push([String(details.decision_id), snoozedUntil])
  }
  return Object.fromEntries(times.map(([id, at]) => [id, at?.toISOString() ?? null]))
}

/** Returns the last item of each space; items ascend within a space. */
function throughOf(items: readonly InboxItem[]): InboxValue['done']['through'] {
  const last = new Map(items.map(({ spaceId, eventId }) => [spaceId, eventId]))
  return [...last].map(([space_id, event_id]) => ({ space_id, event_id }))
}

function renderItem(item: InboxItem, claims: readonly WorkClaimRecord[]): string {
  const { spaceId, wire, isFromHuman } = item
  const claim = item.wasClaimed && claimOn(item, claims)
  const rest = JSON.stringify({
    space_id: spaceId,
    kinds: kindsOf(item),
    claim: claim ? presentWorkClaim(claim) : null,
    from_human: isFromHuman,
  })
  return `{"event":${wire},${rest.slice(1)}`
}

const claimOn = ({ spaceId, eventId }: InboxItem, claims: readonly WorkClaimRecord[]) =>
  claims.find((claim) => claim.spaceId === spaceId && claim.subject === workSubjectOf({ event_id: eventId }))

const REASON_OF_KIND = {
  mention: 'isMention',
  reply: 'isReply',
  thread: 'inThread',
  direct: 'isDirect',
} as const satisfies Readonly<Record<AttentionKind, keyof AttentionReasons>>

/** Returns why an event is in an inbox. */
export const kindsOf = (reasons: AttentionReasons): AttentionKind[] =>
  ATTENTION_KINDS.filter((kind) => reasons[REASON_OF_KIND[kind]])

const presentNotice = (notice: NoticeRecord): z.infer<typeof Notice> => ({
  notice_id: notice.noticeId,
  kind: notice.kind,
  space_id: notice.spaceId,
  details: notice.details,
  earlier: notice.earlier,
  created_at: notice.createdAt.toISOString(),
})
