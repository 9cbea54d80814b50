import { list, number } from '../format'

export const reactionTexts = {
  react: 'Add reaction',
  more: 'Any other…',
  title: 'Choose a reaction',
  search: 'Search emoji',
  list: 'Reactions',
  /** `more`: how many are not named. */
  by: (emoji: string, names: readonly string[], more: number) =>
    `${emoji} ${list(more > 0 ? [...names, `${number(more)} more`] : names)}`,
}
