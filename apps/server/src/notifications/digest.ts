import type { Mail } from '@collab-spaces/api'
import type { Waiting } from '@collab-spaces/db'
import { NOTICE_TITLES } from '@collab-spaces/domain'

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** What waits, in one message: by space, and without the text of what only some may read. */
export function digestOf({ spaces, notices }: Waiting, site: string): Pick<Mail, 'subject' | 'text'> {
  const linkOf = (spaceId: string) => new URL(`/s/${encodeURIComponent(spaceId)}`, site).href
  const ofSpaces = spaces.map(({ spaceId, count, items }) => {
    const shown = items.flatMap(({ by, text }) => (text === null ? [] : [`  ${oneLine(by)}: ${oneLine(text)}`]))
    const head = shown.length === 0 ? `Something waits for you in ${spaceId}.` : `${spaceId}: ${plural(count, 'event')}`
    return [head, ...shown, `  ${linkOf(spaceId)}`].join('\n')
  })
  const ofNotices = notices.map(({ kind, spaceId }) =>
    spaceId === null ? `${NOTICE_TITLES[kind]}.` : `${NOTICE_TITLES[kind]}, in ${spaceId}.\n  ${linkOf(spaceId)}`,
  )
  const places = new Set([...spaces, ...notices].flatMap(({ spaceId }) => spaceId ?? []))
  const [only] = places
  const where = places.size === 1 ? `in ${only}` : places.size === 0 ? '' : `in ${places.size} spaces`
  return {
    subject: oneLine(`Something waits for you ${where}`),
    text: `${[...ofSpaces, ...ofNotices].join('\n\n')}\n\nYour inbox: ${new URL('/inbox', site).href}\n`,
  }
}
