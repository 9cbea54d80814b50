import type { Decision, InboxItem, Notice, Space } from '@collab-spaces/client'
import { excerptLine } from '../../shared/markdown/excerpt'
import { plainText } from '../../shared/markdown/plain'
import { INBOX, spacePath } from '../../shared/navigation/paths'
import { posterInWords } from '../../shared/poster'
import type { Inbox } from '../../shared/query/inbox'
import { isMuted } from '../../shared/query/space-cache'
import { isConversation, spaceName } from '../../shared/query/space-name'
import { texts } from '../../shared/texts'
import { waitingTexts } from '../inbox/texts'

/** A notification of one place: the newest messages there. */
export interface News {
  readonly title: string
  readonly body: string
  /** The page that it opens. */
  readonly path: string
  /** The ID of the newest event, by which a push message about it is known to be shown. */
  readonly key: string
}

/** The lines of one notification. */
const MAX_LINES = 3

/** Whether an inbox has more items than it lists. */
const isCut = ({ items, counts }: Inbox) => items.length < counts.unread

/** Returns the IDs of all entries of an inbox. */
const idsIn = ({ items, decisions, notices }: Inbox): readonly string[] => [
  ...items.map(({ event }) => event.event_id),
  ...decisions.map(({ decision_id }) => decision_id),
  ...notices.map(({ notice_id }) => notice_id),
]

/** Returns what to tell about the entries of an inbox that were not there before, for each space one notification. */
export function newsIn(inbox: Inbox, before: Inbox, spaces: readonly Space[]): readonly News[] {
  // A snoozed item that comes back is news again.
  const known = new Set(idsIn(before))
  // The first items are the oldest: after others are done, old ones take their places.
  const items = isCut(before) ? [] : inbox.items
  const spaceOf = (spaceId: string | null) => spaces.find(({ space_id }) => space_id === spaceId)
  const entries = [
    ...items.filter((item) => isTold(item, spaceOf(item.space_id))).map(ofItem),
    ...inbox.decisions.map(ofDecision),
    ...inbox.notices.map(ofNotice),
  ].filter(({ key }) => !known.has(key))
  const places = new Map<string | null, (typeof entries)[number][]>()
  for (const entry of entries) {
    const space = spaceOf(entry.spaceId)
    if (space && isMuted(space)) continue
    places.set(entry.spaceId, [...(places.get(entry.spaceId) ?? []), entry])
  }
  const news = [...places].map(([spaceId, entries]) => newsOf(spaceId, spaceOf(spaceId), entries))
  const { unread } = inbox.counts
  if (news.length > 0 || !isCut(inbox) || unread <= before.counts.unread) return news
  return [{ title: texts.product, body: texts.waiting(unread), path: INBOX, key: '' }]
}

/** A thread that the reader takes part in is told where all is. */
const isTold = ({ kinds }: InboxItem, space: Space | undefined) =>
  kinds.some((kind) => kind !== 'thread') || space?.preferences.notices === 'all'

interface Entry {
  readonly key: string
  readonly spaceId: string | null
  readonly by: string | null
  readonly text: string
}

const ofItem = ({ space_id, event }: InboxItem): Entry => ({
  key: event.event_id,
  spaceId: space_id,
  by: posterInWords(event),
  text: excerptLine(event),
})

const ofDecision = ({ decision_id, space_id, text }: Decision): Entry => ({
  key: decision_id,
  spaceId: space_id,
  by: waitingTexts.toSettle,
  text: plainText(text),
})

const ofNotice = ({ notice_id, space_id, kind }: Notice): Entry => ({
  key: notice_id,
  spaceId: space_id,
  by: null,
  text: waitingTexts.notices[kind] ?? kind,
})

function newsOf(spaceId: string | null, space: Space | undefined, entries: readonly Entry[]): News {
  const posters = new Set(entries.map(({ by }) => by))
  const [by] = posters
  const isByOne = posters.size === 1 && by !== null && by !== undefined
  const lines = entries.slice(-MAX_LINES).map(({ by, text }) => (by === null || isByOne ? text : `${by}: ${text}`))
  const place = spaceId === null ? texts.product : space ? spaceName(space) : spaceId
  const isTalk = spaceId !== null && isConversation(spaceId)
  return {
    title: isByOne ? (isTalk ? by : `${by}, ${texts.inSpace(place)}`) : place,
    body: lines.join('\n'),
    path: spaceId === null ? INBOX : spacePath(spaceId),
    key: entries.at(-1)?.key ?? '',
  }
}
