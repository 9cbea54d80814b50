export const activityTexts = {
  title: 'Activity',
  windows: { hour: 'The last hour', day: 'The last 24 hours', week: 'The last 7 days', month: 'The last 30 days' },
  now: 'Now',
  emptyTitle: 'No activity',
  emptyText: 'No messages in this period. Choose a longer one.',
  total: (events: number, speakers: number) =>
    `${events.toLocaleString()} ${events === 1 ? 'message' : 'messages'} by ${speakers} ${speakers === 1 ? 'speaker' : 'speakers'}`,
  silent: (count: number) =>
    count === 1 ? '1 participant posted nothing' : `${count.toLocaleString()} participants posted nothing`,
  also: (names: readonly string[]) => `and ${names.join(', ')}`,
  timeline: (name: string, count: number) =>
    `${name}: ${count.toLocaleString()} ${count === 1 ? 'message' : 'messages'}`,
}
