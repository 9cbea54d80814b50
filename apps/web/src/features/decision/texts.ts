import { textsOf } from '../../languages/texts'

export const {
  allDecisionsTexts,
  decisionsTexts,
  decisionTexts,
  authorizationTexts,
  proposeTexts,
  reviewTexts,
  settleTexts,
} = textsOf('decision')
