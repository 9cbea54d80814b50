export const threadPanelTexts = {
  alsoInSpace: 'Also in the space, as a reply to the first message',
  count: (count: number) => (count === 0 ? 'No replies yet' : count === 1 ? '1 reply' : `${count} replies`),
  list: 'Threads of this space',
  listEmptyTitle: 'No threads yet',
  listEmptyText: 'Reply to a message in a thread, and what belongs together stays together.',
  more: 'Show more',
  empty: 'Nobody has replied yet.',
  unknownTitle: 'There is no such thread',
  threads: 'Threads',
}
