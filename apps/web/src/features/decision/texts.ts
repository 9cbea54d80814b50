import { textsOf } from '../../languages/texts'

export const { decisionsTexts, decisionTexts, authorizationTexts, proposeTexts, reviewTexts, settleTexts } =
  textsOf('decision')
