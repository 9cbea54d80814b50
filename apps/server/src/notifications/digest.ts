import type { Mail } from '@collab-spaces/api'
import type { PendingContent, WaitingEvent, WaitingSpace } from '@collab-spaces/db'
import { cutBefore, isConversation, NOTICE_TITLES, plainLine, posterInWords } from '@collab-spaces/domain'

/** The maximum sizes of a push message, in bytes of JSON: push services accept 4 KiB encrypted. */
const MAX_PUSH_LENGTH = { title: 500, body: 2_000 }

const INBOX = '/inbox'

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const pathOf = (spaceId: string) => `/s/${encodeURIComponent(spaceId)}`

/** Returns a name that an unrelated actor chose, in characters that no mail program turns into a link. */
const unlinked = (name: string) => plainLine(name.replace(/[^\p{L}\p{M}\p{N} _'’-]+/gu, ' '))

/** The maximum length of an unrelated actor's name, which could carry a message. */
const MAX_STRANGER_NAME = 40

const strangerNamed = (name: string) =>
  [...unlinked(name)].slice(0, MAX_STRANGER_NAME).join('').trim() || 'a participant'

/** Returns the name of a space for a mail or a push message. */
function nameOf({ title, isForeign }: Pick<WaitingSpace, 'title' | 'isForeign'>, spaceId: string): string {
  if (title !== null) return plainLine(title)
  if (isConversation(spaceId)) return 'a private conversation'
  return isForeign ? unlinked(spaceId) : spaceId
}

/** The part of a digest about one space, or one notice. */
interface Item {
  readonly lines: readonly string[]
  readonly path: string | null
}

/** Returns the line of an event: for one of an unrelated actor, only its poster. */
const lineOf = ({ spoken, text }: WaitingEvent): string =>
  text === null
    ? `  From ${strangerNamed(spoken.posted_by_name)}`
    : `  ${plainLine(posterInWords(spoken))}: ${plainLine(text)}`

/** Lists the items of a digest, without texts of private spaces and of unrelated actors. */
function itemsOf({ spaces, returns, notices }: PendingContent): Item[] {
  const ofSpaces = spaces.map(({ spaceId, count, items, ...space }) => {
    const shown = [...new Set(items.map(lineOf))]
    const name = nameOf(space, spaceId)
    const head = shown.length === 0 ? `You have unread events in ${name}.` : `${name}: ${plural(count, 'event')}`
    return { lines: [head, ...shown], path: pathOf(spaceId) }
  })
  const ofReturns = returns.map(({ spaceId, count, ...space }) => ({
    lines: [`${count === 1 ? 'A snoozed item is' : `${count} snoozed items are`} back, in ${nameOf(space, spaceId)}.`],
    path: pathOf(spaceId),
  }))
  const ofNotices = notices.map(({ kind, spaceId, ...space }) =>
    spaceId === null
      ? { lines: [`${NOTICE_TITLES[kind]}.`], path: null }
      : { lines: [`${NOTICE_TITLES[kind]}, in ${nameOf(space, spaceId)}.`], path: pathOf(spaceId) },
  )
  return [...ofSpaces, ...ofReturns, ...ofNotices]
}

const placesOf = ({ spaces, returns, notices }: PendingContent) => {
  const names = new Map<string, string>()
  for (const { spaceId, ...space } of [...spaces, ...returns, ...notices]) {
    if (spaceId !== null) names.set(spaceId, nameOf(space, spaceId))
  }
  return [...names.values()]
}

function titleOf(waiting: PendingContent): string {
  const places = placesOf(waiting)
  const where = places.length === 1 ? `in ${places[0]}` : places.length === 0 ? '' : `in ${places.length} spaces`
  const isReturn = waiting.returns.length > 0 && waiting.spaces.length + waiting.notices.length === 0
  return `${isReturn ? 'Snoozed items are back' : 'You have unread events'} ${where}`.trim()
}

/** Renders a digest as a mail: by space, with links. */
export function digestOf(waiting: PendingContent, site: string): Pick<Mail, 'subject' | 'text'> {
  const linkOf = (path: string) => new URL(path, site).href
  const items = itemsOf(waiting).map(({ lines, path }) =>
    [...lines, ...(path === null ? [] : [`  ${linkOf(path)}`])].join('\n'),
  )
  return { subject: titleOf(waiting), text: `${items.join('\n\n')}\n\nYour inbox: ${linkOf(INBOX)}\n` }
}

/** Renders security notices as a mail: what happened and when. The inbox says who did it, after signing in. */
export function alertOf({ notices }: Pick<PendingContent, 'notices'>, site: string): Pick<Mail, 'subject' | 'text'> {
  const lines = notices.map(({ kind, createdAt }) => `${createdAt.toISOString()}  ${NOTICE_TITLES[kind]}`)
  const [first, ...others] = notices
  const what = first && others.length === 0 ? NOTICE_TITLES[first.kind] : plural(notices.length, 'notice')
  const inbox = new URL(INBOX, site).href
  return { subject: `Security: ${what}`, text: `${lines.join('\n')}\n\nDetails are in your inbox: ${inbox}\n` }
}

/** Renders a digest for the page's worker: one notification that opens the space or the inbox. */
export function pushedDigestOf(waiting: PendingContent, id: string, actorId: string): string {
  const items = itemsOf(waiting)
  const [only, ...others] = new Set(items.map(({ path }) => path ?? INBOX))
  const isOne = only !== undefined && others.length === 0
  return JSON.stringify({
    id,
    actor_id: actorId,
    title: clipped(titleOf(waiting), MAX_PUSH_LENGTH.title),
    body: clipped(items.flatMap(({ lines }) => lines.map(plainLine)).join('\n'), MAX_PUSH_LENGTH.body),
    path: isOne ? only : INBOX,
    // By which the worker knows a message that an open tab has shown.
    latest: isOne ? (waiting.spaces[0]?.latest ?? waiting.returns[0]?.latest ?? null) : null,
  })
}

const MORE = '…'
const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2

/** Cuts a text to a number of bytes as JSON. */
function clipped(text: string, bytes: number): string {
  if (bytesOf(text) <= bytes) return text
  let left = bytes - bytesOf(MORE)
  let end = 0
  for (const character of text) {
    left -= bytesOf(character)
    if (left < 0) break
    end += character.length
  }
  return text.slice(0, cutBefore(text, end)) + MORE
}
