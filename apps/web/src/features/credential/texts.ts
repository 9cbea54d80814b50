import { textsOf } from '../../languages/texts'

export const {
  signInMethodTexts,
  newKeyTexts,
  grantsTexts,
  endedTexts,
  createTokenTexts,
  limitsTexts,
  ownKeyTexts,
  credentialsTexts,
} = textsOf('credential')
