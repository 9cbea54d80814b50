export const linksTexts = {
  title: 'Links',
  add: 'Add a link',
  emptyTitle: 'No links yet',
  emptyText: 'Link this space to other spaces, or to pages such as a plan or an issue. Search can follow these links.',
  graph: (space: string, targets: readonly string[], sources: readonly string[], more: number) =>
    [
      targets.length > 0 && `${space} links to ${targets.join(', ')}.`,
      sources.length > 0 && `${sources.join(', ')} ${sources.length === 1 ? 'links' : 'link'} to ${space}.`,
      more > 0 && `There ${more === 1 ? 'is' : 'are'} ${more} more.`,
    ]
      .filter(Boolean)
      .join(' '),
  more: (count: number) => `and ${count} more below`,
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
