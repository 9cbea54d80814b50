import { list, plural } from '../format'

export const activityTexts = {
  title: 'Activity',
  windows: { hour: 'The last hour', day: 'The last 24 hours', week: 'The last 7 days', month: 'The last 30 days' },
  now: 'Now',
  emptyTitle: 'No activity',
  emptyText: 'No messages in this period. Choose a longer one.',
  total: (events: number, speakers: number) =>
    `${plural(events, { one: '# message', other: '# messages' })} by ${plural(speakers, { one: '# speaker', other: '# speakers' })}`,
  silent: (count: number) =>
    plural(count, { one: '# participant posted nothing', other: '# participants posted nothing' }),
  also: (names: readonly string[]) => `and ${list(names)}`,
  timeline: (name: string, count: number) => `${name}: ${plural(count, { one: '# message', other: '# messages' })}`,
}
