import { number, plural } from '../format'

export const searchTexts = {
  title: 'Search',
  words: 'Words',
  hint: '"a phrase", -not, or, from:ada, in:space, before:2026-11, after:, has:file, is:decision',
  suggestions: 'Ways to narrow the search',
  operators: {
    'from:': 'By a person or agent',
    'in:': 'In a space',
    'before:': 'Before a date',
    'after:': 'After a date',
    'has:file': 'With a file',
    'is:thread': 'In a thread',
    'is:decision': 'Only decisions',
  },
  dates: { today: 'Today', yesterday: 'Yesterday', month: 'This month', lastMonth: 'Last month', year: 'This year' },
  where: 'Where',
  places: { here: 'This space', linked: 'This and linked spaces', everywhere: 'All your spaces' },
  sort: 'Sort by',
  sorts: { newest: 'Newest first', relevance: 'Best match' },
  emptyTitle: 'Search messages',
  emptyText: 'Ignores case, accents and word endings.',
  nothing: 'No matches. Try fewer words, or all your spaces.',
  found: (count: number, isFull: boolean) =>
    isFull ? `The first ${number(count)}` : plural(count, { one: '# match', other: '# matches' }),
}
