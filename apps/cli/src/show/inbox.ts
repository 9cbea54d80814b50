import type { Inbox, InboxItem, Notice } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { joined, lines, type StyledText, styled, type Text } from '../terminal/styled.js'
import { relativeTime } from '../terminal/time.js'
import { claimLine } from './claim.js'
import { Conversation } from './event.js'

/** Why an event is there, as people say it. */
const REASONS: Readonly<Record<InboxItem['kinds'][number], string>> = {
  mention: 'mentions you',
  reply: 'replies to you',
  thread: 'in a thread of yours',
  direct: 'in a conversation of yours',
}

export function inboxView(inbox: Inbox, style: Style): Text {
  const { items, decisions, more, counts, stopped, snoozed_until } = inbox
  const notices = inbox.notices.filter((notice) => !isListed(notice, decisions))
  const parts: Text[] = [
    ...(stopped ? [styled`You are stopped: ${stopped.reason ?? 'no reason given'}`] : []),
    ...bySpace(items).map(([space, its]) => spaceView(space, its, inbox, style)),
    ...(notices.length > 0 ? [noticesView(notices, inbox, style)] : []),
    ...(decisions.length > 0 ? [lines([style.bold('Decisions that wait for you'), ...decisionLines(inbox)])] : []),
  ]
  if (parts.length === 0) return snoozed_until ? 'Nothing is snoozed' : 'Nothing is waiting for you'
  if (more)
    parts.push(style.dim(`${items.length} of ${counts.unread >= 1_000 ? '1,000 or more' : counts.unread} shown`))
  if (snoozed_until) parts.push('Bring one back: spaces inbox snooze SPACE EVENT --until now')
  else if (items.length + notices.length > 0) parts.push('Mark all of it as done: spaces inbox done --all')
  return joined(parts, '\n\n')
}

/** How long an entry is hidden. */
export const hiddenInWords = (until: string | null | undefined): string =>
  `Hidden until ${until ?? 'something new comes'}`

/** How long an entry is hidden; null unless it is snoozed. */
const hiddenOf = ({ snoozed_until }: Inbox, id: string): string | null =>
  snoozed_until ? hiddenInWords(snoozed_until[id]) : null

/** Whether a notice says no more than that a decision waits, which is listed itself. */
function isListed({ kind, details }: Notice, decisions: Inbox['decisions']): boolean {
  return kind === 'decision_assigned' && decisions.some(({ decision_id }) => decision_id === details.decision_id)
}

export function bySpace(items: readonly InboxItem[]): [space: string, items: InboxItem[]][] {
  const spaces = new Map<string, InboxItem[]>()
  for (const item of items) spaces.set(item.space_id, [...(spaces.get(item.space_id) ?? []), item])
  return [...spaces]
}

function spaceView(space: string, items: readonly InboxItem[], inbox: Inbox, style: Style): StyledText {
  const conversation = new Conversation({ style })
  const shown = items.map(({ event, kinds, claim }) => {
    const hidden = hiddenOf(inbox, event.event_id)
    const reasons = kinds.map((kind) => REASONS[kind] ?? kind).join(', ') + (hidden ? `. ${hidden}` : '')
    const shown = claim ? styled`${reasons}. ${claimLine(claim)}` : reasons
    return styled`${conversation.add(event)}\n       ${style.dim(shown)}`
  })
  return lines([style.bold(space), ...shown])
}

const noticesView = (notices: readonly Notice[], inbox: Inbox, style: Style): StyledText =>
  lines([
    style.bold('Notices'),
    ...notices.map(({ notice_id, kind, space_id, created_at, details, earlier }) =>
      joined(
        [
          relativeTime(created_at),
          space_id,
          wordsOf(kind, details),
          earlier > 0 ? `(${earlier} earlier)` : null,
          style.dim(notice_id),
          hiddenOf(inbox, notice_id),
        ].filter((part) => part !== null),
        '  ',
      ),
    ),
  ])

/** A notice as a sentence; one of a kind that is newer than this command, as it is. */
export function wordsOf(kind: string, fields: Notice['details']): string {
  const details = fields as Readonly<Record<string, string>>
  switch (kind) {
    case 'loop_guard':
      return `The loop guard stopped ${details.agent_name ?? details.agent_id}: ${details.scope === 'agent' ? 'it' : 'agents'} posted ${details.limit} events since a human last spoke`
    case 'decision_assigned':
      return `You are asked to settle decision ${details.decision_id}`
    case 'decision_proposed':
      return `Decision ${details.decision_id} was proposed, and is assigned to no one`
    case 'space_added':
      return `${details.added_by} added you to this space`
    case 'decision_expired':
      return `Decision ${details.decision_id} has expired`
    case 'review_due':
      return `It is time to look at decision ${details.decision_id} again`
    case 'agent_webhook':
      return `Agent ${details.agent_id} has what comes into its inbox sent to ${details.url}: spaces webhook show ${details.webhook_id}`
    case 'webhook_disabled':
      return `Webhook ${details.webhook_id} is disabled: spaces webhook show ${details.webhook_id}`
    case 'agents_waiting':
      return `Agents of ${details.display_name} wait to be admitted: spaces tenant members, spaces agent start AGENT`
    case 'credential_revoked':
      return `${details.revoked_by} revoked ${details.credential_id} of ${details.actor_id}, and ended ${details.ended} made with it: spaces credential list ${details.actor_id}`
    case 'claim_handed_over':
      return `${details.from} handed claim ${details.claim_id} over to you, with fence ${details.fence}`
    case 'agent_stopped':
      return `${details.stopped_by} stopped your agent ${details.agent_id}: spaces agent show ${details.agent_id}`
    default:
      return `${kind} ${JSON.stringify(details)}`
  }
}

const decisionLines = (inbox: Inbox): StyledText[] =>
  inbox.decisions.map(({ decision_id, space_id, text }) => {
    const hidden = hiddenOf(inbox, decision_id)
    return joined([decision_id, space_id, text, ...(hidden ? [hidden] : [])], '  ')
  })
