import { textsOf } from '../../languages/texts'

export const { welcomeTexts, signInTexts, callbackTexts, commandTexts, deviceTexts, signUpTexts, redeemTexts } =
  textsOf('session')
