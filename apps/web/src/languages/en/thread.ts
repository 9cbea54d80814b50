import { plural } from '../format'

export const threadPanelTexts = {
  alsoInSpace: 'Also send to the space',
  count: (count: number) => (count === 0 ? 'No replies yet' : plural(count, { one: '# reply', other: '# replies' })),
  list: 'Threads in this space',
  listEmptyTitle: 'No threads yet',
  listEmptyText: 'Reply to a message in a thread to keep a topic together.',
  more: 'Show more',
  empty: 'No replies yet.',
  unknownTitle: 'Thread not found',
  threads: 'Threads',
}
