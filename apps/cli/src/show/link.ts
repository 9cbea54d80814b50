import type { Link } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { fields, numberedTable } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

/** A link has one of the two. */
const targetOf = ({ target_id, target_uri }: Link) => target_id ?? target_uri ?? ''

/** Which links are listed. */
interface Filter {
  readonly space_id: string
  readonly link_type?: string | undefined
}

export function listOfLinks(links: readonly Link[], filter: Filter, style: Style): Text {
  if (links.length === 0) return noLinks(filter)
  return numberedTable(style, links, {
    link: ({ link_id }) => link_id,
    type: ({ link_type }) => link_type,
    to: targetOf,
    added: ({ created_at }) => relativeTime(created_at),
  })
}

const noLinks = ({ space_id, link_type }: Filter): string =>
  link_type === undefined
    ? `No links. Add one: spaces link add ${space_id} --space OTHER, or --uri URL`
    : `No links of this type. List all: spaces link list ${space_id}`

export const oneLink = (link: Link, style: Style): Text =>
  fields(style, [
    ['link', style.bold(link.link_id)],
    ['type', link.link_type],
    ['from', link.space_id],
    ['to', targetOf(link)],
    ['attributes', attributesOf(link)],
    ['added', relativeTime(link.created_at)],
  ])

const attributesOf = ({ attributes }: Link) =>
  Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes)
