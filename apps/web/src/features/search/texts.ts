export const searchTexts = {
  title: 'Search',
  words: 'Words',
  hint: '"a phrase", -not, or',
  where: 'Where',
  places: { here: 'This space', linked: 'With linked spaces', everywhere: 'All your spaces' },
  sort: 'Order',
  sorts: { newest: 'Newest first', relevance: 'Best first' },
  emptyTitle: 'Find what was said',
  emptyText: 'Case, accents and word endings do not matter.',
  nothing: 'No matches. Try fewer words, or all your spaces.',
  found: (count: number, isFull: boolean) =>
    isFull ? `The first ${count}` : count === 1 ? '1 match' : `${count} matches`,
}
