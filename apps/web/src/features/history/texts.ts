import { textsOf } from '../../languages/texts'

export const { connectionTexts, historyTexts, revisionTexts, transcriptTexts, actsTexts, detailsTexts, threadTexts } =
  textsOf('history')
