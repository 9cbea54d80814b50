import { textsOf } from '../../languages/texts'

export const { skipToContent, movedTexts, accountTexts, navigationTexts, paletteTexts, shortcutsTexts } =
  textsOf('menu')
