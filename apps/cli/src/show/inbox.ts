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
  const { items, decisions, more, counts, stopped } = inbox
  const notices = inbox.notices.filter((notice) => !isListed(notice, decisions))
  const parts: Text[] = [
    ...(stopped ? [styled`You are stopped: ${stopped.reason ?? 'no reason given'}`] : []),
    ...bySpace(items).map(([space, its]) => spaceView(space, its, style)),
    ...(notices.length > 0 ? [noticesView(notices, style)] : []),
    ...(decisions.length > 0 ? [lines([style.bold('Decisions that wait for you'), ...decisionLines(inbox)])] : []),
  ]
  if (parts.length === 0) return 'Nothing is waiting for you'
  if (more)
    parts.push(style.dim(`${items.length} of ${counts.unread >= 1_000 ? '1,000 or more' : counts.unread} shown`))
  if (items.length + notices.length > 0) parts.push('Mark all of it as done: spaces inbox done --all')
  return joined(parts, '\n\n')
}

/** Whether a notice says no more than that a decision waits, which is listed itself. */
function isListed({ kind, details }: Notice, decisions: Inbox['decisions']): boolean {
  return kind === 'decision_assigned' && decisions.some(({ decision_id }) => decision_id === details.decision_id)
}

export function bySpace(items: readonly InboxItem[]): [space: string, items: InboxItem[]][] {
  const spaces = new Map<string, InboxItem[]>()
  for (const item of items) spaces.set(item.space_id, [...(spaces.get(item.space_id) ?? []), item])
  return [...spaces]
}

function spaceView(space: string, items: readonly InboxItem[], style: Style): StyledText {
  const conversation = new Conversation({ style })
  const shown = items.map(({ event, kinds, claim }) => {
    const reasons = kinds.map((kind) => REASONS[kind] ?? kind).join(', ')
    const shown = claim ? styled`${reasons}. ${claimLine(claim)}` : reasons
    return styled`${conversation.add(event)}\n       ${style.dim(shown)}`
  })
  return lines([style.bold(space), ...shown])
}

const noticesView = (notices: readonly Notice[], style: Style): StyledText =>
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
        ].filter((part) => part !== null),
        '  ',
      ),
    ),
  ])

/** A notice as a sentence; one of a kind that is newer than this command, as it is. */
export function wordsOf(kind: string, details: Notice['details']): string {
  const {
    agent_id,
    agent_name = agent_id,
    scope,
    limit,
    decision_id,
    webhook_id,
    url,
    display_name,
    actor_id,
    credential_id,
    revoked_by,
    stopped_by,
    added_by,
    ended,
  } = details as Readonly<Record<string, string>>
  switch (kind) {
    case 'loop_guard':
      return `The loop guard stopped ${agent_name}: ${scope === 'agent' ? 'it' : 'agents'} posted ${limit} events since a human last spoke`
    case 'decision_assigned':
      return `You are asked to settle decision ${decision_id}`
    case 'decision_proposed':
      return `Decision ${decision_id} was proposed, and is assigned to no one`
    case 'space_added':
      return `${added_by} added you to this space`
    case 'decision_expired':
      return `Decision ${decision_id} has expired`
    case 'review_due':
      return `It is time to look at decision ${decision_id} again`
    case 'agent_webhook':
      return `Agent ${agent_id} has what comes into its inbox sent to ${url}: spaces webhook show ${webhook_id}`
    case 'webhook_disabled':
      return `Webhook ${webhook_id} is disabled: spaces webhook show ${webhook_id}`
    case 'agents_waiting':
      return `Agents of ${display_name} wait to be admitted: spaces tenant members, spaces agent start AGENT`
    case 'credential_revoked':
      return `${revoked_by} revoked ${credential_id} of ${actor_id}, and ended ${ended} made with it: spaces credential list ${actor_id}`
    case 'claim_handed_over':
      return `${details.from} handed claim ${details.claim_id} over to you, with fence ${details.fence}`
    case 'agent_stopped':
      return `${stopped_by} stopped your agent ${agent_id}: spaces agent show ${agent_id}`
    default:
      return `${kind} ${JSON.stringify(details)}`
  }
}

const decisionLines = ({ decisions }: Inbox): StyledText[] =>
  decisions.map(({ decision_id, space_id, text }) => styled`${decision_id}  ${space_id}  ${text}`)
