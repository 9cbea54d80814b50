import { list, number } from '../format'
import type { Texts } from '../translation'

export const reactionTexts: Texts['reaction']['reactionTexts'] = {
  react: 'Reagieren',
  more: 'Ein anderes…',
  title: 'Reaktion wählen',
  search: 'Emojis suchen',
  list: 'Reaktionen',
  by: (emoji, names, more) => `${emoji} ${list(more > 0 ? [...names, `${number(more)} weitere`] : names)}`,
}
