import { list, number, plural } from '../format'

export const linksTexts = {
  title: 'Links',
  add: 'Add a link',
  emptyTitle: 'No links yet',
  emptyText: 'Link this space to other spaces, or to pages such as a plan or an issue. Search can follow these links.',
  graph: (space: string, targets: readonly string[], sources: readonly string[], more: number) =>
    [
      targets.length > 0 && `${space} links to ${list(targets)}.`,
      sources.length > 0 && `${list(sources)} ${plural(sources.length, { one: 'links', other: 'link' })} to ${space}.`,
      more > 0 && plural(more, { one: 'There is # more.', other: 'There are # more.' }),
    ]
      .filter(Boolean)
      .join(' '),
  more: (count: number) => `and ${number(count)} more below`,
  out: 'Outgoing',
  into: 'Incoming',
  remove: (target: string) => `Remove the link to ${target}`,
  kind: 'To',
  kinds: { space: 'Another space', page: 'A page' },
  space: 'Space',
  address: 'Address',
  type: 'Kind of link',
  typeHint: 'Such as follows, blocks or source. By default: related.',
}
