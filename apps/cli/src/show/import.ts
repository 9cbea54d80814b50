import { counted } from '../terminal/prose.js'
import type { Style } from '../terminal/style.js'
import { lines, type Text } from '../terminal/styled.js'
import { table } from '../terminal/table.js'

/** What becomes of the export of another service; with the last two, what has become of it. */
export interface ImportReport {
  readonly service: string
  readonly spaces: readonly ImportedSpace[]
  readonly people: { readonly speakers: number; readonly mapped: number }
  /** How many of what, by a description. */
  readonly left_out: Readonly<Record<string, number>>
  readonly imported?: number
  /** Messages that earlier runs had imported. */
  readonly before?: number
}

interface ImportedSpace {
  readonly space_id: string
  readonly title: string | null
  readonly visibility: 'open' | 'private'
  readonly exists: boolean
  readonly channels: readonly string[]
  readonly messages: number
  readonly threads: number
  readonly files: number
}

export function importReport({ spaces, people, left_out, imported, before }: ImportReport, style: Style): Text {
  if (spaces.length === 0) return lines(['The export has no messages to import', ...leftOutLines(left_out)])
  const overview = table(style, spaces, {
    channels: ({ channels }) => channels.join(', '),
    space: ({ space_id }) => space_id,
    visibility: ({ visibility, exists }) => (exists ? `${visibility}, exists` : visibility),
    messages: ({ messages }) => messages.toLocaleString('en'),
    threads: ({ threads }) => threads.toLocaleString('en'),
    files: ({ files }) => files.toLocaleString('en'),
  })
  const actors = people.mapped === 0 ? '' : `, ${people.mapped.toLocaleString('en')} of them as actors`
  return lines([
    overview,
    '',
    `${counted(people.speakers, 'speaker')}${actors}`,
    ...leftOutLines(left_out),
    imported === undefined ? 'Nothing was written' : `Imported ${counted(imported, 'message')}${earlier(before)}`,
  ])
}

const earlier = (before = 0) => (before === 0 ? '' : `; ${before.toLocaleString('en')} were there before`)

const leftOutLines = (leftOut: ImportReport['left_out']) =>
  Object.entries(leftOut).map(([reason, count]) => `Left out: ${count.toLocaleString('en')} ${reason}`)
