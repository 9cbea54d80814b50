import type { Mail } from '@collab-spaces/api'
import type { Waiting } from '@collab-spaces/db'
import { isConversation, NOTICE_TITLES } from '@collab-spaces/domain'

/** How much of a digest is sent to a browser, in bytes of JSON: push services take 4 KiB of what is encrypted. */
const MOST_PUSHED = { title: 500, body: 2_000 }

const INBOX = '/inbox'

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

const pathOf = (spaceId: string) => `/s/${encodeURIComponent(spaceId)}`

/** The name of a space where somebody else may read it. */
const nameOf = (spaceId: string, title: string | null) =>
  title ?? (isConversation(spaceId) ? 'a private conversation' : spaceId)

/** The part of a digest about one space, or one notice. */
interface Item {
  readonly lines: readonly string[]
  readonly path: string | null
}

/** Texts that only some may read are left out. */
function itemsOf({ spaces, notices }: Waiting): Item[] {
  const ofSpaces = spaces.map(({ spaceId, title, count, items }) => {
    const shown = items.flatMap(({ by, text }) => (text === null ? [] : [`  ${oneLine(by)}: ${oneLine(text)}`]))
    const name = nameOf(spaceId, title)
    const head = shown.length === 0 ? `Something waits for you in ${name}.` : `${name}: ${plural(count, 'event')}`
    return { lines: [head, ...shown], path: pathOf(spaceId) }
  })
  const ofNotices = notices.map(({ kind, spaceId, title }) =>
    spaceId === null
      ? { lines: [`${NOTICE_TITLES[kind]}.`], path: null }
      : { lines: [`${NOTICE_TITLES[kind]}, in ${nameOf(spaceId, title)}.`], path: pathOf(spaceId) },
  )
  return [...ofSpaces, ...ofNotices]
}

const placesOf = ({ spaces, notices }: Waiting) => {
  const names = new Map<string, string>()
  for (const { spaceId, title } of [...spaces, ...notices]) {
    if (spaceId !== null) names.set(spaceId, nameOf(spaceId, title))
  }
  return [...names.values()]
}

function titleOf(waiting: Waiting): string {
  const places = placesOf(waiting)
  const where = places.length === 1 ? `in ${places[0]}` : places.length === 0 ? '' : `in ${places.length} spaces`
  return oneLine(`Something waits for you ${where}`)
}

/** A digest as a mail: by space, with links. */
export function digestOf(waiting: Waiting, site: string): Pick<Mail, 'subject' | 'text'> {
  const linkOf = (path: string) => new URL(path, site).href
  const items = itemsOf(waiting).map(({ lines, path }) =>
    [...lines, ...(path === null ? [] : [`  ${linkOf(path)}`])].join('\n'),
  )
  return { subject: titleOf(waiting), text: `${items.join('\n\n')}\n\nYour inbox: ${linkOf(INBOX)}\n` }
}

/** A digest as `push/worker.js` of the page shows it: one notice that leads to the space, or to the inbox. */
export function pushedDigestOf(waiting: Waiting, id: string): string {
  const items = itemsOf(waiting)
  const [only, ...others] = new Set(items.map(({ path }) => path ?? INBOX))
  return JSON.stringify({
    id,
    title: clipped(titleOf(waiting), MOST_PUSHED.title),
    body: clipped(items.flatMap(({ lines }) => lines.map(oneLine)).join('\n'), MOST_PUSHED.body),
    path: only !== undefined && others.length === 0 ? only : INBOX,
  })
}

const MORE = '…'
const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2

/** The beginning of a text that takes so many bytes of JSON, in whole characters. */
function clipped(text: string, bytes: number): string {
  if (bytesOf(text) <= bytes) return text
  let left = bytes - bytesOf(MORE)
  let end = 0
  for (const character of text) {
    left -= bytesOf(character)
    if (left < 0) break
    end += character.length
  }
  return text.slice(0, end) + MORE
}
